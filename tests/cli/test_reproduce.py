"""`arena reproduce` reruns a bot's decisions from a file or the league, and in the debugger."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result

from arena.cli.options.league import reading, writing
from arena.games.registry import game_named
from arena.records import How
from arena.replays.format import read_replay, write_replay
from arena.submission.lookup import house_bots
from arena.submission.manifest import read_manifest
from arena.tournament.entrants import submit_folder
from leaderboard.events import find_event
from leaderboard.matches import replay_of
from tests.builders.bots import ROOT
from tests.builders.leagues import NOON
from tests.cages import cage
from tests.cli.runner import arena as typed
from tests.cli.runner import printed
from tests.cli.terminals import arena_at_terminal

GREEDY = str(house_bots()["greedy-trio"])

PROGRAM = """
import sys, time
from arena.sdk import Bot, run

class Faulty(Bot):
    def match_started(self):
        self.match.memory.decisions = 0

    def choose(self, view):
        self.match.memory.decisions += 1
        if self.match.memory.decisions == 3:
            {misdeed}
        return self.rng.choice(self.legal_actions(view))

if __name__ == "__main__":
    run(Faulty)
"""
MISDEEDS = {
    "crash": "raise ValueError('no idea')",
    "cheat": "return 10**6",
    "sleep": "time.sleep(60)",
    "hang up": "sys.exit(0)",
}


LOOP = """
            print('looping', flush=True)
            while True:
                self.turns = 1
"""


def arena(*words: str) -> Result:
    """Run a command in the cage that all tests use."""
    return typed(*words, "--cage", cage().name)


def make_bot(folder: Path, misdeed: str = "pass", name: str = "faulty") -> str:
    """Make a bot that runs a statement at its third decision; return its folder."""
    folder.mkdir(exist_ok=True)
    (folder / "bot.py").write_text(PROGRAM.format(misdeed=misdeed), encoding="utf-8")
    manifest = f'name = "{name}"\ngames = ["meow", "trio"]\ncommand = ["python", "bot.py"]\n'
    (folder / "bot.toml").write_text(manifest, encoding="utf-8")
    return str(folder)


def play_match(tmp_path: Path, misdeed: str = "pass", *words: str) -> tuple[str, str]:
    """Play a match with such a bot in seat 1; return its folder and the replay."""
    folder = make_bot(tmp_path / "faulty", misdeed)
    replay = str(tmp_path / "match.replay")
    options = ("--seed", "3", "--save", replay, *words)
    printed(arena("play", "meow", "random", folder, *options))
    return folder, replay


@pytest.mark.parametrize("misdeed", ["crash", "cheat", "hang up"])
def test_a_fault_recurs_at_the_same_request(misdeed: str, tmp_path: Path) -> None:
    folder, replay = play_match(tmp_path, MISDEEDS[misdeed])
    (fault,) = read_replay(Path(replay).read_bytes()).faults
    result = arena("reproduce", replay, "--bot", folder)
    assert result.exit_code == 0, result.output
    assert f"faulted at decision 6: {fault.ending.value}, {fault.sentence}." in result.output
    assert "Decisions as recorded: all 2." in result.output
    assert "The request at decision 6 was identical, byte for byte." in result.output
    assert f"The fault recurred: {fault.ending.value}, {fault.sentence}." in result.output
    assert ("    ValueError: no idea" in result.output) == (misdeed == "crash")


@pytest.mark.parametrize("clock", [pytest.param("2", marks=pytest.mark.slow), "cpu:0.5"])
def test_a_late_bot_is_late_again_on_the_same_clock(clock: str, tmp_path: Path) -> None:
    misdeed = "while True: pass" if "cpu" in clock else MISDEEDS["sleep"]
    folder, replay = play_match(tmp_path, misdeed, "--clock", clock)
    result = arena("reproduce", replay, "--bot", folder)
    assert "The request at decision 6 was identical, byte for byte." in result.output
    assert "The fault recurred: ran out of time, it had " in result.output


def test_a_fixed_bot_does_not_fault_again(tmp_path: Path) -> None:
    _, replay = play_match(tmp_path, MISDEEDS["crash"])
    result = arena("reproduce", replay, "--bot", make_bot(tmp_path / "mended"))
    assert result.exit_code == 0, result.output
    assert "Decisions as recorded: all 2." in result.output
    assert "The fault did not recur: decision 6 is now " in result.output


def test_the_first_different_answer_is_shown_in_the_games_notation(tmp_path: Path) -> None:
    _, replay = play_match(tmp_path)
    record = read_replay(Path(replay).read_bytes())
    legal = "self.legal_actions(view)"
    other = f"return max({legal}) if self.rng.choice({legal}) < max({legal}) else min({legal})"
    result = arena("reproduce", replay, "--seat", "1", "--bot", make_bot(tmp_path / "other", other))
    assert result.exit_code == 0, result.output
    then = game_named("meow").action_text(record.decisions[6].action)
    (line,) = [line for line in result.output.splitlines() if line.startswith("Decision ")]
    assert re.fullmatch(rf"Decision 6 is now '[PBG]\d+'; it was '{then}'\.", line)
    asked = sum(d.seat == 1 and d.how is How.CHOSEN for d in record.decisions)
    assert f"Decisions as recorded: {asked - 1} of {asked}." in result.output


def test_a_fault_that_is_not_in_the_record_is_reported(tmp_path: Path) -> None:
    _, replay = play_match(tmp_path)
    result = arena(
        "reproduce", replay, "--seat", "1", "--bot", make_bot(tmp_path / "x", MISDEEDS["cheat"])
    )
    assert result.exit_code == 0
    assert "In the record, faulty-1, seat 1, played to the end." in result.output
    assert "It faulted at decision 6, unlike in the record: illegal action, " in result.output


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league in which version 2 of a bot has crashed; version 3 would not crash."""
    folder = tmp_path_factory.mktemp("league")
    db = folder / "arena.db"
    for misdeed in ("pass", MISDEEDS["crash"], "print()"):
        bot = read_manifest(Path(make_bot(folder / "faulty", misdeed)))
        with writing(db) as writer:
            # A submission would be checked, and refused.
            submit_folder(writer, bot, now=NOON)
    words = ("event", "run", "round-robin", "--game", "meow", "--bots", "faulty@2,random")
    options = (
        "--seats",
        "2",
        "--deals",
        "1",
        "--name",
        "cup",
        "--seed",
        "0",
        "--quiet",
        "--jobs",
        "1",
    )
    printed(arena(*words, *options, "--db", str(db)))
    return db


def test_a_match_of_the_league_is_reproduced_with_the_version_that_played_it(db: Path) -> None:
    result = arena("reproduce", "cup/1", "--db", str(db))
    assert result.exit_code == 0, result.output
    assert "In the record, faulty, seat 0, faulted at decision 5: crashed, " in result.output
    assert "Decisions as recorded: all 2." in result.output
    assert "byte for byte" in result.output
    assert "The fault recurred: crashed, " in result.output
    assert "    ValueError: no idea" in result.output


def test_a_replay_file_of_the_league_is_reproduced_with_the_version_that_played_it(
    db: Path, tmp_path: Path
) -> None:
    with reading(db) as store:
        replay = replay_of(store, find_event(store, "cup").id, 1)
    file = tmp_path / "match.replay"
    file.write_bytes(replay or b"")
    result = arena("reproduce", str(file), "--db", str(db))
    assert "The fault recurred: crashed, " in result.output


def test_a_house_bot_can_be_named(db: Path) -> None:
    result = arena("reproduce", "cup/1", "--seat", "1", "--bot", "random", "--db", str(db))
    assert result.exit_code == 0, result.output
    assert re.search(r"\nDecisions as recorded: all \d+\.\n$", result.output)


def test_a_match_that_was_not_played_cannot_be_reproduced(db: Path) -> None:
    result = arena("reproduce", "cup/99", "--db", str(db))
    assert result.exit_code == 2
    assert "event cup has no match 99: its last one is cup/" in result.output


def test_a_damaged_or_false_record_cannot_be_reproduced(tmp_path: Path) -> None:
    folder, replay = play_match(tmp_path)
    record = read_replay(Path(replay).read_bytes())
    untrue = replace(record, seed=bytes(32))
    for data in (b"nonsense", write_replay(untrue)):
        Path(replay).write_bytes(data)
        result = arena("reproduce", replay, "--bot", folder)
        assert result.exit_code == 2
        assert result.output.startswith(f"Error: {replay}: ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["cup"], "'cup' is neither a replay file nor EVENT/NUMBER"),
        (["cup/1", "--seat", "2"], "its seats are 0 to 1"),
        (["cup/1", "--bot", "nobody.py"], "no such file: nobody.py"),
        (["cup/1", "--bot", GREEDY], "does not play meow"),
        (["cup/1", "--pdb", "--cage", "landlock"], "which a caged bot does not have"),
        (["cup/1", "--pdb", "--cage", "none", "--bot", "sleep 1"], "is started with 'sleep 1'"),
    ],
)
def test_a_usage_error_in_reproduce_is_explained(words: list[str], sentence: str, db: Path) -> None:
    result = typed("reproduce", *words, "--db", db)
    assert result.exit_code == 2
    assert sentence in result.output


def test_a_file_that_names_no_version_needs_a_bot(tmp_path: Path) -> None:
    _, replay = play_match(tmp_path)
    result = arena("reproduce", replay)
    assert result.exit_code == 2
    assert "the match does not say which bot random-0 was: name it with --bot" in result.output


PROMPT = "(Pdb) "


def run_on_terminal(words: list[str], answers: list[tuple[str, str]]) -> tuple[str, int]:
    """Run a command on a terminal, and answer its prompts one after another."""
    with arena_at_terminal(ROOT, *words, columns=200) as terminal:
        answered = 0
        for prompt, line in answers:
            terminal.wait_for_output(prompt, after=answered)
            answered = terminal.output.index(prompt.encode(), answered) + len(prompt)
            terminal.press(line)
        code = terminal.wait_for_end()
    return terminal.output.decode().replace("\r", ""), code


def test_the_debugger_stops_before_the_fault_and_where_it_fails(tmp_path: Path) -> None:
    folder, replay = play_match(tmp_path, MISDEEDS["crash"])
    typed = ["p self.match.memory.decisions, view.seat\n", "continue\n", "p self.rng\n", "quit\n"]
    words = ["reproduce", replay, "--bot", folder, "--pdb"]
    printed, code = run_on_terminal(words, [(PROMPT, line) for line in typed])
    before, _, after = printed.partition("ValueError: no idea\n")
    assert "warning: no cage" in before
    assert "-> self.match.memory.decisions += 1" in before
    assert "(2, 1)" in before
    assert "-> raise ValueError('no idea')" in after
    assert "<random.Random object" in after
    assert "The bot ended in the debugger." in after
    assert code == 0


def test_the_match_can_be_finished_from_the_debugger(tmp_path: Path) -> None:
    folder, replay = play_match(tmp_path, MISDEEDS["cheat"])
    words = ["reproduce", replay, "--bot", folder, "--pdb"]
    printed, code = run_on_terminal(words, [(PROMPT, "continue\n")])
    assert "The fault recurred: illegal action, " in printed
    assert code == 0


def test_an_endless_loop_can_be_interrupted_in_the_debugger(tmp_path: Path) -> None:
    folder, replay = play_match(tmp_path, LOOP, "--clock", "cpu:0.5")
    words = ["reproduce", replay, "--bot", folder, "--pdb"]
    answers = [(PROMPT, "continue\n"), ("looping", "\x03"), (PROMPT, "p 6 * 7\n"), (PROMPT, "q\n")]
    printed, code = run_on_terminal(words, answers)
    assert re.search(r"-> (while True:|self\.turns = 1)\n", printed.partition("looping")[2])
    assert "\n42\n" in printed
    assert "The bot ended in the debugger." in printed
    assert code == 0

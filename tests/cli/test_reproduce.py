"""Can what a bot did be seen again: from a file and from the league, mended, in the debugger?"""

from __future__ import annotations

import os
import pty
import re
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Timer

import pytest
from click.testing import Result

from arena.cli.db import reading, writing
from arena.events.league import submit_folder
from arena.games.registry import game_named
from arena.house import house_bots
from arena.manifest import read_manifest
from arena.records import How
from arena.replays.format import read_replay, write_replay
from leaderboard.events import event_named
from leaderboard.matches import replay_of
from tests.cages import cage
from tests.cli.commands import arena as typed
from tests.events.leagues import NOON

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
            {sin}
        return self.rng.choice(self.legal_actions(view))

if __name__ == "__main__":
    run(Faulty)
"""
SINS = {
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
    """Run a command in the cage of all tests."""
    return typed(*words, "--cage", cage().name)


def made(folder: Path, sin: str = "pass", name: str = "faulty") -> str:
    """Make a bot that does something in its third decision."""
    folder.mkdir(exist_ok=True)
    (folder / "bot.py").write_text(PROGRAM.format(sin=sin), encoding="utf-8")
    manifest = f'name = "{name}"\ngames = ["meow", "trio"]\ncommand = ["python", "bot.py"]\n'
    (folder / "bot.toml").write_text(manifest, encoding="utf-8")
    return str(folder)


def played(tmp_path: Path, sin: str = "pass", *words: str) -> tuple[str, str]:
    """Let a bot that does something play in seat 1; return its folder and the replay."""
    folder = made(tmp_path / "faulty", sin)
    replay = str(tmp_path / "match.replay")
    options = ("--seed", "3", "--save", replay, *words)
    result = arena("play", "meow", "random", folder, *options)
    assert result.exit_code == 0, result.output
    return folder, replay


@pytest.mark.parametrize("sin", ["crash", "cheat", "hang up"])
def test_a_fault_comes_again_at_the_same_request(sin: str, tmp_path: Path) -> None:
    folder, replay = played(tmp_path, SINS[sin])
    (fault,) = read_replay(Path(replay).read_bytes()).faults
    result = arena("reproduce", replay, "--bot", folder)
    assert result.exit_code == 0, result.output
    assert f"faulted at decision 6: {fault.ending.value}, {fault.sentence}." in result.output
    assert "Answers as recorded: all 2." in result.output
    assert "The request at decision 6 was the same, byte for byte." in result.output
    assert f"The fault came again: {fault.ending.value}, {fault.sentence}." in result.output
    assert ("    ValueError: no idea" in result.output) == (sin == "crash")


@pytest.mark.parametrize("clock", ["2", "cpu:2"])
def test_a_bot_that_was_late_is_late_again_by_the_same_clock(clock: str, tmp_path: Path) -> None:
    sin = "while True: pass" if "cpu" in clock else SINS["sleep"]
    folder, replay = played(tmp_path, sin, "--clock", clock)
    result = arena("reproduce", replay, "--bot", folder)
    assert "The request at decision 6 was the same, byte for byte." in result.output
    assert "The fault came again: overran its clock, it had " in result.output


def test_a_bot_that_was_mended_does_not_fault_again(tmp_path: Path) -> None:
    _, replay = played(tmp_path, SINS["crash"])
    result = arena("reproduce", replay, "--bot", made(tmp_path / "mended"))
    assert result.exit_code == 0, result.output
    assert "Answers as recorded: all 2." in result.output
    assert "The fault did not come again: decision 6 is now " in result.output


def test_the_first_answer_that_differs_is_shown_in_the_words_of_the_game(tmp_path: Path) -> None:
    _, replay = played(tmp_path)
    record = read_replay(Path(replay).read_bytes())
    legal = "self.legal_actions(view)"
    other = f"return max({legal}) if self.rng.choice({legal}) < max({legal}) else min({legal})"
    result = arena("reproduce", replay, "--seat", "1", "--bot", made(tmp_path / "other", other))
    assert result.exit_code == 0, result.output
    then = game_named("meow").action_text(record.decisions[6].action)
    (line,) = [line for line in result.output.splitlines() if line.startswith("Decision ")]
    assert re.fullmatch(rf"Decision 6 is now '[PBG]\d+'; it was '{then}'\.", line)
    asked = sum(d.seat == 1 and d.how is How.CHOSEN for d in record.decisions)
    assert f"Answers as recorded: {asked - 1} of {asked}." in result.output


def test_a_fault_where_there_was_none_is_said(tmp_path: Path) -> None:
    _, replay = played(tmp_path)
    result = arena("reproduce", replay, "--seat", "1", "--bot", made(tmp_path / "x", SINS["cheat"]))
    assert result.exit_code == 0
    assert "In the record faulty-1, seat 1, played to the end." in result.output
    assert "It faulted at decision 6, where it had not: illegal action, " in result.output


def test_a_whole_match_is_asked_again_and_the_other_seats_may_have_faulted(tmp_path: Path) -> None:
    folder = made(tmp_path / "faulty", SINS["crash"])
    honest = made(tmp_path / "honest")
    replay = str(tmp_path / "match.replay")
    arena("play", "trio", honest, folder, "random", "--seed", "5", "--save", replay)
    assert read_replay(Path(replay).read_bytes()).faults[0].seat == 1
    result = arena("reproduce", replay, "--seat", "0", "--bot", honest)
    assert result.exit_code == 0, result.output
    assert "In the record faulty-0, seat 0, played to the end.\n" in result.output
    assert re.search(r"\nAnswers as recorded: all \d+\.\n$", result.output)


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a league in which the second version of a bot has crashed, and its third would not."""
    folder = tmp_path_factory.mktemp("league")
    db = folder / "arena.db"
    for sin in ("pass", SINS["crash"], "print()"):
        bot = read_manifest(Path(made(folder / "faulty", sin)))
        with writing(db) as writer:
            # A submission would be checked, and refused.
            submit_folder(writer, bot, now=NOON)
    words = ("event", "run", "round-robin", "--game", "meow", "--bots", "faulty@2,random")
    options = ("--seats", "2", "--deals", "1", "--name", "cup", "--seed", "0", "--quiet")
    result = arena(*words, *options, "--db", str(db))
    assert result.exit_code == 0, result.output
    return db


def test_a_match_of_the_league_is_played_by_the_version_of_then(db: Path) -> None:
    result = arena("reproduce", "cup/1", "--db", str(db))
    assert result.exit_code == 0, result.output
    assert "In the record faulty, seat 0, faulted at decision 5: crashed, " in result.output
    assert "Answers as recorded: all 2." in result.output
    assert "byte for byte" in result.output
    assert "The fault came again: crashed, " in result.output
    assert "    ValueError: no idea" in result.output


def test_so_is_its_replay_in_a_file(db: Path, tmp_path: Path) -> None:
    with reading(db) as store:
        replay = replay_of(store, event_named(store, "cup").id, 1)
    file = tmp_path / "match.replay"
    file.write_bytes(replay or b"")
    result = arena("reproduce", str(file), "--db", str(db))
    assert "The fault came again: crashed, " in result.output


def test_a_house_bot_is_meant_by_its_name(db: Path) -> None:
    result = arena("reproduce", "cup/1", "--seat", "1", "--bot", "random", "--db", str(db))
    assert result.exit_code == 0, result.output
    assert re.search(r"\nAnswers as recorded: all \d+\.\n$", result.output)


def test_what_was_not_played_cannot_be_played_again(db: Path) -> None:
    result = arena("reproduce", "cup/99", "--db", str(db))
    assert result.exit_code == 1
    assert "cup has not played a match 99" in result.output


def test_a_record_that_is_damaged_or_untrue_cannot_be_played_again(tmp_path: Path) -> None:
    folder, replay = played(tmp_path)
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
        (["cap/1"], "did you mean cup?"),
        (["cup/1", "--seat", "2"], "its seats are 0 to 1"),
        (["cup/1", "--bot", "nobody.py"], "there is no bot 'nobody.py'"),
        (["cup/1", "--bot", GREEDY], "does not play meow"),
        (["cup/1", "--pdb", "--cage", "landlock"], "which no cage has"),
        (["cup/1", "--pdb", "--cage", "none", "--bot", "sleep 1"], "is started with 'sleep 1'"),
    ],
)
def test_a_mistake_is_met_with_a_sentence(words: list[str], sentence: str, db: Path) -> None:
    result = typed("reproduce", *words, "--db", db)
    assert result.exit_code == 2
    assert sentence in result.output


def test_a_file_that_names_no_version_needs_a_bot(tmp_path: Path) -> None:
    _, replay = played(tmp_path)
    result = arena("reproduce", replay)
    assert result.exit_code == 2
    assert "the match does not say which bot random-0 was: name it with --bot" in result.output


PROMPT = "(Pdb) "
PATIENCE_S = 120.0
"""A debugger that was not heard of for so long is not heard of any more."""


def typed_to(words: list[str], answers: list[tuple[str, str]]) -> tuple[str, int]:
    """Run a command on a terminal, and answer what it says, one after the other."""
    pid, terminal = pty.fork()
    if not pid:
        os.execv(sys.executable, [sys.executable, "-m", "arena", *words])
    printed = ""
    unanswered = 0
    patience = Timer(PATIENCE_S, os.kill, (pid, signal.SIGKILL))
    patience.start()
    # At its end a terminal fails to be read.
    with suppress(OSError), os.fdopen(terminal, "r+b", buffering=0) as stream:
        while data := stream.read(4096):
            printed += data.decode(errors="replace")
            at = printed.find(answers[0][0], unanswered) if answers else -1
            if at >= 0:
                said, typed = answers.pop(0)
                unanswered = at + len(said)
                stream.write(typed.encode())
    patience.cancel()
    _, status = os.waitpid(pid, 0)
    return printed.replace("\r", ""), os.waitstatus_to_exitcode(status)


def test_the_debugger_stops_before_the_fault_and_where_it_fails(tmp_path: Path) -> None:
    folder, replay = played(tmp_path, SINS["crash"])
    typed = ["p self.match.memory.decisions, view.seat\n", "continue\n", "p self.rng\n", "quit\n"]
    words = ["reproduce", replay, "--bot", folder, "--pdb"]
    printed, code = typed_to(words, [(PROMPT, line) for line in typed])
    before, _, after = printed.partition("ValueError: no idea\n")
    assert "warning: no cage" in before
    assert "-> self.match.memory.decisions += 1" in before
    assert "(2, 1)" in before
    assert "-> raise ValueError('no idea')" in after
    assert "<random.Random object" in after
    assert "The bot has ended in the debugger." in after
    assert code == 0


def test_from_the_debugger_the_match_can_be_finished(tmp_path: Path) -> None:
    folder, replay = played(tmp_path, SINS["cheat"])
    words = ["reproduce", replay, "--bot", folder, "--pdb"]
    printed, code = typed_to(words, [(PROMPT, "continue\n")])
    assert "The fault came again: illegal action, " in printed
    assert code == 0


def test_a_loop_without_end_is_interrupted_in_the_debugger(tmp_path: Path) -> None:
    folder, replay = played(tmp_path, LOOP, "--clock", "2")
    words = ["reproduce", replay, "--bot", folder, "--pdb"]
    answers = [(PROMPT, "continue\n"), ("looping", "\x03"), (PROMPT, "p 6 * 7\n"), (PROMPT, "q\n")]
    printed, code = typed_to(words, answers)
    assert "-> self.turns = 1" in printed.partition("looping")[2]
    assert "\n42\n" in printed
    assert "The bot has ended in the debugger." in printed
    assert code == 0

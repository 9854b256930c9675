"""A check passes good bots, and reports where and why others fail."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.checks.matches import BOT, make_fixture, settings_to_try
from arena.checks.run import check_bot
from arena.checks.steps import LINES, Step, StepStatus, last_lines
from arena.errors import BadInput
from arena.games.conformance import settings_of
from arena.games.randomness import seed_from
from arena.games.registry import all_games, game_named
from arena.referee.clock import Clock
from tests.builders.bots import HONEST, ROGUE
from tests.builders.matches import child_processes
from tests.cages import launcher

OK, WARNING, FAILED, SKIPPED = StepStatus
CLOCK = Clock(20.0, 1.0)
TABLES = 12
OPENING = ["manifest", "start", "Hello", "protocol and games"]
CLOSING = ["thinking time", "memory", "repeated match", f"{TABLES} tables at once"]
MEOW = [str(setting) for setting in settings_to_try(game_named("meow"))]
FIRST = "self.legal_actions(view)[0]"


def passed(steps: Iterable[Step]) -> bool:
    """Return whether no step failed."""
    return all(step.status is not StepStatus.FAILED for step in steps)


@pytest.fixture(autouse=True)
def _nothing_is_left_behind() -> Iterator[None]:
    before = child_processes()
    yield
    assert child_processes() <= before, "a process was left behind"


def write_program(folder: Path, choose: str, *, rest: str = "", games: str = '("meow",)') -> str:
    """Write a bot whose method `choose` has this body; return its path."""
    path = folder / "bot.py"
    path.write_text(
        "from arena.sdk import Bot, run\n"
        "class Mine(Bot):\n"
        f"    games = {games}\n"
        "    def choose(self, view):\n"
        f"        {choose}\n"
        f"    {rest}\n"
        "run(Mine)\n"
    )
    return str(path)


def rogue(misdeed: str) -> str:
    """Return the command line of a rogue."""
    return shlex.join(["python", str(ROGUE), misdeed])


def run_check(
    word: str, *, clock: Clock = CLOCK, start_limit_s: float = 20.0, games: tuple[str, ...] = ()
) -> list[Step]:
    """Check a bot."""
    return check_bot(
        word,
        seed_from(0),
        launcher=launcher,
        games=games,
        clock=clock,
        start_limit_s=start_limit_s,
        tables=TABLES,
    )


def only_failure(steps: list[Step]) -> Step:
    """Return the only step that failed."""
    assert not passed(steps)
    (step,) = [step for step in steps if step.status is FAILED]
    return step


def test_an_honest_bot_passes_every_step() -> None:
    steps = run_check(str(HONEST), games=("meow", "jackal"))
    assert [step.status for step in steps] == [OK] * len(steps)
    jackal = [str(setting) for setting in settings_to_try(game_named("jackal"))]
    assert [step.title for step in steps] == OPENING + jackal + MEOW + CLOSING
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert (
        steps[-1].sentence
        == "no faults; 12 of these matches repeated alone, with the same decisions"
    )
    assert all(step.printed == () for step in steps)
    figures = {name: value for step in steps for name, value in step.figures.items()}
    assert 0 < figures["median_ms"] <= figures["worst_ms"] < 20_000
    assert 0 < figures["clock_share"] < 1
    assert 1 << 20 < figures["memory_bytes"] < 1 << 30
    assert 0 < figures["hello_s"] < 20


def test_a_bot_that_prints_a_lot_passes(tmp_path: Path) -> None:
    chatter = "import sys; print('x' * 2_000); print('y\\0' * 900, file=sys.stderr)"
    steps = run_check(write_program(tmp_path, f"{chatter}; return {FIRST}"))
    assert [step.status for step in steps] == [OK] * len(steps)


def test_a_bot_with_its_own_random_numbers_gets_a_warning_and_passes(tmp_path: Path) -> None:
    choose = "import random; return random.choice(self.legal_actions(view))"
    steps = run_check(write_program(tmp_path, choose))
    assert passed(steps)
    (warning,) = [step for step in steps if step.status is WARNING]
    assert warning.title == "repeated match"
    assert warning.sentence.startswith("not deterministic: decision ")
    assert steps[-1].sentence == "no faults; not compared with single tables"


FAULTS_IN_A_MATCH = {
    "an exception": (
        "return view.hand[99]",
        "IndexError: tuple index out of range (it ended with exit code 1 instead of answering)",
        "IndexError: tuple index out of range",
    ),
    "an illegal action": (
        "print('G18!'); return 53",
        "it chose an illegal action: seat 0 may not play G18: the card is not in its hand",
        "G18!",
    ),
}


@pytest.mark.parametrize("misdeed", FAULTS_IN_A_MATCH)
def test_a_fault_during_a_match_is_explained(misdeed: str, tmp_path: Path) -> None:
    choose, sentence, printed = FAULTS_IN_A_MATCH[misdeed]
    steps = run_check(write_program(tmp_path, choose))
    failure = only_failure(steps)
    assert (failure.title, failure.sentence) == (MEOW[0], sentence)
    assert failure.printed[-1] == printed
    if misdeed == "an exception":
        # Without the lines of the SDK.
        assert failure.printed[0] == "Traceback (most recent call last):"
        assert re.fullmatch(r'  File ".*/bot\.py", line 5, in choose', failure.printed[1])
    assert [step.title for step in steps] == OPENING + MEOW + CLOSING
    skipped = [step for step in steps if step.sentence == "because step 5 failed"]
    assert [step.title for step in skipped] == MEOW[1:] + CLOSING[2:]
    assert all(step.status is SKIPPED for step in skipped)


def test_the_failure_of_a_slow_bot_names_the_time_left(tmp_path: Path) -> None:
    word = write_program(tmp_path, f"import time; time.sleep(0.2); return {FIRST}")
    failure = only_failure(run_check(word, clock=Clock(0.3)))
    assert failure.title == MEOW[0]
    assert failure.sentence.startswith("it was too slow: it had 0.")


FAILED_STARTS = {
    "syntax error": (
        "class Mine(:",
        1,
        "SyntaxError: invalid syntax (it ended with exit code 1 before it sent Hello)",
    ),
    "never run": (
        "import arena.sdk",
        1,
        "it ended with exit code 0 before it sent Hello: does the program end with run(YourBot)?",
    ),
    "silence": ("import time; time.sleep(3600)", 2, "it sent no Hello within 0.5 s"),
}


@pytest.mark.parametrize("misdeed", FAILED_STARTS)
def test_a_failed_start_is_explained(misdeed: str, tmp_path: Path) -> None:
    code, at, sentence = FAILED_STARTS[misdeed]
    (tmp_path / "bot.py").write_text(f"print('hm')\n{code}\n")
    limit_s = 0.5 if misdeed == "silence" else 20.0
    steps = run_check(str(tmp_path / "bot.py"), start_limit_s=limit_s)
    failure = only_failure(steps)
    assert (failure.title, failure.sentence) == (OPENING[at], sentence)
    if misdeed == "syntax error":
        assert "SyntaxError: invalid syntax" in failure.printed[-1]
    if misdeed == "never run":
        assert failure.printed == ("hm",)
    assert [step.title for step in steps] == [*OPENING, "matches", *CLOSING]
    assert all(step.status is SKIPPED for step in steps[at + 1 :])


@pytest.mark.parametrize(
    ("misdeed", "title", "sentence"),
    [
        ("wrong version", OPENING[3], "it uses protocol 2; this referee uses 1"),
        ("no hello but an answer", OPENING[2], "its first message is not Hello"),
    ],
)
def test_a_wrong_first_message_is_explained(misdeed: str, title: str, sentence: str) -> None:
    failure = only_failure(run_check(rogue(misdeed)))
    assert (failure.title, failure.sentence) == (title, sentence)


def test_a_bot_in_another_language_is_checked_by_its_command_line() -> None:
    steps = run_check(rogue("none of them"))
    assert [step.title for step in steps] == OPENING + MEOW + CLOSING
    assert steps[0].sentence == "python has no bot.toml; it is checked without one"


def test_a_bot_that_confuses_its_matches_fails_at_many_tables(tmp_path: Path) -> None:
    choose = "self.asked += 1; return (self.legal_actions(view) * 9)[self.asked % 9]"
    word = write_program(tmp_path, choose, rest="def match_started(self): self.asked = 0")
    failure = only_failure(run_check(word))
    assert failure.title == CLOSING[-1]
    assert "it confuses its matches, unless it decides by the clock" in failure.sentence
    assert failure.sentence.endswith("one match in self.match.memory, not in self")


def test_the_same_bot_passes_with_its_counter_in_the_memory_of_the_match(tmp_path: Path) -> None:
    choose = "m = self.match.memory; m.asked += 1; "
    choose += "return (self.legal_actions(view) * 9)[m.asked % 9]"
    rest = "def match_started(self): self.match.memory.asked = 0"
    assert passed(run_check(write_program(tmp_path, choose, rest=rest)))


def test_a_bot_that_also_differs_alone_gets_a_warning_at_many_tables(tmp_path: Path) -> None:
    # It is deterministic in the match that is repeated first, which has more seats.
    choose = (
        "import random; legal = self.legal_actions(view); "
        "return random.choice(legal) if view.seats == 2 else legal[0]"
    )
    steps = run_check(write_program(tmp_path, choose))
    assert passed(steps)
    (warning,) = [step for step in steps if step.status is WARNING]
    assert warning.title == CLOSING[-1]
    assert warning.sentence.startswith("no faults; not deterministic: decision ")


def test_a_bot_that_can_play_only_one_table_fails_at_many(tmp_path: Path) -> None:
    rest = "def choose_many(self, views): (view,) = views; return [self.legal_actions(view)[0]]"
    failure = only_failure(run_check(write_program(tmp_path, "pass", rest=rest)))
    assert failure.title == CLOSING[-1]
    assert failure.sentence.startswith("ValueError: too many values to unpack")
    assert " (it ended with exit code 1 instead of answering); this did not" in failure.sentence
    assert failure.sentence.endswith("one match in self.match.memory, not in self")
    assert failure.printed[-1].startswith("ValueError: too many values to unpack")


def test_the_time_for_a_slow_bot_at_many_tables_is_limited(tmp_path: Path) -> None:
    word = write_program(tmp_path, f"import time; time.sleep(0.001); return {FIRST}")
    steps = check_bot(
        word, seed_from(0), launcher=launcher, clock=CLOCK, tables=TABLES, patience_s=0.01
    )
    assert passed(steps)
    assert steps[-1].sentence == (
        "no faults in 0.01 s, 0 matches finished; not compared with single tables"
    )


def write_manifest(folder: Path, **keys: object) -> str:
    """Write a bot.toml into a folder; return the folder as a command takes it."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
    (folder / "bot.toml").write_text("\n".join(lines) + "\n")
    return str(folder)


@pytest.mark.parametrize(
    ("in_hello", "in_manifest", "asked_for", "verdict", "sentence"),
    [
        (["chess"], ["meow"], (), FAILED, "its Hello lists 'chess'; the games are trio, "),
        ([], ["meow"], (), FAILED, "its Hello lists no games; the games are trio, jackal, "),
        (["trio"], ["meow"], (), FAILED, "bot.toml lists meow, but its Hello lists 'trio'"),
        (["meow"], ["meow"], ("trio",), FAILED, "you asked for trio, but its Hello lists 'meow'"),
        (["meow"], ["meow", "trio"], ("meow",), OK, "protocol 1, meow"),
    ],
)
def test_the_games_in_hello_are_checked_against_the_manifest(
    in_hello: list[str],
    in_manifest: list[str],
    asked_for: tuple[str, ...],
    verdict: StepStatus,
    sentence: str,
    tmp_path: Path,
) -> None:
    write_program(tmp_path, "raise SystemExit", games=repr(in_hello))
    word = write_manifest(tmp_path, name="mine", games=in_manifest, command=["python", "bot.py"])
    step = run_check(word, games=asked_for)[3]
    assert step.status is verdict
    assert step.sentence.startswith(sentence)


@pytest.mark.parametrize(
    ("in_hello", "in_manifest", "oddity"),
    [
        (["meow"], ["meow", "trio"], "bot.toml also lists trio, but its Hello does not"),
        (["meow", "go"], ["meow"], "its Hello also lists 'go': no such game"),
    ],
)
def test_a_harmless_difference_in_games_gives_a_warning(
    in_hello: list[str], in_manifest: list[str], oddity: str, tmp_path: Path
) -> None:
    write_program(tmp_path, "raise SystemExit", games=repr(in_hello))
    word = write_manifest(tmp_path, name="mine", games=in_manifest, command=["python", "bot.py"])
    step = run_check(word)[3]
    assert (step.status, step.sentence) == (WARNING, f"protocol 1, meow; {oddity}")


def test_a_program_that_the_system_cannot_run_is_a_failed_start(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("not a program")
    (tmp_path / "bot").chmod(0o755)
    word = write_manifest(tmp_path, name="mine", games=["meow"], command=["bot"])
    failure = only_failure(run_check(word))
    assert failure.title == "start"
    # A cage starts first, and fails inside.
    assert re.search("the system cannot start it: |it ended with exit code 127", failure.sentence)


def test_a_mistake_in_the_manifest_fails_the_first_step(tmp_path: Path) -> None:
    word = write_manifest(tmp_path, name="mine", games=["chess"], command=["python", "bot.py"])
    failure = only_failure(run_check(word))
    assert failure.number == 1
    assert "line 2: 'games' contains 'chess'" in failure.sentence


@pytest.mark.parametrize(("word", "games"), [("nobody.py", ()), ("nobody", ()), ("x", ("chess",))])
def test_an_unknown_bot_or_game_is_a_usage_error(word: str, games: tuple[str, ...]) -> None:
    with pytest.raises(BadInput, match=r"no such bot|no such file|no such game: 'chess'"):
        run_check(word, games=games)


def test_every_player_count_and_every_variant_is_tried() -> None:
    for game in all_games():
        tried = settings_to_try(game)
        assert {setting.variant for setting in tried} == set(game.variants)
        assert {setting.seats for setting in tried} >= set(game.seats_for(game.default_parameters))
        assert set(map(str, tried)) <= set(map(str, settings_of(game)))


@given(st.integers(0, 1000))
def test_the_bot_takes_every_seat_in_turn(number: int) -> None:
    setting = settings_to_try(game_named("meow"))[3]
    seats = range(number, number + setting.seats)
    assert {make_fixture(setting, n, seed_from(0)).seating.index(BOT) for n in seats} == set(
        range(setting.seats)
    )
    assert sorted(make_fixture(setting, number, seed_from(0)).seating) == list(range(setting.seats))


@given(st.binary(max_size=3000) | st.text(max_size=3000).map(str.encode))
def test_whatever_a_bot_prints_is_harmless_to_show(printed: bytes) -> None:
    lines = last_lines(printed)
    assert len(lines) <= LINES
    assert all(line.isprintable() and len(line) <= 201 for line in lines)

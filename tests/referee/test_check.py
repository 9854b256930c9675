"""Does a check pass good bots, and does it tell the others where and why they fail?"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.games.conformance import settings_of
from arena.games.randomness import seed_from
from arena.games.registry import all_games, game_named
from arena.referee.checking.check import check
from arena.referee.checking.matches import BOT, fixture, settings_to_try
from arena.referee.checking.steps import LINES, Step, Verdict, last_lines, passed
from arena.referee.clock import Clock
from tests.cages import launcher
from tests.referee.matches import ROGUES, children

OK, WARNING, FAILED, LEFT_OUT = Verdict
CLOCK = Clock(20.0, 1.0)
TABLES = 12
OPENING = ["its manifest", "it starts", "it says hello", "its protocol and games"]
CLOSING = ["thinking time", "memory", "the same match again", f"{TABLES} tables at once"]
MEOW = [str(setting) for setting in settings_to_try(game_named("meow"))]
FIRST = "self.legal_actions(view)[0]"


@pytest.fixture(autouse=True)
def _nothing_is_left_behind() -> Iterator[None]:
    before = children()
    yield
    assert children() == before, "a process was left behind"


def program(folder: Path, choose: str, *, rest: str = "", games: str = '("meow",)') -> str:
    """Write a bot that chooses like this."""
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


def rogue(sin: str) -> str:
    """Return the command line of the bot that sins like this."""
    return shlex.join(["python", str(ROGUES / "rogue.py"), sin])


def checked(
    word: str, *, clock: Clock = CLOCK, start_limit_s: float = 20.0, games: tuple[str, ...] = ()
) -> list[Step]:
    """Check a bot."""
    return check(
        word,
        seed_from(0),
        launcher=launcher,
        games=games,
        clock=clock,
        start_limit_s=start_limit_s,
        tables=TABLES,
    )


def the_failure(steps: list[Step]) -> Step:
    """Return the only step that failed."""
    assert not passed(steps)
    (step,) = [step for step in steps if step.verdict is FAILED]
    return step


def test_an_honest_bot_passes_every_step() -> None:
    steps = checked(str(ROGUES / "honest.py"), games=("meow", "jackal"))
    assert [step.verdict for step in steps] == [OK] * len(steps)
    jackal = [str(setting) for setting in settings_to_try(game_named("jackal"))]
    assert [step.title for step in steps] == OPENING + jackal + MEOW + CLOSING
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert steps[-1].sentence == "no fault; 12 of the matches played alone went the same"
    assert all(step.printed == () for step in steps)
    figures = {name: value for step in steps for name, value in step.figures.items()}
    assert 0 < figures["median_ms"] <= figures["worst_ms"] < 20_000
    assert 0 < figures["clock_share"] < 1
    assert 1 << 20 < figures["memory_bytes"] < 1 << 30
    assert 0 < figures["hello_s"] < 20


def test_a_bot_that_prints_ever_so_much_passes(tmp_path: Path) -> None:
    chatter = "import sys; print('x' * 20_000); print('y\\0' * 9_000, file=sys.stderr)"
    steps = checked(program(tmp_path, f"{chatter}; return {FIRST}"))
    assert [step.verdict for step in steps] == [OK] * len(steps)


def test_a_bot_that_draws_its_own_lots_is_warned_and_passes(tmp_path: Path) -> None:
    choose = "import random; return random.choice(self.legal_actions(view))"
    steps = checked(program(tmp_path, choose))
    assert passed(steps)
    (warning,) = [step for step in steps if step.verdict is WARNING]
    assert warning.title == "the same match again"
    assert warning.sentence.startswith("not deterministic: decision ")
    assert steps[-1].sentence == "no fault; not compared with one at a time"


AT_THE_TABLE = {
    "an exception": (
        "return view.hand[99]",
        "it ended with exit code 1 instead of answering",
        "IndexError: tuple index out of range",
    ),
    "nothing chosen": (
        "pass",
        "it ended with exit code 1 instead of answering",
        "Mine chose None: an action is one of legal_actions(view)",
    ),
    "a negative action": (
        "return -1",
        "it ended with exit code 1 instead of answering",
        "Mine chose -1: an action is one of legal_actions(view)",
    ),
    "an illegal action": (
        "print('G18!'); return 53",
        "it chose an illegal action: seat 0 may not play G18: the card is not in its hand",
        "G18!",
    ),
    "no such action": (
        "print('mine!'); return 2**31",
        "it chose an illegal action: seat 0 may not play 2147483648: there is no such card",
        "mine!",
    ),
    "an exit": (
        "import sys; sys.exit('enough')",
        "it ended with exit code 1 instead of answering",
        "enough",
    ),
}


@pytest.mark.parametrize("sin", AT_THE_TABLE)
def test_a_bot_that_errs_at_the_table_is_told_how(sin: str, tmp_path: Path) -> None:
    choose, sentence, printed = AT_THE_TABLE[sin]
    steps = checked(program(tmp_path, choose))
    failure = the_failure(steps)
    assert (failure.title, failure.sentence) == (MEOW[0], sentence)
    assert failure.printed[-1] == printed
    assert [step.title for step in steps] == OPENING + MEOW + CLOSING
    left_out = [step for step in steps if step.sentence == "because step 5 failed"]
    assert [step.title for step in left_out] == MEOW[1:] + CLOSING[2:]
    assert all(step.verdict is LEFT_OUT for step in left_out)


def test_a_traceback_begins_with_the_author_s_own_line(tmp_path: Path) -> None:
    word = program(tmp_path, "return view.hand[99]")
    printed = the_failure(checked(word)).printed
    assert printed[0] == "Traceback (most recent call last):"
    assert re.fullmatch(r'  File ".*/bot\.py", line 5, in choose', printed[1])


def test_a_slow_bot_is_told_what_its_clock_showed(tmp_path: Path) -> None:
    word = program(tmp_path, f"import time; time.sleep(0.2); return {FIRST}")
    failure = the_failure(checked(word, clock=Clock(0.3)))
    assert failure.title == MEOW[0]
    assert failure.sentence.startswith("it was too slow: it had 0.")


BEFORE = {
    "syntax error": ("class Mine(:", 1, "it ended with exit code 1 before it said hello"),
    "nobody runs it": (
        "import arena.sdk",
        1,
        "it ended with exit code 0 before it said hello: does its program end with run(YourBot)?",
    ),
    "silence": ("import time; time.sleep(3600)", 2, "it did not say hello within 0.5 s"),
}


@pytest.mark.parametrize("sin", BEFORE)
def test_a_bot_that_does_not_begin_is_told_why(sin: str, tmp_path: Path) -> None:
    code, at, sentence = BEFORE[sin]
    (tmp_path / "bot.py").write_text(f"print('hm')\n{code}\n")
    limit_s = 0.5 if sin == "silence" else 20.0
    steps = checked(str(tmp_path / "bot.py"), start_limit_s=limit_s)
    failure = the_failure(steps)
    assert (failure.title, failure.sentence) == (OPENING[at], sentence)
    if sin == "syntax error":
        assert "SyntaxError: invalid syntax" in failure.printed[-1]
    if sin == "nobody runs it":
        assert failure.printed == ("hm",)
    assert [step.title for step in steps] == [*OPENING, "its matches", *CLOSING]
    assert all(step.verdict is LEFT_OUT for step in steps[at + 1 :])


@pytest.mark.parametrize(
    ("sin", "title", "sentence"),
    [
        ("wrong version", OPENING[3], "it speaks protocol 2; this referee speaks 1"),
        ("no hello but an answer", OPENING[2], "its first message is not a hello"),
    ],
)
def test_a_bot_that_begins_wrong_is_told_so(sin: str, title: str, sentence: str) -> None:
    failure = the_failure(checked(rogue(sin)))
    assert (failure.title, failure.sentence) == (title, sentence)


def test_a_bot_in_another_language_is_checked_by_its_command_line() -> None:
    steps = checked(rogue("none of them"))
    assert [step.title for step in steps] == OPENING + MEOW + CLOSING
    assert steps[0].sentence == "python has no bot.toml and is tried as it is"


def test_a_bot_that_mixes_up_its_matches_fails_at_many_tables(tmp_path: Path) -> None:
    choose = "self.asked += 1; return (self.legal_actions(view) * 9)[self.asked % 9]"
    word = program(tmp_path, choose, rest="def match_started(self): self.asked = 0")
    failure = the_failure(checked(word))
    assert failure.title == CLOSING[-1]
    assert failure.sentence.endswith("it mixes up its matches, unless it decides by the clock")


def test_a_bot_that_can_play_one_table_only_fails_at_many(tmp_path: Path) -> None:
    rest = "def choose_many(self, views): (view,) = views; return [self.legal_actions(view)[0]]"
    failure = the_failure(checked(program(tmp_path, "pass", rest=rest)))
    assert failure.title == CLOSING[-1]
    assert failure.sentence == "it ended with exit code 1 instead of answering"
    assert failure.printed[-1].startswith("ValueError: too many values to unpack")


def test_nobody_waits_for_a_slow_bot_at_many_tables(tmp_path: Path) -> None:
    word = program(tmp_path, f"import time; time.sleep(0.001); return {FIRST}")
    steps = check(
        word, seed_from(0), launcher=launcher, clock=CLOCK, tables=TABLES, patience_s=0.01
    )
    assert passed(steps)
    assert steps[-1].sentence == (
        "no fault in 0.01 s, and 0 matches played to the end; not compared with one at a time"
    )


def folder_with(folder: Path, **keys: object) -> str:
    """Write a bot.toml beside the program."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
    (folder / "bot.toml").write_text("\n".join(lines) + "\n")
    return str(folder)


@pytest.mark.parametrize(
    ("said", "promised", "wanted", "verdict", "sentence"),
    [
        (["chess"], ["meow"], (), FAILED, "its hello names 'chess': the games are trio, "),
        ([], ["meow"], (), FAILED, "its hello names no game: the games are trio, jackal, "),
        (["trio"], ["meow"], (), FAILED, "bot.toml promises meow, and its hello names 'trio'"),
        (["meow"], ["meow"], ("trio",), FAILED, "you asked for trio, and its hello names 'meow'"),
        (["meow"], ["meow", "trio"], ("meow",), OK, "protocol 1, meow"),
    ],
)
def test_its_games_are_those_of_its_hello_and_its_manifest(
    said: list[str],
    promised: list[str],
    wanted: tuple[str, ...],
    verdict: Verdict,
    sentence: str,
    tmp_path: Path,
) -> None:
    program(tmp_path, "raise SystemExit", games=repr(said))
    word = folder_with(tmp_path, name="mine", games=promised, command=["python", "bot.py"])
    step = checked(word, games=wanted)[3]
    assert step.verdict is verdict
    assert step.sentence.startswith(sentence)


@pytest.mark.parametrize(
    ("said", "promised", "oddity"),
    [
        (["meow"], ["meow", "trio"], "bot.toml promises trio as well, its hello does not"),
        (["meow", "go"], ["meow"], "its hello names 'go', which is no game here"),
    ],
)
def test_games_that_do_not_fit_together_are_warned_of(
    said: list[str], promised: list[str], oddity: str, tmp_path: Path
) -> None:
    program(tmp_path, "raise SystemExit", games=repr(said))
    word = folder_with(tmp_path, name="mine", games=promised, command=["python", "bot.py"])
    step = checked(word)[3]
    assert (step.verdict, step.sentence) == (WARNING, f"protocol 1, meow; {oddity}")


def test_a_program_that_the_system_refuses_is_a_failed_start(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("not a program")
    (tmp_path / "bot").chmod(0o755)
    word = folder_with(tmp_path, name="mine", games=["meow"], command=["bot"])
    failure = the_failure(checked(word))
    assert failure.title == "it starts"
    # A cage is started all right, and finds it out inside.
    assert re.match("the system cannot start it: |it ended with exit code 127", failure.sentence)


def test_a_mistake_in_the_manifest_fails_the_first_step(tmp_path: Path) -> None:
    word = folder_with(tmp_path, name="mine", games=["chess"], command=["python", "bot.py"])
    failure = the_failure(checked(word))
    assert failure.number == 1
    assert "line 2: 'games' names 'chess'" in failure.sentence


@pytest.mark.parametrize(("word", "games"), [("nobody.py", ()), ("nobody", ()), ("x", ("chess",))])
def test_a_check_of_nothing_is_asked_wrong(word: str, games: tuple[str, ...]) -> None:
    with pytest.raises(BadInput, match=r"there is no bot|no game is called 'chess'"):
        checked(word, games=games)


def test_every_player_count_and_every_variant_is_tried() -> None:
    for game in all_games():
        tried = settings_to_try(game)
        assert {setting.variant for setting in tried} == set(game.variants)
        assert {setting.seats for setting in tried} >= set(game.seats_for(game.default_parameters))
        assert set(map(str, tried)) <= set(map(str, settings_of(game)))


@given(st.integers(0, 1000))
def test_the_bot_has_every_seat_in_turn(number: int) -> None:
    setting = settings_to_try(game_named("meow"))[3]
    seats = range(number, number + setting.seats)
    assert {fixture(setting, n, seed_from(0)).seating.index(BOT) for n in seats} == set(
        range(setting.seats)
    )
    assert sorted(fixture(setting, number, seed_from(0)).seating) == list(range(setting.seats))


@given(st.binary(max_size=3000) | st.text(max_size=3000).map(str.encode))
def test_whatever_a_bot_prints_is_harmless_to_show(printed: bytes) -> None:
    lines = last_lines(printed)
    assert len(lines) <= LINES
    assert all(line.isprintable() and len(line) <= 201 for line in lines)

"""What commands print breaks no word, whatever the width of the terminal."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.terminal.output import wrapped
from tests.builders.leagues import league_with_stopped_event
from tests.cli.terminals import at_terminal

COMMANDS = (
    "leaderboard --explain",
    "leaderboard --head-to-head",
    "event list",
    "event show cup --explain --accounts",
    "bots list",
    "bots show ann",
    "games",
    "docs",
    "collusion meow",
    "play meow random random random --seed 1 --tables 3",
    "play meow random random --seed 1",
    "replay show cup/0 --plain",
    "event show no-such-event-of-this-rather-long-name",
    "play --no-such-option",
    "event run --help",
    "--help",
)
NOTES = {"Omitted", "columns", "terminal", "too", "narrow"}
"""Words that only a narrow terminal shows; they name columns."""
PROGRAM = """
import sys
from arena.cli import main
for words in sys.argv[1:]:
    print("=====", flush=True)
    try:
        main(words.split())
    except SystemExit:
        sys.stdout.flush()
print("all done", flush=True)
"""


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a league."""
    return league_with_stopped_event(tmp_path_factory.mktemp("league"))


def screen_of(db: Path, columns: int) -> list[str]:
    """Run all commands on one terminal, and return its lines."""
    words = [sys.executable, "-c", PROGRAM, *COMMANDS]
    environment = {"TERM": "xterm", "ARENA_DB": str(db), "PAGER": "cat"}
    with at_terminal(words, db.parent, environment) as terminal:
        terminal.resize(columns, 2000)
        terminal.wait_for("all done")
        return terminal.lines


def words_of(lines: list[str]) -> set[str]:
    """Return the words on a screen, without punctuation; a hyphen may end a line."""
    return {word for line in lines for word in re.findall(r"\w+", line)}


def test_commands_break_no_word_at_40_80_and_120_columns(db: Path) -> None:
    screen = screen_of(db, 400)
    for columns in (40, 80, 120):
        lines = screen_of(db, columns)
        assert lines.count("=====") == len(COMMANDS)
        # A hash or a list without blanks may be longer than the terminal is wide.
        long_words = [word for line in screen for word in line.split() if len(word) > columns - 5]
        new = words_of(lines) - words_of(screen) - NOTES
        assert not {word for word in new if not any(word in whole for whole in long_words)}


@given(
    st.lists(st.sampled_from(["one", "three", "a-long-word-of-thirty-letters"])),
    st.integers(10, 60),
)
def test_wrapping_for_a_terminal_keeps_every_word_whole(words: list[str], columns: int) -> None:
    text = " ".join(words)
    lines = wrapped(text, columns).split("\n")
    assert [word for line in lines for word in line.split()] == words
    assert all(len(line) <= columns or len(line.split()[-1]) > columns - 4 for line in lines)
    assert wrapped(text, 0) == text


def test_a_command_that_is_printed_can_be_copied_from_several_lines(tmp_path: Path) -> None:
    words = ["arena", "play", "meow", "human", "a b", "--moves", "P1,P2,P3,P4,P5,P6"]
    program = f"from arena.cli.terminal.output import say_command; say_command({words!r})"
    with at_terminal([sys.executable, "-c", program], tmp_path) as terminal:
        terminal.resize(40, 24)
        terminal.wait_for_end()
        lines = [line for line in terminal.lines if line]
    assert len(lines) > 1
    assert shlex.split("\n".join(lines).replace("\\\n", "")) == words

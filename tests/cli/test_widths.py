"""Whatever the width of the terminal, no command breaks a word, and what is left out is named."""

from __future__ import annotations

import io
import os
import pty
import re
import termios
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.text import display_width
from arena.tournament.spec import Kind, Spec
from tests.builders.leagues import (
    FakeWorkers,
    cat_crashes,
    enter,
    open_league,
    play_event,
)
from tests.cli.test_help import COMMANDS_BY_WORDS

WIDTHS = (40, 80, 120)
UNLIMITED = 100_000
NAMES = ("ann", "ben", "cat", "a-bot-with-a-long-name")
OMITTED = re.compile(r"Omitted columns \(the terminal is too narrow\): (.*?)\.(?= |$)")
INDENT = 4
"""Columns before the rest of a line that was wrapped."""
COMMANDS = (
    "games",
    "bots",
    "bots show cat",
    "bots show cat --explain",
    "event list",
    "event show cup",
    "event show cup --explain",
    "event show bronze",
    "leaderboard",
    "leaderboard --explain",
    "leaderboard --all",
    "leaderboard --by rating",
    "leaderboard --head-to-head",
    "collusion",
    "verify",
    "docs",
    "rules lifeislife",
    "replay show cup/0",
    "replay show cup/0 --all",
    "replay show bronze/3 --seat 1",
    "replay verify cup",
    "play meow random random --seed 1",
    "play trio random random random random --variant spicy-teams --seed 1",
    "play jackal random random --tables 3 --seed 1",
)
MISTAKES = (
    "event show cups",
    "play meow random",
    "play chess random random",
    "replay show cup/99999",
    "leaderboard --variant easy",
    "bots show dog",
    "nonsense",
)


class Screen(io.TextIOWrapper):
    """Keeps what is written, and looks like a terminal of some width."""

    def __init__(self, descriptor: int) -> None:
        """Take the descriptor of a pseudo-terminal, which has the width."""
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)
        self._descriptor = descriptor

    def isatty(self) -> bool:
        """Return True."""
        return True

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._descriptor

    @property
    def text(self) -> str:
        """What was written, without colours."""
        assert isinstance(self.buffer, io.BytesIO)
        return click.unstyle(self.buffer.getvalue().decode())


@contextmanager
def screen_of(columns: int) -> Iterator[Screen]:
    """Make a screen of a width."""
    ours, theirs = pty.openpty()
    try:
        termios.tcsetwinsize(theirs, (50, columns))
        yield Screen(theirs)
    finally:
        os.close(ours)
        os.close(theirs)


def shown_at(columns: int, words: Sequence[str]) -> str:
    """Run a command on a terminal of a width; return what it printed."""
    with screen_of(columns) as screen, redirect_stdout(screen), redirect_stderr(screen):
        with pytest.raises(SystemExit):
            main(list(words), prog_name="arena")
        return screen.text


def check_no_word_is_broken(shown: str, columns: int, unlimited: str) -> None:
    """Check that lines fit, and consist of the words that there are without a limit."""
    for line in shown.split("\n"):
        # A word that is longer than a line stays whole: only the terminal can break it.
        longest = max(map(display_width, line.split()), default=0)
        assert display_width(line) <= columns or longest + INDENT >= columns, line
    text = " ".join(shown.split())
    omitted = " ".join(OMITTED.findall(text)).split()
    words, whole = words_of(OMITTED.sub("", text)), words_of(unlimited)
    # A command to copy goes on after a backslash, and an empty cell may be a dash.
    assert words <= whole | {"\\", "–"}, columns
    assert words_of(" ".join(omitted)) <= whole
    if not omitted:
        assert whole <= words


def words_of(text: str) -> set[str]:
    """Return the words of a text; the punctuation after them may differ."""
    words = {word.rstrip(",:") for word in text.split()}
    # An interval is drawn as wide as there is room.
    return {word for word in words if not re.fullmatch("[├─●┤]+", word)}


@pytest.mark.parametrize("words", ["", *COMMANDS_BY_WORDS])
def test_help_breaks_no_word(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(UNLIMITED))
    whole = (
        CliRunner()
        .invoke(main, [*words.split(), "--help"], max_content_width=UNLIMITED, prog_name="arena")
        .output
    )
    for columns in WIDTHS:
        monkeypatch.setenv("COLUMNS", str(columns))
        check_no_word_is_broken(shown_at(columns, [*words.split(), "--help"]), columns, whole)


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league of two events with faults, and a bot with a long name."""
    folder = tmp_path_factory.mktemp("league")
    with open_league(folder, NAMES) as writer:
        for name, seats in (("cup", 3), ("bronze", 2)):
            enter(
                writer, Spec(Kind.ROUND_ROBIN, "meow", name=name, bots=NAMES, seats=seats, seed=0)
            )
            play_event(writer, name, FakeWorkers(cat_crashes))
    return folder / "arena.db"


@pytest.mark.parametrize("command", [*COMMANDS, *MISTAKES])
def test_no_command_breaks_a_word(
    command: str, league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_DB", str(league))
    unlimited = CliRunner().invoke(main, command.split(), prog_name="arena").output
    for columns in WIDTHS:
        check_no_word_is_broken(shown_at(columns, command.split()), columns, unlimited)

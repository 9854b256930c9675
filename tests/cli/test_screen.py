"""The full-screen mode draws, reads keys and always restores the terminal."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.terminal.styling import truncate, visible_lines, wrap
from arena.text import display_width
from tests.cli.terminals import ENTER_ALTERNATE_SCREEN, LEAVE_ALTERNATE_SCREEN, at_terminal

PROGRAM = """
from arena.cli.terminal.screen import show_full_screen
from arena.text import display_width
class Keys(list):
    interval_s = None
    def press(self, key):
        self.append(key)
    def render(self, columns, rows):
        assert "!" not in self, "an error"
        return [f"{columns} x {rows}", *self]
show_full_screen(Keys())
print("all is well")
"""
COLOURED = "\x1b[31m\x1b[1mred\x1b[0m and plain"
texts = st.text(st.characters(codec="utf-8"), max_size=40)


def test_keys_are_read_and_a_new_size_is_noticed_at_once(tmp_path: Path) -> None:
    with at_terminal([sys.executable, "-c", PROGRAM], tmp_path) as terminal:
        terminal.wait_for("80 x 24")
        terminal.press("\x1b[Cx\x1bOH\t")
        terminal.wait_for("right\nx\nhome\ntab")
        terminal.resize(60, 3)
        terminal.wait_for("60 x 3\nright\nx")
        terminal.press("q")
        assert terminal.wait_for_end() == 0
        assert terminal.is_restored()
        assert b"all is well" in terminal.output.partition(LEAVE_ALTERNATE_SCREEN)[2]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_the_terminal_is_restored(
    number: signal.Signals, tmp_path: Path
) -> None:
    with at_terminal([sys.executable, "-c", PROGRAM], tmp_path) as terminal:
        terminal.wait_for("80 x 24")
        assert not terminal.is_restored()
        terminal.process.send_signal(number)
        assert terminal.wait_for_end() == 128 + number
        assert terminal.is_restored()


def test_keys_come_from_the_terminal_even_if_standard_input_is_something_else(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-c", PROGRAM]
    with at_terminal(command, tmp_path, stdin=subprocess.DEVNULL) as terminal:
        terminal.wait_for("80 x 24")
        terminal.press("q")
        assert terminal.wait_for_end() == 0
        assert terminal.is_restored()


def test_an_error_is_printed_on_the_restored_terminal(tmp_path: Path) -> None:
    with at_terminal([sys.executable, "-c", PROGRAM], tmp_path) as terminal:
        terminal.wait_for("80 x 24")
        terminal.press("!")
        assert terminal.wait_for_end() == 1
        assert terminal.is_restored()
        assert b"AssertionError: an error" in terminal.output.partition(LEAVE_ALTERNATE_SCREEN)[2]


def test_a_paused_program_gives_the_terminal_back(tmp_path: Path) -> None:
    with at_terminal([sys.executable, "-c", PROGRAM], tmp_path) as terminal:
        terminal.wait_for("80 x 24")
        # The kernel does not stop an orphaned process group, and there is no shell here;
        # the program must return to its picture all the same.
        terminal.press("\x1a")
        terminal.wait_until(lambda: terminal.output.count(ENTER_ALTERNATE_SCREEN) == 2)
        assert LEAVE_ALTERNATE_SCREEN in terminal.output
        terminal.press("xq")
        assert terminal.wait_for_end() == 0
        assert terminal.is_restored()


def test_colours_take_no_width() -> None:
    assert truncate(COLOURED, 13) == COLOURED
    assert truncate(COLOURED, 6) == "\x1b[31m\x1b[1mred\x1b[0m a…"
    assert truncate(COLOURED, 3) == "\x1b[31m\x1b[1mre\x1b[0m…"
    assert wrap("\x1b[32msix words in a green line\x1b[0m", 17) == [
        "\x1b[32msix words in a\x1b[0m",
        "    \x1b[32mgreen line\x1b[0m",
    ]


@given(texts, st.integers(1, 30))
def test_no_line_moves_the_cursor_or_is_too_wide(text: str, columns: int) -> None:
    for line in [truncate(text, columns), *wrap(text, max(columns, 2))]:
        bare = line.replace("\x1b[0m", "").replace("\x1b[m", "")
        assert display_width(bare) <= max(columns, 2)
        assert bare.isprintable()


@given(st.integers(0, 40), st.integers(3, 30), st.integers(-5, 50))
def test_a_window_shows_what_fits_and_counts_the_rest(count: int, rows: int, top: int) -> None:
    lines = [str(number) for number in range(count)]
    shown, top = visible_lines(lines, rows, top)
    assert len(shown) == min(count, rows)
    seen = [line for line in shown if line.isdecimal()]
    assert seen == lines[top : top + rows][bool(top) : len(shown) - (top + rows < count)]
    omitted = sum(int(line.split()[1]) for line in shown if not line.isdecimal())
    assert len(seen) + omitted == count

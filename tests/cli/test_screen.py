"""Is the whole terminal drawn on, and always given back as it was?"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.screen import keys_in
from arena.cli.styled import clipped, folded, window
from arena.cli.tables import columns_of
from tests.cli.terminals import BACK, OTHER_SCREEN, at_terminal

PROGRAM = """
from arena.cli.screen import QUIT, full_screen
pressed = []
with full_screen() as screen:
    while QUIT not in pressed:
        screen.draw([f"{screen.size.columns} x {screen.size.lines}", *pressed])
        pressed += screen.keys()
        assert "!" not in pressed, "an error"
print("all is well")
"""
COLOURED = "\x1b[31m\x1b[1mred\x1b[0m and plain"
texts = st.text(st.characters(codec="utf-8"), max_size=40)


def test_keys_are_shown_and_a_new_size_is_seen_at_once(tmp_path: Path) -> None:
    with at_terminal([sys.executable, "-c", PROGRAM], tmp_path) as terminal:
        terminal.wait_for("80 x 24")
        terminal.press("\x1b[Cx\x1bOH")
        terminal.wait_for("right\nx\nhome")
        terminal.resize(60, 3)
        terminal.wait_for("60 x 3\nright\nx")
        terminal.press("q")
        assert terminal.wait_for_end() == 0
        assert terminal.is_as_before()
        assert b"all is well" in terminal.output.partition(BACK)[2]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT])
def test_a_signal_ends_it_and_the_terminal_is_as_before(
    number: signal.Signals, tmp_path: Path
) -> None:
    with at_terminal([sys.executable, "-c", PROGRAM], tmp_path) as terminal:
        terminal.wait_for("80 x 24")
        assert not terminal.is_as_before()
        terminal.process.send_signal(number)
        # Python ends itself by the signal of an interrupt that nobody has caught.
        wanted = -number if number == signal.SIGINT else 128 + number
        assert terminal.wait_for_end() == wanted
        assert terminal.is_as_before()


def test_an_error_is_told_on_the_terminal_as_it_was_before(tmp_path: Path) -> None:
    with at_terminal([sys.executable, "-c", PROGRAM], tmp_path) as terminal:
        terminal.wait_for("80 x 24")
        terminal.press("!")
        assert terminal.wait_for_end() == 1
        assert terminal.is_as_before()
        assert b"AssertionError: an error" in terminal.output.partition(BACK)[2]


def test_whoever_pauses_it_has_the_terminal_meanwhile(tmp_path: Path) -> None:
    with at_terminal([sys.executable, "-c", PROGRAM], tmp_path) as terminal:
        terminal.wait_for("80 x 24")
        # The group of a session's leader has no shell to go back to, so the system does not stop
        # it; the program must come back to its picture all the same.
        terminal.press("\x1a")
        terminal.wait_until(lambda: terminal.output.count(OTHER_SCREEN) == 2)
        assert BACK in terminal.output
        terminal.press("xq")
        assert terminal.wait_for_end() == 0
        assert terminal.is_as_before()


def test_what_a_key_sends_may_come_in_pieces() -> None:
    assert keys_in(b"a\x1b[") == (["a"], b"\x1b[")
    assert keys_in(b"\x1b[5~\x1b[6~\t\x1b[Z\x1bOF") == (
        ["page up", "page down", "tab", "back tab", "end"],
        b"",
    )
    # A key that means nothing here is left out whole, and so is half a letter.
    assert keys_in(b"\x1b[1;5C\xc3\x01 ") == ([" "], b"")
    assert keys_in(b"\x1bq") == (["q"], b"")


@given(st.binary(max_size=20), st.binary(max_size=20))
def test_keys_are_the_same_however_they_are_read(one: bytes, two: bytes) -> None:
    first, rest = keys_in(one)
    second, end = keys_in(rest + two)
    assert (first + second, end) == keys_in(one + two)


def test_colours_take_no_room() -> None:
    assert clipped(COLOURED, 13) == COLOURED
    assert clipped(COLOURED, 6) == "\x1b[31m\x1b[1mred\x1b[0m a…"
    assert clipped(COLOURED, 3) == "\x1b[31m\x1b[1mre\x1b[0m…"
    assert folded("\x1b[32msix words in a green line\x1b[0m", 17) == [
        "\x1b[32msix words in a\x1b[0m",
        "    \x1b[32mgreen line\x1b[0m",
    ]


@given(texts, st.integers(1, 30))
def test_nothing_gets_through_that_moves_the_cursor_or_is_too_wide(text: str, columns: int) -> None:
    for line in [clipped(text, columns), *folded(text, max(columns, 2))]:
        bare = line.replace("\x1b[0m", "").replace("\x1b[m", "")
        assert columns_of(bare) <= max(columns, 2)
        assert bare.isprintable()


@given(st.lists(st.sampled_from(["one", "three", "x"]), max_size=30), st.integers(12, 30))
def test_folding_loses_no_word(words: list[str], columns: int) -> None:
    assert [word for line in folded(" ".join(words), columns) for word in line.split()] == words


@given(st.integers(0, 40), st.integers(3, 30), st.integers(-5, 50))
def test_a_window_shows_what_fits_and_counts_the_rest(count: int, rows: int, top: int) -> None:
    lines = [str(number) for number in range(count)]
    shown, top = window(lines, rows, top)
    assert len(shown) == min(count, rows)
    seen = [line for line in shown if line.isdecimal()]
    assert seen == lines[top : top + rows][bool(top) : len(shown) - (top + rows < count)]
    told = sum(int(line.split()[1]) for line in shown if not line.isdecimal())
    assert len(seen) + told == count

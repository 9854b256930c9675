"""What commands print breaks no word, whatever the width of the terminal."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from arena.cli.terminal.output import wrapped
from tests.cli.terminals import at_terminal


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

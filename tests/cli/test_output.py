"""What commands print breaks no word, whatever the width of the terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.cli.terminal.output import wrapped


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

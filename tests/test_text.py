"""Names, counts, percentages and durations as text."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcwidth

from arena.text import (
    clock_time,
    display_width,
    is_visible,
    percent,
    plain,
    quantity,
    short_duration,
)


def test_characters_that_control_a_terminal_are_replaced() -> None:
    assert plain("ann\x1b[2J\n\u202e🐈é") == "ann�[2J��🐈é"


def test_letters_digits_and_marks_are_as_wide_as_terminals_draw_them() -> None:
    wrong = [
        hex(ord(letter))
        for letter in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(letter) in ("Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Nl", "Mn", "Me")
        and (is_visible(letter) or is_visible(f"a{letter}"))
        and display_width(letter) != wcwidth(letter)
    ]
    assert wrong == []


@given(st.text(max_size=8))
def test_a_visible_text_takes_columns_and_stays_in_its_line(text: str) -> None:
    if is_visible(text):
        assert plain(text) == text
        assert all(display_width(text[:end]) > 0 for end in range(1, len(text) + 1))
        kinds = {unicodedata.bidirectional(letter) for letter in text}
        assert not kinds & {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI", "BN"}


@pytest.mark.parametrize(
    "text",
    ["\n", "a\x1b[2J", "\u202ea", "\u2067a", "a\u200b", "a\u00ad", "\ufeff", "\u0301", "a \u0301",
     "z\u0301\u0301\u0301", "\u3164", "\u2800", "☺\ufe0f", "\u2028", "\ud800", "\U000e0041"],
)  # fmt: skip
def test_what_moves_hides_or_covers_is_not_visible(text: str) -> None:
    assert not is_visible(text)


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 dice"), (1, "1 die"), (2, "2 dice"), (2000, "2,000 dice")]
)
def test_a_noun_agrees_with_its_number(number: int, text: str) -> None:
    assert quantity(number, "die", "dice") == text
    assert quantity(number, "deal") == text.replace("die", "deal").replace("dice", "deals")


@pytest.mark.parametrize(
    ("share", "text"), [(0.95, "95 %"), (0.999, "99.9 %"), (0.9999, "100 %"), (0, "0 %")]
)
def test_a_share_is_a_percentage(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("time_us", "text"),
    [(0, "0 µs"), (999, "999 µs"), (1_000, "1.0 ms"), (1_500_000, "1.5 s")],
)
def test_a_short_duration_has_a_fitting_unit(time_us: int, text: str) -> None:
    assert short_duration(time_us) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0:00"), (59.6, "1:00"), (3599, "59:59"), (3725, "1:02:05")]
)
def test_a_time_is_written_as_on_a_clock(seconds: float, text: str) -> None:
    assert clock_time(seconds) == text

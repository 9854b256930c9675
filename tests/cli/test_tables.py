"""Tables fit the terminal: columns are omitted and named, texts wrapped, and no word is broken."""

from __future__ import annotations

from typing import Any

import click
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.terminal.tables import columns_that_fit, fit_tables
from arena.text import display_width

WORDS = ["kitten@1", "greedy-meow", "a", "crashed", "名前", "", "two words", "some more words here"]
HEADINGS = {"rank": "rank", "bot": "bot", "note": "what happened", "points": "points", "end": "end"}
rows = st.lists(
    st.fixed_dictionaries(
        {
            "rank": st.integers(1, 99),
            "bot": st.sampled_from(WORDS),
            "note": st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join),
            "points": st.one_of(st.none(), st.floats(0, 100)),
            "end": st.sampled_from(WORDS),
        }
    ),
    min_size=1,
    max_size=5,
)
ROW = {"rank": 1, "bot": "kitten@1", "note": "one two three four five six seven", "points": 0.5}


def words_of(lines: list[str]) -> set[str]:
    """Return the words of a table."""
    return {word for line in lines for word in click.unstyle(line).split()}


def table_lines(table: Any, headings: dict[str, str], columns: int = 0) -> list[str]:
    """Return the lines of a table without a title."""
    return [click.unstyle(line) for line in fit_tables({"": table}, headings, columns)[0]]


@given(rows, st.integers(30, 140))
def test_a_table_fits_and_no_word_is_broken_or_lost(table: Any, columns: int) -> None:
    whole = table_lines(table, HEADINGS)
    kept = columns_that_fit([table], HEADINGS, ("points",), columns)
    lines = table_lines(table, kept, columns)
    assert max(map(display_width, lines)) <= columns
    assert words_of(lines) <= words_of(whole)
    shown = [{key: row[key] for key in kept} for row in table]
    assert words_of(lines) == words_of(table_lines(shown, kept))
    assert list(kept)[:2] == ["rank", "bot"]


@given(rows)
def test_without_a_terminal_nothing_is_omitted_or_wrapped(table: Any) -> None:
    assert columns_that_fit([table], HEADINGS, ("points",), 0) == HEADINGS
    assert len(table_lines(table, HEADINGS)) == 1 + len(table)


def test_optional_columns_go_first_then_texts_are_wrapped_then_columns_go_from_the_right() -> None:
    table = [{**ROW, "end": "played out"}]
    kept = {
        columns: list(columns_that_fit([table], HEADINGS, ("points",), columns))
        for columns in (72, 62, 45, 40, 20)
    }
    assert kept[72] == ["rank", "bot", "note", "points", "end"]
    assert kept[62] == kept[45] == ["rank", "bot", "note", "end"]
    assert kept[40] == ["rank", "bot", "note"]
    assert kept[20] == ["rank", "bot"]
    wrapped = table_lines(table, {key: HEADINGS[key] for key in kept[45]}, 45)
    assert [line.split() for line in wrapped[1:]] == [
        ["1", "kitten@1", "one", "two", "three", "played", "out"],
        ["four", "five", "six"],
        ["seven"],
    ]


def test_a_table_on_a_screen_says_what_it_leaves_out() -> None:
    table = [{**ROW, "end": "played out"}]
    lines, omitted = fit_tables({"": table}, HEADINGS, 40)
    assert omitted == "Omitted columns (the terminal is too narrow): end."
    assert max(display_width(click.unstyle(line)) for line in lines) <= 40

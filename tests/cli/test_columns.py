"""Every column is explained, in the terminal and on the league's page."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.event import tables as event_tables
from arena.cli.leaderboard import boards
from arena.cli.terminal.columns import ACCOUNTS, COLUMNS
from tests.builders.leagues import league_with_stopped_event
from tests.cli.runner import arena_on

README = (Path(__file__).parents[2] / "leaderboard" / "README.md").read_text(encoding="utf-8")
TABLES = (
    boards.BOARD,
    boards.WHOLE_BOARD,
    event_tables.STANDINGS,
    event_tables.WHOLE_STANDINGS,
    ACCOUNTS,
    event_tables.MODELS_USE,
)
EXPLAINED = {key: column.meaning for key, column in COLUMNS.items() if column.meaning}
OBVIOUS = {"game", "variant"}


def test_every_column_is_explained() -> None:
    shown = {key for table in TABLES for key in table}
    assert shown - OBVIOUS == EXPLAINED.keys()


def test_the_page_explains_every_column_in_the_same_words() -> None:
    headings = {key: heading for table in reversed(TABLES) for key, heading in table.items()}
    for key, sentence in EXPLAINED.items():
        assert f"| `{key}` | {headings[key]} | {sentence} |\n" in README


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        (("leaderboard",), "> next"),
        (("leaderboard", "--all"), "wins"),
        (("event", "show", "cup"), "points"),
        (("event", "show", "cup", "--all"), "direct"),
        (("bots", "show", "ann"), "memory MiB"),
    ],
    ids=str,
)
def test_a_command_explains_its_columns(
    tmp_path: Path, words: tuple[str, ...], heading: str
) -> None:
    db = league_with_stopped_event(tmp_path)
    plain, explained = (arena_on(db, *words, *more).stdout for more in ((), ("--explain",)))
    assert len(explained) > len(plain)
    key = next(key for table in TABLES for key in table if table[key] == heading)
    lines = [line for line in explained.splitlines() if line.endswith(f"  {EXPLAINED[key]}")]
    assert [line.removesuffix(EXPLAINED[key]).strip() for line in lines] == [heading]

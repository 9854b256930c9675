"""A gauntlet is entered, played, resumed, verified and ranked like any other event."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.errors import BadInput
from arena.tournament.setup import spec_of
from arena.tournament.spec import Kind, Spec
from arena.tournament.standing import standing_of
from arena.tournament.verification.league import check_league
from leaderboard.events import field_of, find_event, pairings_of
from leaderboard.store import Writer
from tests.builders.leagues import FakeWorkers, enter, open_league, play_event

NAMES = ("ann", "ben", "cat", "dan", "eve", "fay")


def spec(**changes: Any) -> Spec:
    """Describe a gauntlet of two challengers at tables of three."""
    values: dict[str, Any] = {
        "bots": ("cat", "dan"),
        "against": ("ann", "ben", "eve", "fay"),
        "seats": 3,
        "seed": 3,
        "name": "cup",
    }
    return Spec(Kind.GAUNTLET, "meow", **(values | changes))


def tables_of(writer: Writer, event: int) -> list[tuple[int, ...]]:
    """Return the entrants of each table."""
    return [tuple(pairing.seating) for pairing in pairings_of(writer, event)]


def test_challengers_meet_the_others_and_no_table_is_without_a_challenger(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        event = enter(writer, spec())
        play_event(writer, "cup", FakeWorkers(strong={"cat"}))
        tables = tables_of(writer, event.id)
        assert len(tables) == 8
        assert all(sum(entrant < 2 for entrant in table) == 1 for table in tables)
        found = standing_of(writer, find_event(writer, "cup"))
        assert [row["matches"] for row in sorted(found.rows(), key=lambda row: row["bot"])] == (
            [12, 12, 12, 12, 12, 12]
        )
        assert found.rows()[0]["bot"] == "cat"
        assert not [
            row for row in found.crosstable() if {row["bot"], row["opponent"]} == {"cat", "dan"}
        ]
        assert check_league(writer).wrong == []


@pytest.mark.parametrize(
    ("limits", "expected"),
    [({"rounds": 3}, 6), ({"matches": 10}, 4), ({"matches": 12}, 4)],
    ids=str,
)
def test_a_gauntlet_is_limited_by_rounds_or_by_matches(
    tmp_path: Path, limits: dict[str, int], expected: int
) -> None:
    with open_league(tmp_path, NAMES) as writer:
        event = enter(writer, spec(**limits))
        play_event(writer, "cup", FakeWorkers())
        assert len(tables_of(writer, event.id)) == expected


def test_without_names_the_challengers_meet_all_others_that_play_the_game(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        event = enter(writer, spec(against=(), bots=("cat@1",)))
        names = standing_of(writer, event).names
        assert names[0] == "cat"
        assert set(NAMES) <= set(names)
        assert "greedy-meow" in names
        assert len(field_of(writer, event.id)) == len(set(names))


@pytest.mark.parametrize(("others", "seats"), [(1, 2), (2, 3), (4, 4)])
def test_tables_are_as_large_as_the_others_can_fill(
    tmp_path: Path, others: int, seats: int
) -> None:
    against = ("ann", "ben", "eve", "fay")[:others]
    with open_league(tmp_path, NAMES) as writer:
        event = enter(writer, spec(seats=None, against=against))
        assert event.seats == seats
        assert spec_of(event).seats == seats


def test_too_few_others_are_named_with_what_can_be_had(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        with pytest.raises(BadInput, match=r"of 4 .*: name more to play against, or use --sea"):
            enter(writer, spec(seats=4, against=("ann", "ben")))
        with pytest.raises(BadInput, match="cat@1 is listed twice"):
            enter(writer, spec(against=("ann", "cat")))

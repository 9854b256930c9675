"""An organiser who asks for a table size gets it, and bots without a seat rest in turn."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from arena.errors import BadInput
from arena.tournament.schedule import describe_rounds
from arena.tournament.spec import Kind, Spec
from arena.tournament.verification.events import first_complaint
from leaderboard.events import find_event, pairings_of
from tests.builders.leagues import NAMES, FakeWorkers, enter, open_league, play_event

PAIRED = [Kind.ROUND_ROBIN, Kind.SWISS, Kind.LADDER]


@pytest.mark.parametrize("kind", PAIRED)
@pytest.mark.parametrize("bots", [4, 5])
def test_every_table_has_the_size_that_was_asked_for(tmp_path: Path, kind: Kind, bots: int) -> None:
    with open_league(tmp_path, NAMES) as writer:
        spec = Spec(kind, "meow", name="cup", bots=NAMES[:bots], seats=3, rounds=4, seed=2)
        event = enter(writer, spec)
        play_event(writer, "cup", FakeWorkers())
        tables = [pairing.seating for pairing in pairings_of(writer, event.id)]
        assert [len(table) for table in tables] == [3] * 4
        assert first_complaint(writer, find_event(writer, "cup")) is None
        if kind is not Kind.LADDER:
            sat: Counter[int] = Counter(entrant for table in tables for entrant in table)
            assert max(sat.values()) - min(sat[entrant] for entrant in range(bots)) <= 1


@pytest.mark.parametrize(
    ("seats", "bots", "sentence"),
    [
        (3, 4, "1 table of 3 in each round; 1 bot rests, in turn"),
        (3, 8, "2 tables of 3 in each round; 2 bots rest, in turn"),
        (4, 8, "2 tables of 4 in each round"),
        (None, 9, "1 table of 5 and 1 table of 4 in each round"),
    ],
)
def test_the_tables_are_announced(seats: int | None, bots: int, sentence: str) -> None:
    assert describe_rounds(Spec(Kind.SWISS, "meow", seats=seats), bots) == sentence


def test_what_can_be_had_is_said_before_anything_is_played(tmp_path: Path) -> None:
    with (
        open_league(tmp_path, NAMES) as writer,
        pytest.raises(BadInput, match=r"too few bots .* tables of 6 .*, or use --seats 5"),
    ):
        enter(writer, Spec(Kind.SWISS, "meow", bots=NAMES, seats=6))

"""Teams that an organiser names stay together in every match."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.tournament.spec import BadSpec, Kind, Spec, check_spec
from arena.tournament.spec_files import read_spec
from arena.tournament.verification.league import check_league
from leaderboard.events import byes_of, pairings_of
from leaderboard.matches import results_of
from tests.builders.leagues import FakeWorkers, enter, open_league, play_event

NAMES = ("ann", "ben", "cat", "dan", "eve", "fay")
TEAMS = ("ann+fay", "ben+eve", "cat+dan")


def spec(kind: Kind = Kind.ROUND_ROBIN, **changes: Any) -> Spec:
    """Describe an event of three teams."""
    values: dict[str, Any] = {
        "teams": TEAMS,
        "variant": ("simple-teams",),
        "seed": 3,
        "name": "cup",
    }
    return Spec(kind, "trio", **(values | changes))


@pytest.mark.parametrize("kind", [Kind.ROUND_ROBIN, Kind.SWISS])
def test_partners_stay_together_in_every_match(tmp_path: Path, kind: Kind) -> None:
    with open_league(tmp_path, NAMES) as writer:
        event = enter(writer, spec(kind, rounds=3))
        play_event(writer, "cup", FakeWorkers())
        tables = [pairing.seating for pairing in pairings_of(writer, event.id)]
        assert len(tables) == 3
        teams = [{frozenset(table[0::2]), frozenset(table[1::2])} for table in tables]
        assert set().union(*teams) == {frozenset(pair) for pair in ((0, 1), (2, 3), (4, 5))}
        assert len({frozenset(pair) for pair in teams}) == 3
        for result in results_of(writer, event.id, replays=False):
            assert result.seats[0].place == result.seats[2].place
        if kind is Kind.SWISS:
            assert sorted(bye.entrant for bye in byes_of(writer, event.id)) == [0, 1, 2, 3, 4, 5]
        assert check_league(writer).wrong == []


def test_three_teams_sit_at_a_table_of_six(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        event = enter(writer, spec(seats=6, rounds=1))
        play_event(writer, "cup", FakeWorkers())
        ((seating),) = (pairing.seating for pairing in pairings_of(writer, event.id))
        assert {frozenset(seating[seat::3]) for seat in range(3)} == {
            frozenset(pair) for pair in ((0, 1), (2, 3), (4, 5))
        }


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": Kind.LADDER}, "a ladder has no fixed teams"),
        ({"bots": ("ann",)}, "either in bots or in teams"),
        ({"variant": ("simple",)}, "this variant has no teams"),
        ({"teams": ("ann+ben", "cat")}, "team 'cat' must be 2 names with \\+ between them"),
        ({"teams": ("ann+ben", "cat+")}, "team 'cat\\+' must be 2 names"),
        ({"keep_authors_apart": True}, "cannot be kept apart"),
    ],
)
def test_impossible_teams_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        check_spec(spec(**changes))


def test_a_file_may_name_teams(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    text = 'kind = "swiss"\ngame = "trio"\nteams = ["ann+ben", "cat+dan"]\n'
    file.write_text(text + 'variant = ["simple-teams"]\n', encoding="utf-8")
    assert read_spec(file).members() == ("ann", "ben", "cat", "dan")
    file.write_text(text + 'variant = ["simple-teams"]\ndeals = 0\n', encoding="utf-8")
    with pytest.raises(BadSpec, match="line 5: 'deals' is wrong"):
        read_spec(file)

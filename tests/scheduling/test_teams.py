"""Members of a team sit on one side, and a team's history is that of its members."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.randomness import seed_from
from arena.indices import EntrantIndex
from arena.scheduling.pairing import Bye, Pairing
from arena.scheduling.round_robin import round_robin
from arena.scheduling.swiss.history import History, Played
from arena.scheduling.teams import byes_of_members, history_of_teams, seat_teams
from tests.builders.planned import matches_of

FOUR, SIX = (0, 1, 0, 1), (0, 1, 2, 0, 1, 2)
SEED = seed_from(5)


def entrants(*numbers: int) -> tuple[EntrantIndex, ...]:
    """Return indices of entrants."""
    return tuple(map(EntrantIndex, numbers))


@given(st.sampled_from([FOUR, SIX]), st.integers(3, 9))
def test_partners_of_every_match_are_a_team(sides: tuple[int, ...], teams: int) -> None:
    tables = len(set(sides))
    for pairing in round_robin(teams, seats=tables, allowed={tables}, seed=SEED):
        seated = seat_teams(pairing, sides)
        assert len(set(seated.seating)) == len(sides)
        for match in matches_of(seated, deals=1, sides=sides, first=0):
            for side in range(tables):
                partners = [e for e, s in zip(match.seating, sides, strict=True) if s == side]
                assert len({partner // 2 for partner in partners}) == 1


def test_from_round_to_round_a_member_sits_behind_another_opponent() -> None:
    first = seat_teams(Pairing(1, 0, entrants(0, 1)), FOUR)
    second = seat_teams(Pairing(2, 1, entrants(0, 1)), FOUR)
    assert first.seating == (0, 3, 1, 2)
    assert second.seating == (0, 2, 1, 3)


@pytest.mark.parametrize("sides", [FOUR, SIX])
@pytest.mark.parametrize("number", [1, 2])
def test_the_history_of_teams_follows_from_that_of_their_members(
    sides: tuple[int, ...], number: int
) -> None:
    teams = len(set(sides))
    pairing = Pairing(number, 0, entrants(*reversed(range(teams))))
    gained = tuple(Fraction(side, 7) for side in range(teams))
    bye = Bye(number, EntrantIndex(teams))
    seated = Played(seat_teams(pairing, sides), tuple(gained[side] for side in sides))
    byes = tuple(byes_of_members([bye], 2))
    assert byes == tuple(Bye(number, EntrantIndex(2 * teams + member)) for member in (0, 1))
    left = frozenset(entrants(2 * teams + 1))
    found = history_of_teams(History((seated,), byes, left), sides)
    assert found == History((Played(pairing, gained),), (bye,), frozenset({EntrantIndex(teams)}))

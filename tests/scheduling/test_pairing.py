"""Every deal of a pairing gives all entrants the same chances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.conformance import settings_of
from arena.games.randomness import Seed, seed_from
from arena.games.registry import all_games
from arena.scheduling.pairing import Pairing, PlannedMatch, generations_of, rotations
from tests.builders.planned import SECRET, matches_of
from tests.indices import entrants, entrants_in

SIDES = {
    game.sides(setting.seats, setting.parameters)
    for game in all_games()
    for setting in settings_of(game)
}


@given(st.sampled_from(sorted(SIDES)), st.integers(1, 4), st.integers(0, 100))
def test_every_entrant_sits_in_every_seat_once_per_deal(
    sides: tuple[int, ...], deals: int, first: int
) -> None:
    pairing = Pairing(1, 9, entrants_in(range(10, 10 + len(sides))))
    matches = list(matches_of(pairing, deals=deals, sides=sides, first=first))
    assert [match.number for match in matches] == [*range(first, first + len(matches))]
    assert {match.pairing for match in matches} == {9}
    seat_counts = Counter(
        (match.deal, entrant, seat)
        for match in matches
        for seat, entrant in enumerate(match.seating)
    )
    assert len(seat_counts) == deals * len(sides) ** 2
    assert set(seat_counts.values()) == {1}


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_partners_stay_partners_in_every_rotation(labels: list[int]) -> None:
    sides = tuple(labels)
    pairing = Pairing(1, 0, entrants_in(range(len(sides))))

    def teams(seating: tuple[int, ...]) -> set[frozenset[int]]:
        return {
            frozenset(entrant for seat, entrant in enumerate(seating) if sides[seat] == side)
            for side in sides
        }

    matches = list(matches_of(pairing, deals=1, sides=sides, first=0))
    assert all(teams(match.seating) == teams(pairing.seating) for match in matches)
    left_out = set(range(len(sides))) - {match.rotation for match in matches}
    for rotation in left_out:
        moved = pairing.seating[-rotation:] + pairing.seating[:-rotation]
        assert teams(moved) != teams(pairing.seating)


def test_every_entrant_moves_on_one_seat_in_each_rotation() -> None:
    matches = matches_of(Pairing(1, 0, entrants(7, 8, 9)), deals=1, sides=(0, 1, 2), first=0)
    assert [match.seating for match in matches] == [(7, 8, 9), (9, 7, 8), (8, 9, 7)]


@pytest.mark.parametrize(
    ("sides", "expected"),
    [
        ((0, 1), [0, 1]),
        ((0, 1, 0, 1), [0, 1, 2, 3]),
        ((0, 1, 2, 0, 1, 2), [0, 1, 2, 3, 4, 5]),
        ((0, 0, 1, 1), [0, 2]),
        ((0, 1, 1), [0]),
    ],
    ids=str,
)
def test_unevenly_seated_partners_allow_fewer_rotations(
    sides: tuple[int, ...], expected: list[int]
) -> None:
    assert rotations(sides) == expected


def generations(
    pairings: Sequence[Pairing], *, deals: int, first: int = 0, secret: Seed = SECRET
) -> list[list[PlannedMatch]]:
    """Plan the matches of pairings without partners."""
    planned = generations_of(
        pairings,
        deals=deals,
        sides=lambda seats: tuple(range(seats)),
        first=first,
        secret=secret,
    )
    return list(planned)


def test_a_generation_has_one_match_of_each_deal() -> None:
    pairings = [Pairing(1, 0, entrants(0, 1, 2)), Pairing(1, 1, entrants(3, 4))]
    planned = generations(pairings, deals=2, first=7)
    deals = [[(match.pairing, match.deal) for match in generation] for generation in planned]
    assert deals == [[(0, 0), (0, 1), (1, 0), (1, 1)]] * 2 + [[(0, 0), (0, 1)]]
    numbers = [match.number for generation in planned for match in generation]
    assert numbers == [*range(7, 17)]


def test_every_deal_of_every_pairing_has_its_own_seed() -> None:
    pairings = [Pairing(1, number, entrants(0, 1)) for number in range(30)]
    first, second = generations(pairings, deals=30)
    seeds = [match.seed for match in first]
    assert len(set(seeds)) == 900
    assert [match.seed for match in second] == seeds
    others = chain.from_iterable(generations(pairings, deals=30, secret=seed_from(2)))
    assert {match.seed for match in others}.isdisjoint(seeds)
    assert len({match.salt for match in first + second}) == 1800

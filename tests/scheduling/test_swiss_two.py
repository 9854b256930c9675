"""Tables of two follow the usual Swiss rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.randomness import seed_from
from arena.indices import EntrantIndex
from arena.scheduling.pairing import Pairing
from arena.scheduling.swiss import History, Played, Round, default_rounds, swiss_round
from arena.scheduling.swiss.history import Entry
from arena.scheduling.swiss.two import pair_up
from tests.indices import entrants
from tests.scheduling.swiss_events import by_lot, meetings, rounds_of, scores

SEED = seed_from(1)
Pairs = list[tuple[int, ...]]
"""Pairs of entrants; a bye is a tuple of one."""


def pairs_after(history: History, count: int) -> Pairs:
    """Pair entrants who are numbered in the order of their lots."""
    order = by_lot(count, SEED)
    named = tuple(
        Played(pairing._replace(seating=tuple(order[one] for one in pairing.seating)), points)
        for pairing, points in history.played
    )
    next_round = swiss_round(History(named), entrants=count, seats=2, allowed_sizes={2}, seed=SEED)
    return [
        tuple(sorted(order.index(EntrantIndex(one)) for one in pair))
        for pair in pairs_of(next_round)
    ]


def pairs_of(next_round: Round) -> Pairs:
    pairs: Pairs = [tuple(sorted(pairing.seating)) for pairing in next_round.pairings]
    return pairs + [(bye.entrant,) for bye in next_round.byes]


def all_pairs(entrants: Sequence[int], *, bye: bool) -> Iterator[Pairs]:
    """Yield every way to pair entrants, with or without a bye."""
    if not entrants:
        yield []
        return
    one, *others = entrants
    if bye:
        yield from ([(one,), *rest] for rest in all_pairs(others, bye=False))
    for other in others:
        left = [entrant for entrant in others if entrant != other]
        yield from ([(one, other), *rest] for rest in all_pairs(left, bye=bye))


def breaches(pairs: Pairs, history: History) -> tuple[Fraction, ...]:
    """Measure how far pairs break the first four rules."""
    met, score = meetings(history), scores(history)
    taken: Counter[int] = Counter(bye.entrant for bye in history.byes)
    idle = [pair[0] for pair in pairs if len(pair) == 1]
    seated = [pair for pair in pairs if len(pair) == 2]
    return (
        Fraction(sum(taken[entrant] for entrant in idle)),
        Fraction(sum(met[frozenset(pair)] for pair in seated)),
        sum((score[entrant] for entrant in idle), Fraction()),
        sum(((score[one] - score[other]) ** 2 for one, other in seated), Fraction()),
    )


@given(entrants=st.integers(2, 8), seed=st.integers(0, 10**6), levels=st.sampled_from([1, 100]))
def test_no_other_pairs_keep_the_first_four_rules_better(
    entrants: int, seed: int, levels: int
) -> None:
    for history, next_round in rounds_of(entrants, 2, entrants + 1, seed=seed, levels=levels):
        every = all_pairs(range(entrants), bye=entrants % 2 == 1)
        best = min(breaches(pairs, history) for pairs in every)
        assert breaches(pairs_of(next_round), history) == best


def test_the_first_round_pairs_the_top_half_with_the_bottom_half() -> None:
    assert pairs_after(History(), 8) == [(0, 4), (1, 5), (2, 6), (3, 7)]
    assert pairs_after(History(), 7) == [(0, 3), (1, 4), (2, 5), (6,)]


@pytest.mark.parametrize(
    ("groups", "pairs"),
    [
        ((3, 3), [(0, 1), (2, 3), (4, 5)]),
        ((5, 1), [(0, 2), (1, 3), (4, 5)]),
        ((1, 6, 1), [(0, 1), (2, 4), (3, 5), (6, 7)]),
    ],
    ids=str,
)
def test_the_last_of_an_odd_group_meets_the_first_of_the_next(
    groups: tuple[int, ...], pairs: Pairs
) -> None:
    scores = [-Fraction(number) for number, size in enumerate(groups) for _ in range(size)]
    entries = [
        Entry(EntrantIndex(rank), score, 0, Counter(), []) for rank, score in enumerate(scores)
    ]
    found, _ = pair_up(entries)
    assert [(one.entrant, other.entrant) for one, other in found] == pairs


def test_among_equals_those_with_different_seat_preferences_meet() -> None:
    half = Fraction(1, 2)
    tied = tuple(
        Played(Pairing(1, n, entrants(*pair)), (half, half))
        for n, pair in enumerate([(0, 1), (2, 3)])
    )
    assert pairs_after(History(tied), 4) == [(0, 3), (1, 2)]


def test_large_fields_are_also_paired_without_rematches() -> None:
    for history, next_round in rounds_of(201, 2, default_rounds(201, 2), seed=1):
        met = meetings(history)
        assert not any(met[frozenset(pairing.seating)] for pairing in next_round.pairings)
        assert not {bye.entrant for bye in next_round.byes} & {bye.entrant for bye in history.byes}


@pytest.mark.parametrize("entrants", [8, 9, 24])
def test_seats_alternate(entrants: int) -> None:
    seats: list[list[int]] = [[] for _ in range(entrants)]
    for _, next_round in rounds_of(entrants, 2, default_rounds(entrants, 2), seed=entrants):
        for pairing in next_round.pairings:
            for seat, entrant in enumerate(pairing.seating):
                seats[entrant].append(seat)
    assert all(abs(2 * sum(taken) - len(taken)) <= 2 for taken in seats)

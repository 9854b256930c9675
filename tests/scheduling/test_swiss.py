"""Every Swiss round follows the rules of Swiss pairing."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.games.randomness import seed_from
from arena.scheduling.swiss import History, Round, default_rounds, swiss_round
from tests.indices import entrants_in
from tests.scheduling.swiss_events import ANY_SIZE, meetings, rounds_of, scores

SEED = seed_from(1)


def seated_in(next_round: Round) -> list[int]:
    """List the entrants who sit at a table."""
    return [entrant for pairing in next_round.pairings for entrant in pairing.seating]


def byes_in(next_round: Round) -> list[int]:
    """List the entrants who have a bye."""
    return [bye.entrant for bye in next_round.byes]


@settings(max_examples=15)
@given(
    entrants=st.integers(6, 20),
    seats=st.integers(2, 6),
    allowed=st.sets(st.integers(2, 6)),
    seed=st.integers(0, 10**6),
)
def test_every_remaining_entrant_sits_once_or_has_a_bye(
    entrants: int, seats: int, allowed: set[int], seed: int
) -> None:
    rounds = rounds_of(entrants, seats, 5, seed=seed, allowed=allowed | {seats}, leaving=0.05)
    for number, (history, next_round) in enumerate(rounds, 1):
        left = set(range(entrants)) - history.withdrawn
        assert sorted(seated_in(next_round) + byes_in(next_round)) == sorted(left)
        assert {len(pairing.seating) for pairing in next_round.pairings} <= allowed | {seats}
        assert {pairing.round for pairing in next_round.pairings} <= {number}
        assert {bye.round for bye in next_round.byes} <= {number}
        first = len(history.played)
        numbers = [pairing.number for pairing in next_round.pairings]
        assert numbers == list(range(first, first + len(numbers)))


@settings(max_examples=20)
@given(entrants=st.integers(7, 15), seats=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_byes_rotate_and_start_with_the_lowest_scores(entrants: int, seats: int, seed: int) -> None:
    for history, next_round in rounds_of(entrants, seats, 6, seed=seed, allowed={seats}):
        assert len(next_round.byes) == entrants % seats
        bye_counts: Counter[int] = Counter(bye.entrant for bye in history.byes)
        score = scores(history)
        fewest = sorted(range(entrants), key=lambda entrant: bye_counts[entrant])[
            : len(next_round.byes)
        ]
        assert sum(bye_counts[entrant] for entrant in byes_in(next_round)) == sum(
            bye_counts[e] for e in fewest
        )
        lowest = sorted((bye_counts[entrant], score[entrant]) for entrant in range(entrants))
        byes = sorted((bye_counts[entrant], score[entrant]) for entrant in byes_in(next_round))
        assert byes == lowest[: len(next_round.byes)]


@settings(max_examples=15)
@given(
    entrants=st.integers(5, 15),
    seats=st.integers(2, 5),
    seed=st.integers(0, 10**6),
    rng=st.randoms(use_true_random=False),
)
def test_the_order_of_the_history_does_not_matter(
    entrants: int, seats: int, seed: int, rng: Random
) -> None:
    *_, (history, next_round) = rounds_of(entrants, seats, 4, seed=seed)
    shuffled = History(
        tuple(rng.sample(history.played, len(history.played))),
        tuple(rng.sample(history.byes, len(history.byes))),
    )
    assert next_round == swiss_round(
        shuffled, entrants=entrants, seats=seats, allowed_sizes=ANY_SIZE, seed=seed_from(seed)
    )


def test_the_seed_draws_the_first_round() -> None:
    def first_round(seed: int) -> Round:
        return swiss_round(History(), entrants=12, seats=4, allowed_sizes={4}, seed=seed_from(seed))

    assert first_round(1) == first_round(1)
    assert len({first_round(seed) for seed in range(10)}) > 5


@pytest.mark.parametrize(
    ("left", "tables", "byes"), [(7, [4, 3], 0), (3, [3], 0), (2, [], 2), (1, [], 1), (0, [], 0)]
)
def test_entrants_left_after_withdrawals_sit_or_have_a_bye(
    left: int, tables: list[int], byes: int
) -> None:
    history = History(withdrawn=frozenset(entrants_in(range(left, 8))))
    next_round = swiss_round(history, entrants=8, seats=4, allowed_sizes={3, 4, 5}, seed=SEED)
    assert [len(pairing.seating) for pairing in next_round.pairings] == tables
    assert sorted(seated_in(next_round) + byes_in(next_round)) == list(range(left))
    assert len(next_round.byes) == byes


def test_a_field_that_is_too_small_is_refused() -> None:
    with pytest.raises(BadInput, match="3 entrants are too few for tables of 6"):
        swiss_round(History(), entrants=3, seats=6, allowed_sizes={6}, seed=SEED)


@pytest.mark.parametrize(("entrants", "seats"), [(4, 2), (5, 2), (6, 3), (8, 4), (7, 6)])
def test_in_a_long_event_all_pairs_meet_equally_often(entrants: int, seats: int) -> None:
    *_, (history, _) = rounds_of(entrants, seats, 21, seed=1)
    met = meetings(history)
    assert len(met) == entrants * (entrants - 1) // 2
    assert max(met.values()) - min(met.values()) <= 1


@pytest.mark.parametrize(("entrants", "seats"), [(24, 3), (24, 6)])
def test_every_entrant_starts_in_every_seat_about_equally_often(entrants: int, seats: int) -> None:
    seat_counts: list[Counter[int]] = [Counter() for _ in range(entrants)]
    for _, next_round in rounds_of(entrants, seats, seats + 2, seed=1, allowed={seats}):
        for pairing in next_round.pairings:
            for seat, entrant in enumerate(pairing.seating):
                seat_counts[entrant][seat] += 1
    for counts in seat_counts:
        assert max(counts.values()) - min(counts[seat] for seat in range(seats)) <= 2


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds"),
    [(2, 2, 1), (5, 2, 5), (8, 2, 5), (1000, 2, 12), (4, 4, 1), (16, 4, 4), (1000, 4, 7)],
)
def test_the_default_number_of_rounds_suffices_to_find_the_best(
    entrants: int, seats: int, rounds: int
) -> None:
    assert default_rounds(entrants, seats) == rounds

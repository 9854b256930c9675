"""Does every Swiss round keep the laws of a Swiss round?"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.games.randomness import seed_from
from arena.scheduling.pairing import Bye
from arena.scheduling.swiss import History, Played, Round, default_rounds, swiss_round
from tests.scheduling.swiss_events import ANY_SIZE, meetings, rounds_of, scores

SEED = seed_from(1)


def seated(this: Round) -> list[int]:
    """List who sits at a table."""
    return [entrant for pairing in this.pairings for entrant in pairing.seating]


def idle(this: Round) -> list[int]:
    """List who has a bye."""
    return [bye.entrant for bye in this.byes]


@settings(max_examples=15, deadline=None)
@given(
    entrants=st.integers(6, 20),
    seats=st.integers(2, 6),
    allowed=st.sets(st.integers(2, 6)),
    seed=st.integers(0, 10**6),
)
def test_everybody_who_is_left_sits_once_or_has_a_bye(
    entrants: int, seats: int, allowed: set[int], seed: int
) -> None:
    rounds = rounds_of(entrants, seats, 5, seed=seed, allowed=allowed | {seats}, leaving=0.05)
    for number, (history, this) in enumerate(rounds, 1):
        left = set(range(entrants)) - history.withdrawn
        assert sorted(seated(this) + idle(this)) == sorted(left)
        assert {len(pairing.seating) for pairing in this.pairings} <= allowed | {seats}
        assert {pairing.round for pairing in this.pairings} <= {number}
        assert {bye.round for bye in this.byes} <= {number}
        first = len(history.played)
        numbers = [pairing.number for pairing in this.pairings]
        assert numbers == list(range(first, first + len(numbers)))


@settings(max_examples=20, deadline=None)
@given(entrants=st.integers(7, 15), seats=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_byes_go_round_and_begin_with_the_lowest_scores(
    entrants: int, seats: int, seed: int
) -> None:
    for history, this in rounds_of(entrants, seats, 6, seed=seed, allowed={seats}):
        assert len(this.byes) == entrants % seats
        had, score = Counter(bye.entrant for bye in history.byes), scores(history)
        fewest = sorted(range(entrants), key=lambda entrant: had[entrant])[: len(this.byes)]
        assert sum(had[entrant] for entrant in idle(this)) == sum(had[e] for e in fewest)
        if seats > 2:
            # At tables of two the bye may have to go to another, lest two meet again.
            lowest = sorted((had[entrant], score[entrant]) for entrant in range(entrants))
            byes = sorted((had[entrant], score[entrant]) for entrant in idle(this))
            assert byes == lowest[: len(this.byes)]


@settings(max_examples=15, deadline=None)
@given(
    entrants=st.integers(5, 15),
    seats=st.integers(2, 5),
    seed=st.integers(0, 10**6),
    rng=st.randoms(use_true_random=False),
)
def test_the_order_in_which_things_are_listed_does_not_matter(
    entrants: int, seats: int, seed: int, rng: Random
) -> None:
    *_, (history, this) = rounds_of(entrants, seats, 4, seed=seed)
    shuffled = History(
        tuple(rng.sample(history.played, len(history.played))),
        tuple(rng.sample(history.byes, len(history.byes))),
    )
    assert this == swiss_round(
        shuffled, entrants=entrants, seats=seats, allowed_sizes=ANY_SIZE, seed=seed_from(seed)
    )


@settings(max_examples=15, deadline=None)
@given(
    entrants=st.integers(5, 15),
    seats=st.integers(2, 5),
    seed=st.integers(0, 10**6),
    rng=st.randoms(use_true_random=False),
)
def test_with_ratings_it_does_not_matter_who_has_which_number(
    entrants: int, seats: int, seed: int, rng: Random
) -> None:
    *_, (history, _) = rounds_of(entrants, seats, 4, seed=seed)
    new = rng.sample(range(entrants), entrants)
    renamed = History(
        tuple(
            Played(pairing._replace(seating=tuple(new[e] for e in pairing.seating)), points)
            for pairing, points in history.played
        ),
        tuple(Bye(bye.round, new[bye.entrant]) for bye in history.byes),
    )
    ratings = [float(entrant) for entrant in range(entrants)]
    new_ratings = [float(new.index(entrant)) for entrant in range(entrants)]
    before = swiss_round(
        history, entrants=entrants, seats=seats, allowed_sizes=ANY_SIZE, seed=SEED, ratings=ratings
    )
    after = swiss_round(
        renamed,
        entrants=entrants,
        seats=seats,
        allowed_sizes=ANY_SIZE,
        seed=SEED,
        ratings=new_ratings,
    )
    assert [pairing.seating for pairing in after.pairings] == [
        tuple(new[entrant] for entrant in pairing.seating) for pairing in before.pairings
    ]
    assert idle(after) == [new[entrant] for entrant in idle(before)]


def test_without_ratings_the_seed_draws_the_first_round() -> None:
    def first_round(seed: int) -> Round:
        return swiss_round(History(), entrants=12, seats=4, allowed_sizes={4}, seed=seed_from(seed))

    assert first_round(1) == first_round(1)
    assert len({first_round(seed) for seed in range(10)}) > 5


@pytest.mark.parametrize(
    ("left", "tables", "byes"), [(7, [4, 3], 0), (3, [3], 0), (2, [], 2), (1, [], 1), (0, [], 0)]
)
def test_whoever_is_left_after_withdrawals_sits_or_has_a_bye(
    left: int, tables: list[int], byes: int
) -> None:
    history = History(withdrawn=frozenset(range(left, 8)))
    this = swiss_round(history, entrants=8, seats=4, allowed_sizes={3, 4, 5}, seed=SEED)
    assert [len(pairing.seating) for pairing in this.pairings] == tables
    assert sorted(seated(this) + idle(this)) == list(range(left))
    assert len(this.byes) == byes


@pytest.mark.parametrize("left", [0, 1])
def test_one_or_none_left_is_no_pair(left: int) -> None:
    history = History(withdrawn=frozenset(range(left, 8)))
    this = swiss_round(history, entrants=8, seats=2, allowed_sizes={2}, seed=SEED)
    assert (this.pairings, idle(this)) == ((), list(range(left)))


def test_too_small_a_field_is_refused() -> None:
    with pytest.raises(BadInput, match="3 entrants are too few for tables of 6"):
        swiss_round(History(), entrants=3, seats=6, allowed_sizes={6}, seed=SEED)


@pytest.mark.parametrize(("entrants", "seats"), [(4, 2), (5, 2), (6, 3), (8, 4), (7, 6)])
def test_those_who_meet_again_and_again_meet_equally_often(entrants: int, seats: int) -> None:
    *_, (history, _) = rounds_of(entrants, seats, 21, seed=1)
    met = meetings(history)
    assert len(met) == entrants * (entrants - 1) // 2
    assert max(met.values()) - min(met.values()) <= 1


@pytest.mark.parametrize(("entrants", "seats"), [(24, 3), (26, 4), (30, 5), (24, 6)])
def test_everybody_begins_in_every_seat_about_equally_often(entrants: int, seats: int) -> None:
    begun: list[Counter[int]] = [Counter() for _ in range(entrants)]
    for _, this in rounds_of(entrants, seats, seats + 2, seed=1, allowed={seats}):
        for pairing in this.pairings:
            for seat, entrant in enumerate(pairing.seating):
                begun[entrant][seat] += 1
    for had in begun:
        assert max(had.values()) - min(had[seat] for seat in range(seats)) <= 2


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds"),
    [(2, 2, 1), (5, 2, 5), (8, 2, 5), (1000, 2, 12), (4, 4, 1), (16, 4, 4), (1000, 4, 7)],
)
def test_a_field_has_as_many_rounds_as_it_takes_to_find_its_best(
    entrants: int, seats: int, rounds: int
) -> None:
    assert default_rounds(entrants, seats) == rounds


def simulate(seed: int) -> None:
    rng = Random(seed)
    entrants, seats = rng.randint(5, 40), rng.randint(2, 6)
    seats = min(seats, entrants)
    rounds = default_rounds(entrants, seats) + rng.randint(0, 2)
    allowed = {seats, *rng.sample(ANY_SIZE, rng.randint(0, 3))}
    levels = rng.choice([1, 100])
    played = 0
    for history, this in rounds_of(
        entrants, seats, rounds, seed=seed, allowed=allowed, levels=levels, leaving=0.01
    ):
        assert len(seated(this)) + len(idle(this)) == entrants - len(history.withdrawn)
        played += 1
    assert played == rounds


@pytest.mark.parametrize("seed", range(30))
def test_simulated_events_come_to_their_end(seed: int) -> None:
    simulate(seed)


@pytest.mark.slow
@pytest.mark.parametrize("hundred", range(10))
def test_a_thousand_simulated_events_come_to_their_end(hundred: int) -> None:
    for seed in range(100):
        simulate(1000 + 100 * hundred + seed)

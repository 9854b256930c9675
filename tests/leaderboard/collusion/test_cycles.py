"""A cycle is named when its results are certain, and strengths that mislead are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest

from arena.indices import VersionId
from leaderboard.collusion.cycles import WhoBeatsWhom, who_beats_whom
from leaderboard.strength.sums import LeagueSums, SeatPlace, deal_results
from tests.leaderboard.strength.simulated import simulate_league

ROCK, PAPER, SCISSORS, ROOK = map(VersionId, range(4))
NAMES = {
    VersionId(number): name for number, name in enumerate(["rock", "paper", "scissors", "rook"])
}
SHARES = {(PAPER, ROCK): 0.7, (SCISSORS, PAPER): 0.7, (ROCK, SCISSORS): 0.7}


def duels(rng: Random, deals: int, share: Callable[[VersionId, VersionId], float]) -> LeagueSums:
    """Play deals between two bots each, twice with the seats swapped."""

    def played() -> Iterator[list[list[SeatPlace]]]:
        for _ in range(deals):
            one, other = rng.sample([*NAMES], 2)
            wins = [rng.random() < share(one, other) for _ in range(2)]
            yield [
                [SeatPlace(one, 0, 1 if won else 2), SeatPlace(other, 1, 2 if won else 1)]
                for won in wins
            ]

    return LeagueSums.of(map(deal_results, played()))


def rock_paper_scissors(one: VersionId, other: VersionId) -> float:
    """Return the share of a bot; the rook loses to everyone."""
    if ROOK in (one, other):
        return 0.2 if one == ROOK else 0.8
    return SHARES.get((one, other), 1 - SHARES.get((other, one), 0.5))


@pytest.fixture(scope="module")
def cyclic() -> WhoBeatsWhom:
    """Test a league with a cycle."""
    return who_beats_whom(duels(Random(1), 900, rock_paper_scissors))


def test_a_cycle_is_found_with_the_mix_that_nobody_beats(cyclic: WhoBeatsWhom) -> None:
    assert [(each.first, each.second) for each in cyclic.cycle] == [
        (ROCK, SCISSORS),
        (SCISSORS, PAPER),
        (PAPER, ROCK),
    ]
    assert cyclic.members == {ROCK, PAPER, SCISSORS}
    assert cyclic.mix.keys() == cyclic.members
    for part in cyclic.mix.values():
        assert part == pytest.approx(1 / 3, abs=0.15)
    sentence, misled = cyclic.sentences(NAMES)
    assert sentence.startswith("A cycle, so no order is true: rock finishes ahead of scissors in 7")
    assert misled.startswith("Strengths mislead where bots suit each other: ")


def test_strengths_that_mislead_are_named(cyclic: WhoBeatsWhom) -> None:
    surprising = {(each.first, each.second) for each in cyclic.surprises}
    assert surprising == {(ROCK, SCISSORS), (SCISSORS, PAPER), (PAPER, ROCK)}
    assert all(each.expected == pytest.approx(0.5, abs=0.1) for each in cyclic.surprises)


def test_leagues_with_an_order_have_no_cycle() -> None:
    for seed in range(4):
        strengths = [25.0, 25.2, 25.4, 26.0, 28.0, 31.0]
        deals = simulate_league(Random(seed), strengths, 300)
        found = who_beats_whom(LeagueSums.of(map(deal_results, deals)))
        assert found.pairs == 15
        assert (found.cycle, found.mix) == ((), {})
        assert found.sentences({})[0].startswith("No cycle is certain")


def test_bots_that_always_win_are_certain() -> None:
    order = who_beats_whom(duels(Random(2), 200, lambda one, other: float(one < other)))
    assert order.cycle == ()
    always = {(ROCK, SCISSORS), (SCISSORS, PAPER), (PAPER, ROCK)}
    cycle = who_beats_whom(duels(Random(2), 200, lambda one, other: float((one, other) in always)))
    assert {(each.first, each.second, each.share) for each in cycle.cycle} == {
        (*pair, 1.0) for pair in always
    }


def test_nothing_is_said_of_pairs_with_few_deals() -> None:
    few = who_beats_whom(duels(Random(3), 12, rock_paper_scissors))
    assert (few.pairs, few.sentences(NAMES)) == (0, [])

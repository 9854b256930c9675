"""The share of luck is found in made-up deals whose luck is known."""

from __future__ import annotations

from random import Random

import pytest

from arena.games.outcome import Ending, places_by
from arena.games.randomness import seed_from
from arena.indices import VersionId
from arena.pages.site.luck import luck
from arena.scheduling.points import points_of
from leaderboard.matches import StoredMatch
from leaderboard.result import FORFEIT, MatchResult, SeatResult

EVENT, VARIANT = 3, 5


def deal(
    number: int, seats: int, rng: Random, *, bots: float, hands: float, rest: float
) -> list[StoredMatch]:
    """Play a deal in every rotation; the arguments are standard deviations."""
    skills = [rng.gauss(0, bots) for _ in range(seats)]
    dealt = [rng.gauss(0, hands) for _ in range(seats)]
    matches: list[StoredMatch] = []
    for rotation in range(seats):
        seated = [(hand + rotation) % seats for hand in range(seats)]
        scores = [
            round(1e6 * (skills[bot] + dealt[hand] + rng.gauss(0, rest)))
            for hand, bot in enumerate(seated)
        ]
        places = places_by(scores)
        points = points_of(places, tuple(range(seats)))
        result = MatchResult(
            number=seats * number + rotation,
            pairing=number,
            deal=0,
            rotation=rotation,
            seed=seed_from(number),
            ending=Ending.PLAYED_OUT.code,
            seats=tuple(
                SeatResult(VersionId(bot + 1), place, score, float(point))
                for bot, place, score, point in zip(seated, places, scores, points, strict=True)
            ),
            decisions=1,
            time_ms=1,
            cage="none",
            replay=b"",
        )
        matches.append(StoredMatch(len(matches), EVENT, 1, False, result))
    return matches


def deals(count: int, seats: int, **spread: float) -> list[StoredMatch]:
    """Play several deals."""
    rng = Random(1)
    return [match for number in range(count) for match in deal(number, seats, rng, **spread)]


@pytest.mark.parametrize("seats", [3, 4, 6])
@pytest.mark.parametrize("cause", ["bots", "hands", "rest"])
def test_a_single_cause_has_the_whole_share(seats: int, cause: str) -> None:
    spread = {"bots": 0.0, "hands": 0.0, "rest": 0.0} | {cause: 1.0}
    (found,) = luck(deals(1000, seats, **spread), {EVENT: VARIANT})
    assert (found.variant, found.seats, found.deals) == (VARIANT, seats, 1000)
    assert getattr(found, cause) == pytest.approx(1, abs=0.05)
    assert found.bots + found.hands + found.rest == pytest.approx(1)


def test_two_causes_of_the_same_size_have_the_same_share_within_their_intervals() -> None:
    (found,) = luck(deals(400, 4, bots=1.0, hands=1.0, rest=0.5), {EVENT: VARIANT})
    assert abs(found.bots - found.hands) < found.bots_reach + found.hands_reach < 0.15
    assert 0 < found.rest < found.bots


def test_few_deals_incomplete_deals_and_tables_of_two_are_left_out() -> None:
    few = deals(19, 4, bots=1.0, hands=1.0, rest=1.0)
    assert luck(few, {EVENT: VARIANT}) == []
    assert luck(deals(50, 2, bots=1.0, hands=1.0, rest=1.0), {EVENT: VARIANT}) == []
    many = deals(40, 4, bots=1.0, hands=1.0, rest=1.0)
    forfeits = [
        match._replace(result=match.result._replace(ending=FORFEIT))
        if match.result.rotation == 0 and match.result.pairing % 2
        else match
        for match in many
    ]
    (found,) = luck(forfeits, {EVENT: VARIANT})
    assert found.deals == 20

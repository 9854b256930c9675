"""Leagues whose true strengths are known."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random

from arena.indices import VersionId
from leaderboard.strength.sums import SeatPlace

BETA = 25 / 6
SEATS = 4
TEAMS = (0, 1, 0, 1)
Deal = list[list[SeatPlace]]


def simulate_deal(
    rng: Random,
    table: Sequence[VersionId],
    strengths: Sequence[float],
    *,
    luck: float = 0.3,
    style: float = 0.0,
    teams: bool = False,
    rounding: float = 0.0,
) -> Deal:
    """Play a deal in every rotation; `luck` belongs to a hand, `style` to a bot in this deal.

    Each is a variance; the rest of luck is new in each match. With `rounding`, close results are
    ties. The sum of all variances is β², so the true strengths are the ones that a fit looks for.
    """
    scale = BETA / sqrt(1 + style)
    hands = [rng.gauss(0, sqrt(luck) * scale) for _ in table]
    styles = {version: rng.gauss(0, sqrt(style) * scale) for version in table}
    matches = []
    for rotation in range(len(table)):
        seating = [*table[rotation:], *table[:rotation]]
        results = [
            strengths[version] + hand + styles[version] + rng.gauss(0, sqrt(1 - luck) * scale)
            for version, hand in zip(seating, hands, strict=True)
        ]
        if teams:
            both = [results[0] + results[2], results[1] + results[3]]
            results = [both[side] for side in TEAMS]
        if rounding:
            results = [float(round(result / rounding)) for result in results]
        best = sorted(results, reverse=True)
        matches.append(
            [
                SeatPlace(version, TEAMS[seat] if teams else seat, best.index(result) + 1)
                for seat, (version, result) in enumerate(zip(seating, results, strict=True))
            ]
        )
    return matches


def simulate_league(
    rng: Random, strengths: Sequence[float], deals: int, *, teams: bool = False, luck: float = 0.3
) -> list[Deal]:
    """Play deals at random tables of four."""
    versions = [VersionId(number) for number in range(len(strengths))]
    return [
        simulate_deal(rng, rng.sample(versions, SEATS), strengths, luck=luck, teams=teams)
        for _ in range(deals)
    ]

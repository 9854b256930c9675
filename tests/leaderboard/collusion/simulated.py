"""Leagues in which some bots collude, with strengths that are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from arena.indices import VersionId
from leaderboard.strength.sums import LeagueSums, deal_results
from tests.leaderboard.strength.simulated import BETA, SEATS, simulate_deal

SPREAD = BETA
"""The standard deviation of true strengths: a good bot beats a bad one in three of four matches."""
GIVEN = 0.75 * BETA
"""How much weaker a feeder plays for its friend; the friend gains half of that."""
SHARED = 0.5 * BETA
"""How much stronger both of a pair play that gains together."""


@dataclass(frozen=True)
class Scheme:
    """Who colludes with whom; bots are numbered from 0."""

    feeders: tuple[tuple[int, int], ...] = ()
    """Each with the bot that it feeds."""
    friends: tuple[tuple[int, int], ...] = ()
    """Pairs that gain together."""
    given: float = GIVEN
    """How much a feeder gives."""

    @property
    def pairs(self) -> set[tuple[int, int]]:
        """All guilty pairs, the lower number first."""
        return {(min(pair), max(pair)) for pair in self.feeders + self.friends}

    def strengths_at(self, table: Sequence[int], strengths: Sequence[float]) -> list[float]:
        """Return the strengths of all bots when some of them sit at a table."""
        here = list(strengths)
        for feeder, taker in self.feeders:
            if feeder in table and taker in table:
                here[feeder] -= self.given
                here[taker] += self.given / 2
        for pair in self.friends:
            if pair[0] in table and pair[1] in table:
                for each in pair:
                    here[each] += SHARED
        return here


CLEAN = Scheme()
FEEDER = Scheme(feeders=((0, 1),))
TWO_FEEDERS = Scheme(feeders=((0, 1), (2, 1)))
FRIENDS = Scheme(friends=((0, 1),))


def simulate_collusion(
    rng: Random, scheme: Scheme, *, matches: int, bots: int = 12, luck: float = 0.3
) -> LeagueSums:
    """Play deals at random tables of four, each in every rotation, and add them up."""
    versions = [VersionId(number) for number in range(bots)]
    strengths = [rng.gauss(25.0, SPREAD) for _ in versions]
    sums = LeagueSums()
    for _ in range(matches // SEATS):
        table = rng.sample(versions, SEATS)
        here = scheme.strengths_at(table, strengths)
        sums.add_deal(deal_results(simulate_deal(rng, table, here, luck=luck)))
    return sums

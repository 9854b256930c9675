"""Whether the places of an event are known.

The first places are known when it is unlikely that they went to the wrong entrants: the chances
that an entrant outside is stronger than one inside, by more than `MARGIN`, add up to at most the
stated error. For the whole order, the chances of all pairs are added up. The sum is an upper bound
for the probability of any such mistake. Entrants that are closer than the margin may have either
order: telling them apart would take thousands of matches.

The rule is applied at many ends of rounds, and the event ends at the first that satisfies it. It
holds nevertheless, as was measured: see arena/scheduling/README.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import combinations, product
from math import fsum, sqrt

from arena.indices import VersionId
from arena.text import percent
from arena.tournament.spec import WHOLE_ORDER, Goal
from leaderboard.strength.distributions import normal_share
from leaderboard.strength.strengths import Strengths

MARGIN = 0.5
"""In the unit of strengths: the stronger of two finishes ahead in 53.4 % of their matches."""
TIME_IS_UP = "the time was up"
TOO_FEW_BOTS = "too few bots were left to fill a table"
CLOSED = "it was closed by the organiser"


def is_known(goal: Goal, strengths: Strengths, playing: Collection[VersionId]) -> bool:
    """Return whether the places that a goal asks for are known among the versions that play.

    Nothing is known of a version that has not played. If nobody is left outside, nothing is in
    doubt.
    """
    have_played = set(strengths.versions).issuperset(playing)
    return have_played and doubt(goal, strengths, playing) <= goal.error


def doubt(goal: Goal, strengths: Strengths, playing: Collection[VersionId]) -> float:
    """Return at most how likely it is that places are given to the wrong entrants."""
    index = {version: at for at, version in enumerate(strengths.versions)}
    values, covariance = strengths.strengths, strengths.covariance
    # Equals are ordered by their ids, so that the order does not depend on that of the argument.
    order = sorted((index[version] for version in playing), key=lambda at: (-values[at], at))
    pairs: Iterable[tuple[int, int]] = combinations(order, 2)
    if goal.top != WHOLE_ORDER:
        pairs = product(order[: goal.top], order[goal.top :])
    return fsum(
        normal_share(
            (values[worse] - values[better] - MARGIN)
            / sqrt(
                covariance[better][better]
                + covariance[worse][worse]
                - 2 * covariance[better][worse]
            )
        )
        for better, worse in pairs
    )


def describe_known(goal: Goal, *, played: int, planned: int) -> str:
    """Say what was known, and after how many of the planned matches."""
    after = f"{played:,} of {planned:,}" if planned > played else f"{played:,}"
    return f"{_what(goal)} known after {after} matches ({_precision(goal)})"


def describe_unknown(goal: Goal) -> str:
    """Say what was not known when the event ended."""
    return f"{_what(goal)} not known at the end ({_precision(goal)})"


def _precision(goal: Goal) -> str:
    return f"error {percent(goal.error)}, to within half a point of strength"


def _what(goal: Goal) -> str:
    if goal.top == WHOLE_ORDER:
        return "the order was"
    return "the first place was" if goal.top == 1 else f"the first {goal.top} places were"

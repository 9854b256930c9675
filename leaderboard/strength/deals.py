"""The result of one deal: how each pair of opponents did over its matches.

A deal is played in every rotation of the seats. Luck and style make its matches similar, so the
deal, not the match, is the unit that says how certain a strength is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from arena.indices import VersionId

Pair = tuple[VersionId, VersionId]
"""Two opponents, the lower id first."""


class PairResult(NamedTuple):
    """How the first of two opponents did against the second."""

    score: float
    """1 for each match in which it finished ahead, ½ for each tie."""
    matches: int


DealResults = Mapping[Pair, PairResult]
"""The pairs that met in a deal."""


class SeatPlace(NamedTuple):
    """The version in a seat, the side that it plays for and its place."""

    version: VersionId
    side: int
    place: int


def deal_results(matches: Iterable[Sequence[SeatPlace]]) -> DealResults:
    """Compare all opponents in the matches of one deal; partners never meet."""
    results: dict[Pair, PairResult] = {}
    for seats in matches:
        for one in seats:
            for other in seats:
                if one.version < other.version and one.side != other.side:
                    pair = one.version, other.version
                    score, count = results.get(pair, (0.0, 0))
                    results[pair] = PairResult(score + _score(one, other), count + 1)
    return results


def _score(one: SeatPlace, other: SeatPlace) -> float:
    if one.place == other.place:
        return 0.5
    return 1.0 if one.place < other.place else 0.0

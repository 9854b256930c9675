"""What results leave unknown: bots that nobody has compared, and strengths without an end.

Two bots can be compared if they have met, or others connect them. A group of bots that can be
compared has a scale of its own. In a group, a bot that was never behind another one, nor level with
it, may be any amount stronger. So results bound a gap from both sides only where a chain of such
results leads back. The largest set of bots with chains in both directions is what strengths are
measured from; a bot that only leads to it, or is only led to, has a strength with one end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from arena.indices import VersionId
from leaderboard.strength.sums import Pair

_Links = Mapping[VersionId, Collection[VersionId]]


class Bounds(NamedTuple):
    """What bounds the strength of a version."""

    group: int
    """The number of its group, from 1; the largest group comes first."""
    has_low: bool
    """Whether results bound it from below."""
    has_high: bool
    is_centre: bool
    """Whether it is one of those from whose mean the strengths of its group are measured."""


def bounds_of(pairs: Mapping[Pair, tuple[int, int]]) -> dict[VersionId, Bounds]:
    """Return the bounds of all versions, given the half points and the matches of each pair."""
    scored: defaultdict[VersionId, set[VersionId]] = defaultdict(set)
    conceded: defaultdict[VersionId, set[VersionId]] = defaultdict(set)
    met: defaultdict[VersionId, set[VersionId]] = defaultdict(set)
    for (one, other), (half_points, matches) in pairs.items():
        for first, second, points in (
            (one, other, half_points),
            (other, one, 2 * matches - half_points),
        ):
            met[first].add(second)
            if points:
                scored[first].add(second)
                conceded[second].add(first)
    found: dict[VersionId, Bounds] = {}
    groups = sorted(parts_of(met, met, met), key=lambda part: (-len(part), min(part)))
    for number, group in enumerate(groups, start=1):
        cores = parts_of(group, scored, conceded)
        core = max(cores, key=lambda part: (len(part), len(_reach(part, scored)), -min(part)))
        low, high = _reach(core, conceded), _reach(core, scored)
        if len(core) == 1:
            # The mean of all is as good as any: each is compared with every other.
            core = group
            low = {each for each in group if _reach([each], scored) == group}
            high = {each for each in group if _reach([each], conceded) == group}
        for each in group:
            found[each] = Bounds(number, each in low, each in high, each in core)
    return found


def parts_of(members: Iterable[VersionId], links: _Links, back: _Links) -> list[set[VersionId]]:
    """Return the sets of members that lead to each other by these links, and back."""
    left, parts = set(members), []
    while left:
        start = [min(left)]
        parts.append(_reach(start, links) & _reach(start, back))
        left -= parts[-1]
    return parts


def _reach(start: Iterable[VersionId], links: _Links) -> set[VersionId]:
    """Return where links lead to from these versions, which are included."""
    found = set(start)
    ahead = list(found)
    while ahead:
        new = set(links.get(ahead.pop(), ())) - found
        found |= new
        ahead += new
    return found

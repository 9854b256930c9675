"""Matches that repeat earlier ones: the same deal, with the same versions in the same seats.

Such a match is not new evidence. It is stored and counts for its event, but not for ratings and
strengths. Only events whose deals come from the same secret can have the same deals, so nothing has
to be searched for unless a seed or a secret is used again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from arena.indices import VersionId
from leaderboard.result import FORFEIT, MatchResult
from leaderboard.store import Reader

MatchKey = tuple[str, tuple[VersionId, ...]]
"""The seed of a deal in hexadecimal digits, and the versions by seat."""


class Repeats(NamedTuple):
    """What an event repeats."""

    events: tuple[str, ...]
    """The names of the events with the same deals whose matches it repeats."""
    matches: int
    """How many of its matches are repeats, and not rated for that reason."""


def key_of(result: MatchResult) -> MatchKey:
    """Return what two matches share if one repeats the other."""
    return result.seed.hex(), tuple(seat.version for seat in result.seats)


def events_with_same_deals(reader: Reader, event: int) -> dict[int, str]:
    """Return the other events of a variant with the secret of this one: names by id."""
    rows = reader.rows(
        """
        SELECT other.id, other.name
        FROM events JOIN events AS other USING (commitment, variant)
        WHERE events.id = ? AND other.id != events.id
        ORDER BY other.id
        """,
        [event],
    )
    return {int(other): str(name) for other, name in rows}


def rated_elsewhere(reader: Reader, event: int) -> dict[MatchKey, int]:
    """Return the rated matches of events with the same deals, each with its id."""
    others = list(events_with_same_deals(reader, event))
    found: dict[MatchKey, int] = {}
    for match in _matches_of(reader, others):
        if match.rated:
            found.setdefault(match.key, match.id)
    return found


def repeated_numbers(reader: Reader, event: int) -> frozenset[int]:
    """Return the numbers of the matches that repeat one which was stored and rated before."""
    earlier = rated_elsewhere(reader, event)
    if not earlier:
        return frozenset()
    return frozenset(
        match.number
        for match in _matches_of(reader, [event])
        if match.key in earlier and earlier[match.key] < match.id
    )


def repeats_of(reader: Reader, event: int) -> Repeats:
    """Return which events an event repeats, and in how many matches that are not rated."""
    others = events_with_same_deals(reader, event)
    own = {match.key for match in _matches_of(reader, [event]) if others and not match.rated}
    names = [
        name
        for other, name in others.items()
        if any(match.rated and match.key in own for match in _matches_of(reader, [other]))
    ]
    return Repeats(tuple(names), len(own) if names else 0)


class _StoredMatch(NamedTuple):
    id: int
    number: int
    rated: bool
    key: MatchKey


def _matches_of(reader: Reader, events: Sequence[int]) -> Iterator[_StoredMatch]:
    """Yield the matches of these events that were played, in the order in which they were."""
    marks = ", ".join("?" * len(events))
    rows = reader.rows(
        f"""
        SELECT id, number, rated, seed, version
        FROM matches JOIN seats ON seats.match = matches.id
        WHERE event IN ({marks}) AND matches.ending != ?
        ORDER BY id, seat
        """,
        [*events, FORFEIT],
    )
    for (match, number, rated, seed), seats in groupby(rows, key=itemgetter(0, 1, 2, 3)):
        versions = tuple(row[4] for row in seats)
        yield _StoredMatch(match, number, bool(rated), (seed, versions))

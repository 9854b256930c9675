"""The standings of an event.

A pairing is worth the mean of its matches, from 0 to 1, and a bye is worth 1. Entrants are ranked
by points, except where opposition differs a lot: a Swiss event at tables of three and more seats
the leaders together, so its entrants are ranked by adjusted points, which are the points plus the
mean points of the opponents. (Two tables of four that are won by the same score are worth more if
the others there do well elsewhere.) arena/scheduling/README.md compares this with other standings.

Ties are broken by, in this order:

1. points;
2. opponents: the points of the opponents met (Buchholz), averaged for each pairing;
3. direct result: the share of the matches among those still tied, if all of them met equally often;
4. wins: the matches in which the entrant was first and no opponent shared that place;
5. the rating, if there are ratings.

Entrants that are equal in all of these share a rank. Among opponents, a bye and a pairing without a
played match count as meeting an equal. Means are added up where Buchholz adds up points, so a seat
at a larger table is no advantage; with tables of one size the order is the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import NamedTuple

from arena.indices import EntrantIndex, VersionId
from arena.scheduling.pairing import Bye
from arena.scheduling.points import points_of
from leaderboard.result import FORFEIT, PLAYED, HeadToHead, MatchResult, is_win
from leaderboard.sides import Sides


class StandingsRow(NamedTuple):
    """The row of one entrant."""

    rank: int
    entrant: EntrantIndex
    points: Fraction
    adjusted: Fraction | None
    """Its points plus the mean points of its opponents; None in an event ranked by points."""
    opponents: Fraction
    direct: Fraction | None
    """Its share of the matches against tied entrants, from 0 to 1; None if it does not apply."""
    wins: int
    rating: float | None
    matches: int
    """The number of matches that it played."""
    forfeited: int
    """Its matches that were not played, because a bot at the table was suspended."""
    byes: int
    mean_place: Fraction | None
    """None if it has not played."""
    faults: int
    breaks: int
    """Failures that voided matches and that no fault explains."""


ADJUSTED = (
    "Ranked by adjusted points: a bot's points plus the mean points of its opponents, because "
    "leaders meet leaders."
)
"""Explains the column to those who read the standings."""
APART = (
    "Some bots of this event never met, not even through others: strengths and their ranks compare "
    "only those that did."
)
"""Explains strengths where not all bots can be compared."""
Meetings = Mapping[tuple[EntrantIndex, EntrantIndex], HeadToHead]


def is_adjusted(kind: str, seats: int) -> bool:
    """Whether an event of this kind, at tables of up to `seats`, is ranked by adjusted points.

    At tables of two, points with their tie-breaks stay first, as everywhere in Swiss events.
    """
    return kind == "swiss" and seats > 2


def standings(
    matches: Sequence[MatchResult],
    *,
    field: Sequence[VersionId],
    sides: Sides,
    byes: Sequence[Bye] = (),
    ratings: Sequence[float] | None = None,
    by_adjusted: bool = False,
) -> list[StandingsRow]:
    """Rank the entrants of an event by the matches stored so far.

    `by_adjusted` ranks by adjusted points, otherwise by points.
    """
    index = _index(field)
    tallies = _tallies(matches, index, sides)
    for bye in byes:
        tallies[bye.entrant].byes += 1
    totals = [tally.points() for tally in tallies]
    opponents = [tally.opponents(totals, totals[e]) for e, tally in enumerate(tallies)]
    adjusted = [
        total + against / max(tally.pairings, 1) if by_adjusted else None
        for total, against, tally in zip(totals, opponents, tallies, strict=True)
    ]
    equals = defaultdict(list)
    for entrant in index.values():
        equals[adjusted[entrant], totals[entrant], opponents[entrant]].append(entrant)
    met = meetings(matches, field=field, sides=sides)
    direct = {
        e: share for group in equals.values() for e, share in _direct_shares(group, met).items()
    }
    lines = [
        StandingsRow(
            rank=0,
            entrant=entrant,
            points=totals[entrant],
            adjusted=adjusted[entrant],
            opponents=opponents[entrant],
            direct=direct.get(entrant),
            wins=tally.wins,
            rating=ratings[entrant] if ratings else None,
            matches=tally.matches,
            forfeited=tally.forfeited,
            byes=tally.byes,
            mean_place=Fraction(tally.places, tally.matches) if tally.matches else None,
            faults=tally.faults,
            breaks=tally.breaks,
        )
        for entrant, tally in zip(index.values(), tallies, strict=True)
    ]
    lines.sort(key=_merits, reverse=True)  # equals stay in the order of the field
    ranked: list[StandingsRow] = []
    for place, line in enumerate(lines, 1):
        shared = ranked and _merits(line) == _merits(ranked[-1])
        ranked.append(line._replace(rank=ranked[-1].rank if shared else place))
    return ranked


def _merits(line: StandingsRow) -> tuple[Fraction | float, ...]:
    """Return what decides about a rank, the most important first."""
    adjusted, direct = line.adjusted or Fraction(), line.direct or Fraction()
    return adjusted, line.points, line.opponents, direct, line.wins, line.rating or 0.0


def meetings(
    matches: Sequence[MatchResult], *, field: Sequence[VersionId], sides: Sides
) -> Meetings:
    """Return how each entrant did against each opponent that it met."""
    index = _index(field)
    met: dict[tuple[EntrantIndex, EntrantIndex], HeadToHead] = {}
    for match in matches:
        if not match.is_played:
            continue
        seats = [
            (index[seat.version], seat.place, side)
            for seat, side in zip(match.seats, sides(len(match.seats)), strict=True)
        ]
        for (one, place, side), (other, its_place, its_side) in permutations(seats, 2):
            if side != its_side:
                met[one, other] = met.get((one, other), HeadToHead()).plus(place, its_place)
    return met


def crosstable(lines: Sequence[StandingsRow], met: Meetings) -> list[list[HeadToHead | None]]:
    """Return a table of results in the order of the standings; None for pairs that never met."""
    order = [line.entrant for line in lines]
    return [[met.get((one, other)) for other in order] for one in order]


def _index(field: Sequence[VersionId]) -> dict[VersionId, EntrantIndex]:
    return {version: EntrantIndex(number) for number, version in enumerate(field)}


class _Tally:
    """The totals of one entrant."""

    def __init__(self) -> None:
        self.matches = self.forfeited = self.places = self.wins = 0
        self.faults = self.breaks = self.byes = 0
        self._points: defaultdict[int, list[Fraction]] = defaultdict(list)
        self._rivals: defaultdict[int, set[EntrantIndex]] = defaultdict(set)
        """The opponents that it met, by pairing."""

    def add(
        self, match: MatchResult, number: int, points: Fraction, rivals: Sequence[EntrantIndex]
    ) -> None:
        """Count a match in which it had the seat `number`."""
        seat = match.seats[number]
        self._points[match.pairing].append(points)
        self.faults += seat.ending not in (PLAYED, FORFEIT)
        self.breaks += seat.breaks
        if match.is_played:
            self.matches += 1
            self.places += seat.place
            self._rivals[match.pairing].update(rivals)
        else:
            self.forfeited += 1

    def points(self) -> Fraction:
        """Return the sum of the means of its pairings, and of its byes."""
        return sum((_mean(points) for points in self._points.values()), Fraction(self.byes))

    @property
    def pairings(self) -> int:
        """The number of its pairings, byes included."""
        return self.byes + len(self._points)

    def opponents(self, totals: Sequence[Fraction], own: Fraction) -> Fraction:
        """Return the sum of the mean points of its opponents, over its pairings."""
        alone = self.pairings - len(self._rivals)
        means = (_mean([totals[rival] for rival in rivals]) for rivals in self._rivals.values())
        return sum(means, alone * own)


def _tallies(
    matches: Sequence[MatchResult], index: Mapping[VersionId, EntrantIndex], sides: Sides
) -> list[_Tally]:
    tallies = [_Tally() for _ in index]
    for match in matches:
        side_of = sides(len(match.seats))
        entrants = [index[seat.version] for seat in match.seats]
        places = [seat.place for seat in match.seats]
        points = points_of(places, side_of)
        for seat, entrant in enumerate(entrants):
            rivals = [
                other
                for other, side in zip(entrants, side_of, strict=True)
                if side != side_of[seat]
            ]
            tallies[entrant].add(match, seat, points[seat], rivals)
            if match.is_played:
                tallies[entrant].wins += is_win(seat, places, side_of)
    return tallies


def _mean(numbers: Sequence[Fraction]) -> Fraction:
    return sum(numbers, Fraction()) / len(numbers)


def _direct_shares(equals: Sequence[EntrantIndex], met: Meetings) -> dict[EntrantIndex, Fraction]:
    """Return the share of each against the others; nothing unless all met equally often."""
    counts = {met[pair].matches if pair in met else 0 for pair in combinations(equals, 2)}
    if len(counts) != 1 or counts == {0}:
        return {}
    return {
        one: _mean([met[one, other].share for other in equals if other != one]) for one in equals
    }

"""Who is where in an event?

A pairing is worth the mean of its matches, from 0 to 1, and a bye is worth 1. Where points are
equal, these decide, one after the other:

1. opponents: the points of those whom one met (Buchholz), for each pairing their mean;
2. direct result: what those who are still equal took from each other, if all of them met, and
   equally often;
3. wins: the matches in which one was first and somebody was not;
4. the rating, if there are ratings.

Who is equal in all of them shares a rank. A bye, and a pairing of which nothing was played, count
for the first as if one had met one's equal. It adds up means where Buchholz adds up points, so that
a seat at a larger table is no advantage; with tables of one size the order is the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import NamedTuple

from arena.scheduling.pairing import Bye
from arena.scheduling.points import points_of


class MatchResult(NamedTuple):
    """What standings need to know of a match."""

    pairing: int
    """The number of its pairing."""
    seating: tuple[int, ...]
    """The entrants by seat."""
    places: tuple[int, ...]
    sides: tuple[int, ...]
    """For each seat the side that it plays for."""
    faulted: frozenset[int] = frozenset()
    """The entrants that faulted, or on whose account the match was not played."""
    breaks: tuple[int, ...] = ()
    """For each seat how often its bot broke without a fault to show for it; empty if never."""
    played: bool = True
    """A match that was not played gives points, but is no meeting, no win and no place."""


class Line(NamedTuple):
    """One entrant's line of the standings."""

    rank: int
    entrant: int
    points: Fraction
    opponents: Fraction
    direct: Fraction | None
    """Its share of the matches against its equals, from 0 to 1; None if that decides nothing."""
    wins: int
    rating: float | None
    matches: int
    """How many it played."""
    byes: int
    mean_place: Fraction | None
    """None if it has played no match."""
    faults: int
    breaks: int
    """How often it broke and voided matches without a fault to show for it."""


class Meeting(NamedTuple):
    """How one entrant did against another."""

    matches: int
    share: Fraction
    """The share of them in which it finished ahead, a tie being half."""


Meetings = Mapping[tuple[int, int], Meeting]


def standings(
    matches: Sequence[MatchResult],
    *,
    entrants: int,
    byes: Sequence[Bye] = (),
    ratings: Sequence[float] | None = None,
) -> list[Line]:
    """Rank the entrants of an event, or of as much of it as there is."""
    tallies = [_Tally() for _ in range(entrants)]
    for bye in byes:
        tallies[bye.entrant].byes += 1
    for match in matches:
        points = points_of(match.places, match.sides)
        for seat, entrant in enumerate(match.seating):
            tallies[entrant].add(match, seat, points[seat])
    totals = [tally.points() for tally in tallies]
    opponents = [tally.opponents(totals, totals[e]) for e, tally in enumerate(tallies)]
    equals = defaultdict(list)
    for entrant in range(entrants):
        equals[totals[entrant], opponents[entrant]].append(entrant)
    met = meetings(matches)
    direct = {e: share for group in equals.values() for e, share in _direct(group, met).items()}

    def merits(entrant: int) -> tuple[Fraction, Fraction, Fraction, int, float]:
        return (
            totals[entrant],
            opponents[entrant],
            direct.get(entrant, Fraction()),
            tallies[entrant].wins,
            ratings[entrant] if ratings else 0.0,
        )

    lines: list[Line] = []
    ranking = sorted(range(entrants), key=lambda entrant: [-m for m in merits(entrant)])
    for place, entrant in enumerate(ranking):
        shared = place > 0 and merits(entrant) == merits(ranking[place - 1])
        tally = tallies[entrant]
        lines.append(
            Line(
                rank=lines[-1].rank if shared else place + 1,
                entrant=entrant,
                points=totals[entrant],
                opponents=opponents[entrant],
                direct=direct.get(entrant),
                wins=tally.wins,
                rating=ratings[entrant] if ratings else None,
                matches=tally.matches,
                byes=tally.byes,
                mean_place=Fraction(tally.places, tally.matches) if tally.matches else None,
                faults=tally.faults,
                breaks=tally.breaks,
            )
        )
    return lines


def meetings(matches: Sequence[MatchResult]) -> Meetings:
    """Return how each did against each other that it met as an opponent."""
    counts: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
    for match in matches:
        if not match.played:
            continue
        seats = list(zip(match.seating, match.places, match.sides, strict=True))
        for (one, place, side), (other, its_place, its_side) in permutations(seats, 2):
            if side != its_side:
                count = counts[one, other]
                count[0] += 1
                count[1] += (place < its_place) + (place <= its_place)
    return {pair: Meeting(n, Fraction(halves, 2 * n)) for pair, (n, halves) in counts.items()}


def crosstable(lines: Sequence[Line], met: Meetings) -> list[list[Meeting | None]]:
    """Return a row for each line, with what it did against each line; None if they never met."""
    order = [line.entrant for line in lines]
    return [[met.get((one, other)) for other in order] for one in order]


class _Tally:
    """What one entrant has done so far."""

    def __init__(self) -> None:
        self.matches = self.places = self.wins = self.faults = self.breaks = self.byes = 0
        self._points: defaultdict[int, list[Fraction]] = defaultdict(list)
        self._rivals: defaultdict[int, set[int]] = defaultdict(set)
        """Those whom it met, by pairing."""

    def add(self, match: MatchResult, seat: int, points: Fraction) -> None:
        """Enter a match."""
        self._points[match.pairing].append(points)
        self.faults += match.seating[seat] in match.faulted
        self.breaks += match.breaks[seat] if match.breaks else 0
        if match.played:
            self.matches += 1
            self.places += match.places[seat]
            self.wins += match.places[seat] == 1 < max(match.places)
            self._rivals[match.pairing].update(
                other
                for other, side in zip(match.seating, match.sides, strict=True)
                if side != match.sides[seat]
            )

    def points(self) -> Fraction:
        """Add up the means of the pairings, and the byes."""
        return sum((_mean(points) for points in self._points.values()), Fraction(self.byes))

    def opponents(self, totals: Sequence[Fraction], own: Fraction) -> Fraction:
        """Add up the mean points of the opponents of each pairing."""
        alone = self.byes + len(self._points) - len(self._rivals)
        means = (_mean([totals[rival] for rival in rivals]) for rivals in self._rivals.values())
        return sum(means, alone * own)


def _mean(numbers: Sequence[Fraction]) -> Fraction:
    return sum(numbers, Fraction()) / len(numbers)


def _direct(equals: Sequence[int], met: Meetings) -> dict[int, Fraction]:
    """Return what each of them took from the others; nothing unless all met equally often."""
    often = {met[pair].matches if pair in met else 0 for pair in combinations(equals, 2)}
    if len(often) != 1 or often == {0}:
        return {}
    return {
        one: _mean([met[one, other].share for other in equals if other != one]) for one in equals
    }

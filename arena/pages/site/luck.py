"""How much of a match is luck, from deals that were played in every rotation of the seats.

In such a deal, each bot has held each hand once. The points of its matches differ because of the
bots (one does well with every hand), of the hands (one does well in every bot's hands, its seat
included), and of everything else: chance in the play, and how bots and hands suit each other. The
analysis of variance separates the three. A deal at a table of n seats has n² results; bots and
hands take n − 1 degrees of freedom each, matches another n − 1, because the points of a match have
a fixed sum, and (n − 1)(n − 2) remain for the rest. At tables of two, nothing remains, so hands and
the rest cannot be told apart; with partners, bots are not told apart. Neither is analysed.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from leaderboard.matches import StoredMatch

_GROUPS = 20
"""The interval comes from leaving out one of this many groups of deals at a time."""
_T = 2.093024
"""95 % of Student's distribution with one degree of freedom less lies within this."""
_FEWEST_DEALS = _GROUPS


class Luck(NamedTuple):
    """What the results at tables of one size depend on; the three shares add up to 1."""

    variant: int
    seats: int
    deals: int
    bots: float
    hands: float
    rest: float
    bots_reach: float
    hands_reach: float
    rest_reach: float
    """Half the widths of the 95 % intervals."""


class _Sums(NamedTuple):
    """Sums of squares over some deals."""

    deals: int = 0
    bots: float = 0.0
    hands: float = 0.0
    rest: float = 0.0

    def plus(self, other: _Sums, sign: int = 1) -> _Sums:
        return _Sums(
            self.deals + sign * other.deals,
            self.bots + sign * other.bots,
            self.hands + sign * other.hands,
            self.rest + sign * other.rest,
        )


def luck(matches: Iterable[StoredMatch], variants: Mapping[int, int]) -> list[Luck]:
    """Return the shares by variant and size of table; `variants` maps events to variants.

    Sizes with few complete deals are left out.
    """
    deals: defaultdict[tuple[int, int, int], list[StoredMatch]] = defaultdict(list)
    for match in matches:
        result = match.result
        if result.is_played and len(result.seats) > 2 and result.seats[0].team is None:
            deals[match.event, result.pairing, result.deal].append(match)
    groups: defaultdict[tuple[int, int], list[_Sums]] = defaultdict(
        lambda: [_Sums() for _ in range(_GROUPS)]
    )
    for (event, _, _), played in deals.items():
        seats = len(played[0].result.seats)
        if len(played) == seats:
            of_variant = groups[variants[event], seats]
            number = sum(group.deals for group in of_variant) % _GROUPS
            of_variant[number] = of_variant[number].plus(_squares(played))
    return [
        _shares_with_reach(variant, seats, sums)
        for (variant, seats), sums in sorted(groups.items())
        if sum(group.deals for group in sums) >= _FEWEST_DEALS
    ]


def _squares(played: Sequence[StoredMatch]) -> _Sums:
    """Return the sums of squares of one deal, around the mean of its points."""
    seats = len(played)
    by_bot: defaultdict[int, float] = defaultdict(float)
    by_hand = [0.0] * seats
    total = squares = 0.0
    for match in played:
        for hand, seat in enumerate(match.result.seats):
            by_bot[seat.version] += seat.points
            by_hand[hand] += seat.points
            total += seat.points
            squares += seat.points**2
    centre = total**2 / seats**2
    bots = sum(points**2 for points in by_bot.values()) / seats - centre
    hands = sum(points**2 for points in by_hand) / seats - centre
    return _Sums(1, bots, hands, squares - centre - bots - hands)


def _shares(sums: _Sums, seats: int) -> tuple[float, float, float]:
    """Return the components of the variance of a result, as shares of their sum."""
    rest = sums.rest / sums.deals / ((seats - 1) * (seats - 2))
    # A mean square of bots contains the rest once and the bots' own component `seats` times.
    bots, hands = (
        max(0.0, (square / sums.deals / (seats - 1) - rest) / seats)
        for square in (sums.bots, sums.hands)
    )
    rest = max(0.0, rest)
    whole = bots + hands + rest
    return (bots / whole, hands / whole, rest / whole) if whole else (0.0, 0.0, 1.0)


def _shares_with_reach(variant: int, seats: int, groups: Sequence[_Sums]) -> Luck:
    whole = _Sums()
    for group in groups:
        whole = whole.plus(group)
    without = [_shares(whole.plus(group, -1), seats) for group in groups]
    reaches = []
    for values in zip(*without, strict=True):
        mean = math.fsum(values) / _GROUPS
        spread = math.fsum((value - mean) ** 2 for value in values)
        reaches.append(_T * math.sqrt(spread * (_GROUPS - 1) / _GROUPS))
    return Luck(variant, seats, whole.deals, *_shares(whole, seats), *reaches)

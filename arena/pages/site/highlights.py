"""Select the matches that get a replay page.

A replay page is a hundred times as large as a match's row in a table. By default, only the matches
that readers are likely to look for get one: each bot's best and worst matches, the first faults of
an event, and its last match. The selection does not depend on ratings, which change with every
match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from arena.pages.site.data import LeagueData, ListedFault
from leaderboard.bots import Version
from leaderboard.matches import StoredMatch
from leaderboard.result import PLAYED, SeatResult

BEST = 3
"""Number of best matches on a bot's page, and of worst ones."""
FAULTS = 20
"""Number of faults of an event with replay pages."""


class Appearance(NamedTuple):
    """A bot in a match."""

    match: StoredMatch
    seat: int

    @property
    def result(self) -> SeatResult:
        """The bot's result."""
        return self.match.result.seats[self.seat]

    @property
    def margin(self) -> float:
        """The difference between its score and the mean score of the others."""
        others = [
            seat.score for number, seat in enumerate(self.match.result.seats) if number != self.seat
        ]
        return self.result.score - sum(others) / len(others)


class Highlights(NamedTuple):
    """A bot's best and worst matches, each list starting with the extreme."""

    best: list[Appearance]
    worst: list[Appearance]


def highlights(
    matches: Iterable[StoredMatch], versions: Mapping[int, Version]
) -> dict[str, Highlights]:
    """Return the highlights of each bot, by points and margin; a fault is worse than any loss."""
    played: defaultdict[str, list[tuple[tuple[float, bool, float, int], Appearance]]]
    played = defaultdict(list)
    for match in matches:
        if match.result.is_played:
            for number, seat in enumerate(match.result.seats):
                appearance = Appearance(match, number)
                # Prefer the older of equal matches: later matches do not displace it.
                merit = (seat.points, seat.ending == PLAYED, appearance.margin, -match.id)
                played[versions[seat.version].bot].append((merit, appearance))
    chosen = {}
    for bot, appearances in played.items():
        ordered = [appearance for _, appearance in sorted(appearances, reverse=True)]
        chosen[bot] = Highlights(ordered[:BEST], ordered[BEST:][: -BEST - 1 : -1])
    return chosen


def first_faults(faults: Iterable[ListedFault]) -> list[ListedFault]:
    """Return the faults to show: the first of every kind before the second of any kind."""
    seen: defaultdict[tuple[int, str], int] = defaultdict(int)
    ordered = []
    for fault in faults:
        kind = (fault.version, fault.ending)
        ordered.append((seen[kind], fault))
        seen[kind] += 1
    # The sort is stable: equals stay in the order of the schedule.
    return [fault for _, fault in sorted(ordered, key=lambda pair: pair[0])][:FAULTS]


def matches_with_pages(
    league: LeagueData, by_bot: Mapping[str, Highlights], newest: int | None
) -> list[StoredMatch]:
    """Return the highlights and the `newest` matches; None means all matches."""
    stored = [match for match in league.matches() if match.has_replay]
    if newest is None:
        return stored
    chosen = {
        appearance.match.id for each in by_bot.values() for appearance in (*each.best, *each.worst)
    }
    for details in league.events.values():
        chosen.update(fault.match.id for fault in first_faults(details.faults))
        chosen.update(match.id for match in details.matches[-1:])
    by_age = sorted(match.id for match in stored)
    chosen.update(by_age[len(by_age) - min(newest, len(by_age)) :])
    return [match for match in stored if match.id in chosen]

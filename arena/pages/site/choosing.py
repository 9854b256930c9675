"""Which matches are worth a page of their own?

A replay's page is a hundred times as large as a match's line in a table, so by default only those
are made that somebody is likely to look for: each bot's best and worst matches, the first faults of
an event, and how an event ended. None of them depends on a rating, which moves with every match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from arena.pages.site.data import Fault, League
from leaderboard.bots import Version
from leaderboard.report import FinishedMatch, FinishedSeat
from leaderboard.results import PLAYED

BEST = 3
"""How many of its best matches a bot's page shows, and of its worst."""
FAULTS = 20
"""How many faults of an event can be looked at."""


class Appearance(NamedTuple):
    """A bot at a table."""

    match: FinishedMatch
    seat: int

    @property
    def of(self) -> FinishedSeat:
        """How the match ended for it."""
        return self.match.seats[self.seat]

    @property
    def margin(self) -> float:
        """By how much its score was above the mean of the others'."""
        others = [seat.score for number, seat in enumerate(self.match.seats) if number != self.seat]
        return self.of.score - sum(others) / len(others)


class Highlights(NamedTuple):
    """A bot's best and worst matches, the best and the worst one first."""

    best: list[Appearance]
    worst: list[Appearance]


def highlights(
    matches: Iterable[FinishedMatch], versions: Mapping[int, Version]
) -> dict[str, Highlights]:
    """Return each bot's: by points and margin, a fault being worse than any loss."""
    played: defaultdict[str, list[tuple[tuple[float, bool, float, int], Appearance]]]
    played = defaultdict(list)
    for match in matches:
        if match.is_played:
            for number, seat in enumerate(match.seats):
                one = Appearance(match, number)
                # Of equals the older one: it stays, whatever is played later.
                merit = (seat.points, seat.ending == PLAYED, one.margin, -match.id)
                played[versions[seat.version].bot].append((merit, one))
    chosen = {}
    for bot, appearances in played.items():
        ordered = [one for _, one in sorted(appearances, reverse=True)]
        chosen[bot] = Highlights(ordered[:BEST], ordered[BEST:][: -BEST - 1 : -1])
    return chosen


def first_faults(faults: Iterable[Fault]) -> list[Fault]:
    """Return faults to look at, the first of every kind before the second of any."""
    seen: defaultdict[tuple[int, str], int] = defaultdict(int)
    ordered = []
    for fault in faults:
        kind = (fault.version, fault.ending)
        ordered.append((seen[kind], fault))
        seen[kind] += 1
    # Sorting keeps the schedule's order among equals.
    return [fault for _, fault in sorted(ordered, key=lambda one: one[0])][:FAULTS]


def chosen_matches(
    league: League, shown: Mapping[str, Highlights], newest: int | None
) -> list[FinishedMatch]:
    """Return the matches that get pages, and besides them the newest so many; None means all."""
    stored = [match for match in league.matches() if match.is_stored]
    if newest is None:
        return stored
    chosen = {one.match.id for each in shown.values() for one in (*each.best, *each.worst)}
    for story in league.events.values():
        chosen.update(fault.match.id for fault in first_faults(story.faults))
        chosen.update(match.id for match in story.matches[-1:])
    by_age = sorted(match.id for match in stored)
    chosen.update(by_age[len(by_age) - min(newest, len(by_age)) :])
    return [match for match in stored if match.id in chosen]

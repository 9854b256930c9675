"""Select the matches that get a replay page.

A replay page is a hundred times as large as a match's row in a table. By default, only the matches
that readers are likely to look for get one: each bot's best and worst matches, the first faults of
an event, and its last match. The selection does not depend on ratings, which change with every
match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from statistics import fmean, pstdev
from typing import NamedTuple

from arena.games.registry import game_named
from arena.indices import VersionId
from arena.pages.site.data import LeagueData, ListedFault
from leaderboard.bots import Version
from leaderboard.matches import StoredMatch
from leaderboard.result import PLAYED, SeatResult

BEST = 3
"""Number of best matches on a bot's page, and of worst ones."""
FAULTS = 20
"""Number of faults of an event with replay pages."""
SMALL, SMALL_EVENTS = 60, 5
"""All matches of an event with no more than this many get pages, for that many latest events."""


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
        scores = [seat.score for seat in self.match.result.seats]
        own = scores[self.seat]
        return own - (sum(scores) - own) / (len(scores) - 1)


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


class Watch(NamedTuple):
    """A match worth watching, and why."""

    match: StoredMatch
    reason: str


def worth_watching(league: LeagueData, allowed: Collection[int] | None = None) -> list[Watch]:
    """Select up to three matches, each for another reason; without faults, and with replays.

    These are the closest one between the strongest bots, the greatest upset and the highest score.
    With `allowed`, only these matches are considered.
    """
    ranks = {(line.variant_id, line.version_id): line.rank for line in league.ratings if line.rank}
    found: list[Watch] = []
    for select in (_closest, _upset, _highest):
        taken = {each.match.id for each in found}
        candidates = [
            match
            for match in league.matches()
            if match.has_replay
            and match.id not in taken
            and (allowed is None or match.id in allowed)
            and all(seat.ending == PLAYED for seat in match.result.seats)
        ]
        if candidates and (chosen := select(league, candidates, ranks)):
            found.append(chosen)
    return found


_Ranks = Mapping[tuple[int, VersionId], int]


def _winners(match: StoredMatch) -> list[SeatResult]:
    return sorted(match.result.seats, key=lambda seat: seat.place)


def _rank(league: LeagueData, ranks: _Ranks, match: StoredMatch, seat: SeatResult) -> int:
    return ranks.get((league.events[match.event].variant, seat.version), 999)


def _closest(league: LeagueData, matches: Sequence[StoredMatch], ranks: _Ranks) -> Watch | None:
    def merit(match: StoredMatch) -> tuple[int, int, int]:
        first, second, *_ = _winners(match)
        best = _rank(league, ranks, match, first) + _rank(league, ranks, match, second)
        return first.score - second.score, best, -match.id

    close = [match for match in matches if _winners(match)[1].place > 1]
    if not close:
        return None
    match = min(close, key=merit)
    first, second, *_ = _winners(match)
    word = game_named(league.events[match.event].event.game).score_word
    one, other = (league.versions[seat.version].bot for seat in (first, second))
    how = f", {first.score} to {second.score} {word}"
    if first.score == second.score:
        how = f" at equal scores, {first.score} {word} each"
    return Watch(match, f"The closest finish: {one} beats {other}{how}.")


def _upset(league: LeagueData, matches: Sequence[StoredMatch], ranks: _Ranks) -> Watch | None:
    def surprise(match: StoredMatch) -> tuple[int, int]:
        winner, *others = _winners(match)
        best = min(_rank(league, ranks, match, seat) for seat in others)
        return _rank(league, ranks, match, winner) % 999 - best, match.id

    won = [match for match in matches if _winners(match)[1].place > 1]
    match = max(won, key=surprise, default=None)
    if match is None or surprise(match)[0] < 1:
        return None
    winner, *others = _winners(match)
    loser = min(others, key=lambda seat: _rank(league, ranks, match, seat))
    names = [league.versions[seat.version].bot for seat in (winner, loser)]
    own, theirs = (_rank(league, ranks, match, seat) for seat in (winner, loser))
    return Watch(
        match, f"The greatest upset: {names[0]}, rank {own}, beats {names[1]}, rank {theirs}."
    )


def _highest(league: LeagueData, matches: Sequence[StoredMatch], ranks: _Ranks) -> Watch | None:
    by_game: defaultdict[str, list[StoredMatch]] = defaultdict(list)
    for match in matches:
        by_game[league.events[match.event].event.game].append(match)

    # Scores of different games cannot be compared: the one that stands out most is the highest.
    def record_of(game: str) -> tuple[float, StoredMatch]:
        scores = [_winners(match)[0].score for match in by_game[game]]
        spread = pstdev(scores) or 1.0
        best = max(by_game[game], key=lambda match: (_winners(match)[0].score, -match.id))
        return (max(scores) - fmean(scores)) / spread, best

    game = max(sorted(by_game), key=lambda game: record_of(game)[0])
    match = record_of(game)[1]
    best = _winners(match)[0]
    title, word = game_named(game).title, game_named(game).score_word
    name = league.versions[best.version].bot
    return Watch(match, f"The highest score in {title}: {name} has {best.score} {word}.")


def matches_with_pages(
    league: LeagueData, by_bot: Mapping[str, Highlights], newest: int | None
) -> list[StoredMatch]:
    """Return the matches that get pages; None for all matches.

    These are the highlights, the matches worth watching, all of the latest small events, and the
    `newest` ones.
    """
    stored = [match for match in league.matches() if match.has_replay]
    if newest is None:
        return stored
    chosen = {
        appearance.match.id for each in by_bot.values() for appearance in (*each.best, *each.worst)
    }
    for details in league.events.values():
        chosen.update(fault.match.id for fault in first_faults(details.faults))
        chosen.update(match.id for match in details.matches[-1:])
    chosen.update(each.match.id for each in worth_watching(league))
    small = [each for each in league.events.values() if len(each.matches) <= SMALL]
    for details in small[-SMALL_EVENTS:]:
        chosen.update(match.id for match in details.matches)
    by_age = sorted(match.id for match in stored)
    chosen.update(by_age[len(by_age) - min(newest, len(by_age)) :])
    return [match for match in stored if match.id in chosen]

"""What the page of a match links to: its league, event and bots, and the matches beside it.

The matches of one deal, which differ only in the seats, are compared in a table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup

from arena.pages.replay_page import Surroundings
from arena.pages.site import addresses
from arena.pages.site.data import EventDetails, LeagueData
from arena.pages.template import templates
from leaderboard.bots import Version
from leaderboard.events import Event
from leaderboard.matches import StoredMatch

_ROOT = "../../"
"""From a page of a match to the first page of the site."""
_Neighbours = tuple[int | None, int | None]
"""The numbers of the matches before and after."""


def surroundings_of(
    league: LeagueData, with_pages: Collection[int]
) -> Callable[[StoredMatch], Surroundings]:
    """Return a function for the surroundings of a match; only matches `with_pages` are linked."""
    write = _Writer(league.versions, league.bot_slugs)
    neighbours: dict[int, _Neighbours] = {}
    deals: defaultdict[tuple[int, bytes], list[StoredMatch]] = defaultdict(list)
    for details in league.events.values():
        neighbours |= _neighbours(details, with_pages)
        for match in details.matches:
            deals[match.event, match.result.seed].append(match)

    def surroundings(match: StoredMatch) -> Surroundings:
        details = league.events[match.event]
        same_deal = [
            _OfDeal(each, each.id in with_pages) for each in deals[match.event, match.result.seed]
        ]
        beside = neighbours.get(match.id, (None, None))
        return write(details.event, details.slug, match, beside, same_deal)

    return surroundings


class _OfDeal(NamedTuple):
    """A match of a deal."""

    match: StoredMatch
    is_linked: bool


class _Writer:
    """Writes the surroundings of matches."""

    def __init__(self, versions: Mapping[int, Version], bot_slugs: Mapping[str, str]) -> None:
        """Take the versions by id, and the file names of the bots."""
        self._versions = versions
        self._bot_slugs = bot_slugs
        environment = templates("arena.pages.site", "templates")
        self._navigation = environment.get_template("replay_navigation.html")
        self._comparison = environment.get_template("replay_rotations.html")

    def __call__(
        self,
        event: Event,
        slug: str,
        match: StoredMatch,
        beside: _Neighbours,
        same_deal: Sequence[_OfDeal],
    ) -> Surroundings:
        """Write them for a match of this event, between two others and among those of its deal."""
        number = match.result.number
        versions = [self._versions[seat.version] for seat in match.result.seats]
        played = [each for each in same_deal if each.match.result.is_played]
        navigation = self._navigation.render(
            root=_ROOT,
            event=event.name,
            event_page=addresses.event_page(slug),
            number=number,
            previous=beside[0],
            next=beside[1],
        )
        comparison = self._comparison.render(
            number=number,
            matches=[(each.match.result.number, each.is_linked) for each in played],
            rows=[(version, _cells(played, version)) for version in versions],
        )
        return Surroundings(
            Markup(navigation),
            Markup(comparison if len(played) > 1 else ""),
            [_ROOT + addresses.bot_page(self._bot_slugs[version.bot]) for version in versions],
            _ROOT + addresses.rules_page(event.game),
        )


def _neighbours(details: EventDetails, with_pages: Collection[int]) -> dict[int, _Neighbours]:
    """Return the numbers of the matches with pages before and after each of them."""
    linked = [match for match in details.matches if match.id in with_pages]
    linked.sort(key=lambda match: match.result.number)
    before = {two.id: one.result.number for one, two in pairwise(linked)}
    after = {one.id: two.result.number for one, two in pairwise(linked)}
    return {match.id: (before.get(match.id), after.get(match.id)) for match in linked}


def _cells(same_deal: Sequence[_OfDeal], version: Version) -> list[str]:
    """Write what a bot did in each match of a deal."""
    return [
        ", ".join(
            f"seat {number} · place {seat.place} · {seat.score}"
            for number, seat in enumerate(each.match.result.seats)
            if seat.version == version.id
        )
        for each in same_deal
    ]

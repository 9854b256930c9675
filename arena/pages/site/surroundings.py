"""What the page of a match links to: its league, event and bots, and the matches beside it.

The matches of one deal, which differ only in the seats, are compared in a table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from itertools import pairwise

from arena.pages.replay_page import Surroundings
from arena.pages.site import addresses
from arena.pages.site.data import EventDetails, League
from arena.pages.site.render import templates
from leaderboard.bots import Version
from leaderboard.matches import StoredMatch

_ROOT = "../../"
"""From a page of a match to the first page of the site."""


def surroundings_of(
    league: League, with_pages: Collection[int]
) -> Callable[[StoredMatch], Surroundings]:
    """Return a function for the surroundings of a match; only matches `with_pages` are linked."""
    environment = templates()
    navigation = environment.get_template("replay_navigation.html")
    comparison = environment.get_template("replay_rotations.html")
    neighbours: dict[int, tuple[int | None, int | None]] = {}
    deals: defaultdict[tuple[int, bytes], list[StoredMatch]] = defaultdict(list)
    for details in league.events.values():
        neighbours |= _neighbours(details, with_pages)
        for match in details.matches:
            if match.result.is_played:
                deals[match.event, match.result.seed].append(match)

    def surroundings(match: StoredMatch) -> Surroundings:
        details = league.events[match.event]
        number, seats = match.result.number, match.result.seats
        previous, following = neighbours.get(match.id, (None, None))
        same_deal = deals[match.event, match.result.seed]
        versions = [league.versions[seat.version] for seat in seats]
        return Surroundings(
            navigation.render(
                root=_ROOT,
                event=details.event.name,
                event_page=addresses.event_page(details.slug),
                number=number,
                previous=previous,
                next=following,
            ),
            comparison.render(
                number=number,
                matches=[(each.result.number, each.id in with_pages) for each in same_deal],
                rows=[(each, _cells(same_deal, each)) for each in versions],
            )
            if len(same_deal) > 1
            else "",
            [_ROOT + addresses.bot_page(league.bot_slugs[version.bot]) for version in versions],
        )

    return surroundings


def event_trail(event: str, slug: str, number: int) -> str:
    """Return the way from the league to a match of which nothing else is known."""
    return (
        templates()
        .get_template("replay_navigation.html")
        .render(
            root=_ROOT,
            event=event,
            event_page=addresses.event_page(slug),
            number=number,
            previous=None,
            next=None,
        )
    )


def _neighbours(
    details: EventDetails, with_pages: Collection[int]
) -> dict[int, tuple[int | None, int | None]]:
    """Return the numbers of the matches with pages before and after each of them."""
    linked = [match for match in details.matches if match.id in with_pages]
    linked.sort(key=lambda match: match.result.number)
    before = {two.id: one.result.number for one, two in pairwise(linked)}
    after = {one.id: two.result.number for one, two in pairwise(linked)}
    return {match.id: (before.get(match.id), after.get(match.id)) for match in linked}


def _cells(matches: Iterable[StoredMatch], version: Version) -> list[str]:
    """Write what a bot did in each match of a deal."""
    return [
        ", ".join(
            f"seat {number} · place {seat.place} · {seat.score}"
            for number, seat in enumerate(match.result.seats)
            if seat.version == version.id
        )
        for match in matches
    ]

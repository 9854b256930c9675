"""What the page of a match links to: its league, event and bots, and the matches beside it.

The matches of one deal, which differ only in the seats, are compared in a table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence

from markupsafe import Markup

from arena.indices import VersionId
from arena.pages.replay_page import Surroundings
from arena.pages.site import addresses
from arena.pages.site.data import LeagueData
from arena.pages.template import templates
from leaderboard.matches import StoredMatch

_ROOT = "../../"
"""From a page of a match to the first page of the site."""


def surroundings_of(
    league: LeagueData, with_pages: Collection[int], title: str
) -> Callable[[StoredMatch], Surroundings]:
    """Return a function for the surroundings of a match; only matches `with_pages` are linked.

    The title is that of the site.
    """
    environment = templates("arena.pages.site", "templates")
    navigation = environment.get_template("replay_navigation.html")
    comparison = environment.get_template("replay_rotations.html")
    beside: dict[int, tuple[StoredMatch | None, StoredMatch | None]] = {}
    deals: defaultdict[tuple[int, bytes], list[StoredMatch]] = defaultdict(list)
    for details in league.events.values():
        for match in details.matches:
            if match.result.is_played:
                deals[match.event, match.result.seed].append(match)
        linked = [match for match in details.matches if match.id in with_pages]
        linked.sort(key=lambda match: match.result.number)
        near = zip([None, *linked[:-1]], [*linked[1:], None], strict=True) if linked else ()
        beside |= {match.id: both for match, both in zip(linked, near, strict=True)}

    def surroundings(match: StoredMatch) -> Surroundings:
        details = league.events[match.event]
        versions = [league.versions[seat.version] for seat in match.result.seats]
        same_deal = deals[match.event, match.result.seed]
        previous, following = beside.get(match.id, (None, None))
        return Surroundings(
            Markup(
                navigation.render(
                    root=_ROOT,
                    title=title,
                    event=details.event.name,
                    event_page=addresses.page("events", details.slug),
                    match=match,
                    previous=previous,
                    next=following,
                )
            ),
            Markup(
                comparison.render(
                    match=match,
                    matches=[(each, each.id in with_pages) for each in same_deal],
                    rows=[(version, _cells(same_deal, version.id)) for version in versions],
                )
                if len(same_deal) > 1
                else ""
            ),
            [_ROOT + addresses.page("bots", league.bot_slugs[version.bot]) for version in versions],
            _ROOT + addresses.page("rules", details.event.game),
        )

    return surroundings


def _cells(same_deal: Sequence[StoredMatch], version: VersionId) -> list[str]:
    """Write what a bot did in each match of a deal."""
    return [
        ", ".join(
            f"seat {number} · place {seat.place} · {seat.score}"
            for number, seat in enumerate(match.result.seats)
            if seat.version == version
        )
        for match in same_deal
    ]

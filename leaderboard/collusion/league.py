"""Search the results of a variant or of an event for collusion."""

from __future__ import annotations

from typing import NamedTuple

from arena.errors import BadInput, BadLeague
from arena.indices import VersionId
from leaderboard.bots import Version, all_versions
from leaderboard.collusion.search import CollusionSearch, SuspectPair, find_collusion
from leaderboard.events import Event
from leaderboard.sides import sides_of
from leaderboard.store import Reader
from leaderboard.strength.league import MOST_VERSIONS, variant_sums
from leaderboard.strength.stored_sums import complete_deals
from leaderboard.strength.sums import LeagueSums


class LeagueCollusion(NamedTuple):
    """What a search found in some matches of a league."""

    matches: int
    """Those of complete deals, the only ones that count."""
    versions: int
    seats: int
    """Of the largest table."""
    search: CollusionSearch
    by_id: dict[VersionId, Version]
    """The versions of the league."""

    def members(self, suspect: SuspectPair) -> tuple[Version, Version]:
        """Return the two versions of a suspect pair."""
        return self.by_id[suspect.first], self.by_id[suspect.second]


def collusion_in_variant(reader: Reader, variant: int) -> LeagueCollusion:
    """Search all matches of a variant."""
    return _search(reader, variant_sums(reader, variant))


def collusion_in_event(reader: Reader, event: Event) -> LeagueCollusion:
    """Search the matches of one event."""
    deals = complete_deals(
        reader, event.id, sides_of(event.game, event.parameters), end=event.rated_up_to
    )
    return _search(reader, LeagueSums.of(deal.results for deal in deals))


def _search(reader: Reader, sums: LeagueSums) -> LeagueCollusion:
    by_id = {version.id: version for version in all_versions(reader)}
    versions = sums.versions()
    if len(versions) > MOST_VERSIONS:
        raise BadInput(
            f"{len(versions)} bots are too many to be compared at once: the most are "
            f"{MOST_VERSIONS}; choose one event with --event"
        )
    try:
        search = find_collusion(sums)
        if not by_id.keys() >= set(versions):
            raise ValueError("there is no such version")
    except (ArithmeticError, ValueError):
        raise BadLeague(
            "the sums of its deals are damaged: restore the file from a backup"
        ) from None
    return LeagueCollusion(
        matches=sum(max(table.matches) * each.deals for table, each in sums.tables.items()),
        versions=len(versions),
        seats=max((len(table.versions) for table in sums.tables), default=0),
        search=search,
        by_id=by_id,
    )

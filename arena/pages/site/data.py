"""Everything that the pages of a league show.

It is read from one snapshot: a running event cannot change it midway, and is not blocked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from arena.games.registry import game_named
from arena.indices import VersionId
from arena.pages.site.addresses import slugs
from arena.pages.site.luck import Luck, luck
from arena.pages.site.seat_effects import EVERYONE, SeatEffect, seat_effects
from arena.scheduling.pairing import Bye
from arena.tournament.accounts import account_rows
from arena.tournament.sentences import event_notes, size_words, tables_of
from arena.tournament.standing import EventStanding, standing_of
from leaderboard.bots import Version, all_versions
from leaderboard.collusion.cycles import cycle_sentences
from leaderboard.events import Event, all_events, byes_of, sealing_of
from leaderboard.matches import StoredMatch, all_matches
from leaderboard.queries.accounts import Account, ModelAccount, accounts_of, model_accounts
from leaderboard.queries.event_totals import event_tables
from leaderboard.queries.leaderboards import (
    HeadToHeadRow,
    LeaderboardRow,
    Variant,
    all_ratings,
    by_strength,
    head_to_head,
    variants,
)
from leaderboard.queries.rating_histories import PastRatings, Sample, past_ratings, rating_histories
from leaderboard.result import FORFEIT, PLAYED
from leaderboard.store import Reader

PAST_EVENTS = 5
"""Number of events of a variant since which movement is shown."""
SAMPLES = 60
"""Maximum number of points on a rating's curve."""


class ListedFault(NamedTuple):
    """A fault of a version in a match."""

    match: StoredMatch
    version: int
    ending: str
    sentence: str


class FaultGroup(NamedTuple):
    """A version's faults of one kind."""

    times: int
    first: ListedFault
    last: ListedFault


class EventDetails(NamedTuple):
    """Everything shown about an event."""

    event: Event
    slug: str
    variant: int
    tables: str
    """How many matches it has had, and at tables of how many seats."""
    sizes: str
    """The sizes alone."""
    played: int
    forfeited: int
    notes: list[str]
    """What else there is to say about its results."""
    deals: str
    """Whether its deals were open or sealed."""
    standing: EventStanding
    planned: int
    """How many matches its pairings so far amount to."""
    byes: list[Bye]
    matches: list[StoredMatch]
    faults: list[ListedFault]
    """In the order of the schedule."""
    accounts: list[Account]
    """What its bots used."""
    models: list[ModelAccount]
    """What language models asked of their services."""


class LeagueData(NamedTuple):
    """Everything shown about a league."""

    variants: dict[int, Variant]
    events: dict[int, EventDetails]
    """By id, the oldest first."""
    versions: dict[int, Version]
    bots: dict[str, list[Version]]
    """The versions by bot name, the oldest bot first."""
    bot_slugs: dict[str, str]
    ratings: list[LeaderboardRow]
    histories: dict[tuple[int, VersionId], list[Sample]]
    """By variant and version."""
    meetings: dict[int, list[HeadToHeadRow]]
    """By version."""
    seat_effects: dict[int, list[SeatEffect]]
    """By version."""
    accounts: list[dict[str, Any]]
    """What each version used in each variant."""
    variant_slugs: dict[int, str]
    luck: list[Luck]
    past: list[PastRatings]
    """By variant, the latest event first."""
    beyond: dict[int, list[str]]
    """What results say beyond strengths, in sentences, by variant."""

    def effects(self, variant: int, version: int = EVERYONE) -> list[SeatEffect]:
        """Return the effects of seats in a variant, of a version or of all together."""
        effects = self.seat_effects.get(version, [])
        return [effect for effect in effects if effect.variant == variant]

    def matches(self) -> Iterable[StoredMatch]:
        """Yield every match, event by event."""
        return _matches_of(self.events)


def read_league(reader: Reader) -> LeagueData:
    """Read everything shown about a league."""
    with reader.snapshot():
        return _read(reader)


def _read(reader: Reader) -> LeagueData:
    variants_by_id = {variant.id: variant for variant in variants(reader)}
    versions: dict[int, Version] = {version.id: version for version in all_versions(reader)}
    bots = versions_of_bots(versions)
    meetings: defaultdict[int, list[HeadToHeadRow]] = defaultdict(list)
    for meeting in head_to_head(reader):
        meetings[meeting.version_id].append(meeting)
    events = _events(reader, variants_by_id)
    variant_of_event = {number: details.variant for number, details in events.items()}
    titles = {number: variant_title(variants_by_id[number]) for number in sorted(variants_by_id)}
    by_title = slugs(titles.values(), default="variant")
    return LeagueData(
        variants=variants_by_id,
        events=events,
        versions=versions,
        bots=bots,
        bot_slugs=slugs(bots, default="bot"),
        ratings=by_strength(all_ratings(reader)),
        histories=rating_histories(reader, SAMPLES),
        meetings=dict(meetings),
        seat_effects=seat_effects(_matches_of(events), variant_of_event),
        accounts=account_rows(reader, accounts_of(reader)),
        variant_slugs={number: by_title[title] for number, title in titles.items()},
        luck=luck(_matches_of(events), variant_of_event),
        past=past_ratings(reader, PAST_EVENTS),
        beyond={number: cycle_sentences(reader, number) for number in variants_by_id},
    )


def versions_of_bots(versions: Mapping[int, Version]) -> dict[str, list[Version]]:
    """Return the versions of each bot; older ones, and older bots, come first."""
    bots: dict[str, list[Version]] = {}
    for number in sorted(versions):
        bots.setdefault(versions[number].bot, []).append(versions[number])
    return bots


def variant_title(variant: Variant) -> str:
    """Return the name of a variant with that of its game."""
    return f"{game_named(variant.game).title}, {variant.name}"


def _matches_of(events: Mapping[int, EventDetails]) -> Iterator[StoredMatch]:
    return (match for details in events.values() for match in details.matches)


def _events(reader: Reader, variants_by_id: dict[int, Variant]) -> dict[int, EventDetails]:
    ids = {(variant.game, variant.parameters): variant.id for variant in variants_by_id.values()}
    events = all_events(reader)
    tables = event_tables(reader)
    names = slugs((event.name for event in events), default="event")
    by_event = groupby(all_matches(reader), key=attrgetter("event"))
    matches = {event: list(group) for event, group in by_event}
    seats = dict(reader.rows("SELECT event, count(*) FROM pairing_seats GROUP BY event"))
    return {
        event.id: EventDetails(
            event=event,
            slug=names[event.name],
            variant=ids[event.game, event.parameters],
            tables=tables_of(reader, event),
            sizes=size_words(tables[event.id].played),
            played=tables[event.id].matches,
            forfeited=tables[event.id].forfeited,
            notes=event_notes(reader, event),
            deals=sealing_of(reader, event),
            standing=standing_of(reader, event),
            planned=seats.get(event.id, 0) * event.deals,
            byes=byes_of(reader, event.id),
            matches=matches.get(event.id, []),
            faults=faults_in(matches.get(event.id, [])),
            accounts=accounts_of(reader, event=event.id),
            models=model_accounts(reader, event=event.id),
        )
        for event in events
    }


def faults_in(matches: Iterable[StoredMatch]) -> list[ListedFault]:
    """Return the faults; a forfeit is not a fault."""
    return [
        ListedFault(match, seat.version, seat.ending, seat.sentence)
        for match in matches
        for seat in match.result.seats
        if seat.ending not in (PLAYED, FORFEIT)
    ]


def group_faults(faults: Iterable[ListedFault]) -> list[FaultGroup]:
    """Group faults by version and kind, in order of first occurrence."""
    kinds: dict[tuple[int, str], list[ListedFault]] = {}
    for fault in faults:
        kinds.setdefault((fault.version, fault.ending), []).append(fault)
    return [FaultGroup(len(each), each[0], each[-1]) for each in kinds.values()]

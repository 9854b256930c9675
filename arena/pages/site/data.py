"""What do the pages of a league tell?

All of it is read at once, from one snapshot: a running event changes nothing halfway, and is never
in anybody's way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from arena.events.standing import EventStanding, standing_of
from arena.pages.site.addresses import slugs
from arena.pages.site.seats import SeatEffect, seat_effects
from arena.scheduling.pairing import Bye
from leaderboard.bots import Version, all_versions
from leaderboard.events import Event, all_events, byes_of
from leaderboard.report import (
    FinishedMatch,
    Met,
    Rated,
    Sample,
    Variant,
    all_matches,
    all_meetings,
    all_ratings,
    rating_courses,
    variants,
)
from leaderboard.results import FORFEIT, PLAYED
from leaderboard.store import Reader

SAMPLES = 60
"""How many points a rating's curve has at most."""


class Fault(NamedTuple):
    """What a version did wrong in a match."""

    match: FinishedMatch
    version: int
    ending: str
    sentence: str


class FaultKind(NamedTuple):
    """How often a version failed in one way in an event, or in a variant."""

    times: int
    first: Fault
    last: Fault


class EventStory(NamedTuple):
    """All that is told of an event."""

    event: Event
    slug: str
    variant: int
    standing: EventStanding
    byes: list[Bye]
    matches: list[FinishedMatch]
    faults: list[Fault]
    """In the order of the schedule."""


class League(NamedTuple):
    """All that is told of a league."""

    variants: dict[int, Variant]
    events: dict[int, EventStory]
    """By their ids, the oldest first."""
    versions: dict[int, Version]
    bots: dict[str, list[Version]]
    """By their names, the oldest first, each with its versions."""
    bot_slugs: dict[str, str]
    ratings: list[Rated]
    courses: dict[tuple[int, int], list[Sample]]
    """By variant and version."""
    meetings: dict[int, list[Met]]
    """By version."""
    seat_effects: dict[int, list[SeatEffect]]
    """By version."""

    def matches(self) -> Iterable[FinishedMatch]:
        """Yield every match, event by event."""
        return (match for story in self.events.values() for match in story.matches)


def read_league(reader: Reader) -> League:
    """Read all that is told of a league."""
    with reader.snapshot():
        return _read(reader)


def _read(reader: Reader) -> League:
    of_league = {variant.id: variant for variant in variants(reader)}
    versions = {version.id: version for version in all_versions(reader)}
    by_age = [versions[number] for number in sorted(versions)]
    bots: dict[str, list[Version]] = {}
    for version in by_age:
        bots.setdefault(version.bot, []).append(version)
    meetings = defaultdict(list)
    for met in all_meetings(reader):
        meetings[met.version].append(met)
    events = _events(reader, of_league)
    return League(
        variants=of_league,
        events=events,
        versions=versions,
        bots=bots,
        bot_slugs=slugs(bots, otherwise="bot"),
        ratings=all_ratings(reader),
        courses=rating_courses(reader, SAMPLES),
        meetings=dict(meetings),
        seat_effects=seat_effects(
            (match for story in events.values() for match in story.matches),
            {number: story.variant for number, story in events.items()},
        ),
    )


def _events(reader: Reader, of_league: dict[int, Variant]) -> dict[int, EventStory]:
    ids = {(variant.game, variant.parameters): variant.id for variant in of_league.values()}
    events = all_events(reader)
    names = slugs((event.name for event in events), otherwise="event")
    by_event = groupby(all_matches(reader), key=attrgetter("event"))
    matches = {event: list(of_one) for event, of_one in by_event}
    return {
        event.id: EventStory(
            event=event,
            slug=names[event.name],
            variant=ids[event.game, event.parameters],
            standing=standing_of(reader, event),
            byes=byes_of(reader, event.id),
            matches=matches.get(event.id, []),
            faults=faults_in(matches.get(event.id, [])),
        )
        for event in events
    }


def faults_in(matches: Iterable[FinishedMatch]) -> list[Fault]:
    """Return what went wrong; a forfeit is no fault."""
    return [
        Fault(match, seat.version, seat.ending, seat.sentence or "")
        for match in matches
        for seat in match.seats
        if seat.ending not in (PLAYED, FORFEIT)
    ]


def kinds_of(faults: Iterable[Fault]) -> list[FaultKind]:
    """Tell each version's faults of a kind once, in the order in which they first came."""
    kinds: dict[tuple[int, str], list[Fault]] = {}
    for fault in faults:
        kinds.setdefault((fault.version, fault.ending), []).append(fault)
    return [FaultKind(len(each), each[0], each[-1]) for each in kinds.values()]

"""Enter an event in a league, and compute its course to play or verify it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from datetime import datetime, timedelta

from arena.errors import BadInput, BadLeague
from arena.games.randomness import Seed
from arena.games.registry import game_named
from arena.indices import VersionId
from arena.models.config import is_model
from arena.scheduling.groups import Groups
from arena.scheduling.table_sizes import table_sizes
from arena.secret import Secret
from arena.text import quantity
from arena.tomlfile import short_repr
from arena.tournament.course import Course
from arena.tournament.entrants import field_for, settle_seats
from arena.tournament.schedule import schedule_of
from arena.tournament.spec import Kind, Spec, check_spec, read_duration, secret_for
from arena.tournament.spec_files import spec_document, spec_from_document
from leaderboard.bots import Version
from leaderboard.events import Event, EventSettings, all_events, find_event, start_event
from leaderboard.store import Reader, Writer, moment


def enter_event(
    writer: Writer, spec: Spec, *, now: datetime, secret: Secret | None = None
) -> Event:
    """Add an event to the league without playing it; `secret` overrides the spec's."""
    check_spec(spec)
    versions = field_for(writer, spec, now=now)
    if any(is_model(version.bot) for version in versions):
        if spec.workers:
            raise BadInput("language models play on this machine only: omit --workers")
        # They are ranked among themselves: a model costs money, and may change without a trace.
        spec = replace(spec, unrated=True)
    spec = settle_seats(spec, len(versions))
    if spec.kind is not Kind.LADDER:  # In a ladder, who finds no table rests.
        check_authors(spec, versions)
    if spec.goal and spec.goal.top >= len(versions):
        places = quantity(spec.goal.top, "place")
        raise BadInput(f"the first {places} cannot be in doubt among {len(versions)} bots")
    if spec.extends is not None:
        _check_extended(spec, find_event(writer, spec.extends))
    name = spec.name or _free_name(writer, spec)
    event = event_for(spec, name, len(versions), secret or secret_for(spec))
    return start_event(writer, event, [version.id for version in versions], now=now)


def _check_extended(spec: Spec, event: Event) -> None:
    parameters = spec.the_game.parameters_form.show(spec.parameters())
    same = (spec.kind, spec.game, parameters) == (event.kind, event.game, event.parameters)
    if not same:
        raise BadInput(f"extends is {event.name!r}, an event of another kind, game or variant")


def event_for(spec: Spec, name: str, entrants: int, secret: Secret) -> Event:
    """Return an event of a spec, before it is stored."""
    check_spec(spec)
    settled = {
        "name": name,
        "seats": spec.table_size(),
        "rounds": schedule_of(spec, entrants, secret.key).rounds,
        "seed": secret.seed,
        "secret": secret.key.hex(),
    }
    return Event(
        **{each.name: getattr(spec, each.name) for each in fields(EventSettings)} | settled,
        parameters=spec.the_game.parameters_form.show(spec.parameters()),
        commitment=secret.commitment.hex(),
        open_deals=secret.is_open,
        spec=json.dumps(spec_document(spec)),
    )


def spec_of(event: Event) -> Spec:
    """Return the spec that an event was started with."""
    try:
        document = json.loads(event.spec)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise BadLeague(f"its text is unreadable: {short_repr(event.spec)}")
    return spec_from_document(document)


def is_unrated(event: Event) -> bool:
    """Return whether an event was run with --unrated; a damaged file may say nothing."""
    try:
        return spec_of(event).unrated
    except BadInput:
        return False  # `arena verify` reports it


def _free_name(reader: Reader, spec: Spec) -> str:
    taken = {event.name for event in all_events(reader)}
    number = 1
    while f"{spec.game}-{spec.kind}-{number}" in taken:
        number += 1
    return f"{spec.game}-{spec.kind}-{number}"


def course_of(
    event: Event,
    field: Sequence[Version],
    secret: Seed,
    find: Callable[[VersionId], Version],
) -> Course:
    """Return the course of an event before its first round; `field` are its entrants.

    `find` finds the versions that come in while it is played.
    """
    spec = spec_of(event)
    game = game_named(event.game)
    return Course(
        game,
        game.parameters_form.read(event.parameters),
        schedule_of(spec, len(field), secret, groups=groups_of(spec, field)),
        [version.id for version in field],
        secret,
        event.deals,
        goal=spec.goal,
        groups_of=lambda versions: (
            groups_of(spec, list(map(find, versions))) if spec.keep_authors_apart else ()
        ),
    )


def end_of(event: Event) -> datetime | None:
    """Return the moment after which an event has no further round; None if there is none."""
    duration = spec_of(event).duration
    if duration is None:
        return None
    return moment(event.started) + timedelta(seconds=read_duration(duration))


def groups_of(spec: Spec, field: Sequence[Version]) -> Groups:
    """Return the group of each entrant; empty if the event does not keep authors apart.

    Two bots have the same author if their bot.toml files name the same one, whatever the case of
    the letters. Versions of one bot count as the same author, whether or not they name one: whoever
    submits a name keeps it. A bot without an author may meet every other bot.
    """
    if not spec.keep_authors_apart:
        return ()
    first_with: dict[tuple[str, str], int] = {}
    groups: list[int] = []
    for number, version in enumerate(field):
        keys = [("bot", version.bot)]
        if version.author:
            keys.append(("author", version.author.casefold()))
        known = {groups[first_with[key]] for key in keys if key in first_with}
        group = min(known, default=number)
        # A bot may connect two groups: its earlier version has one author, it has another.
        groups = [group if other in known else other for other in groups]
        groups.append(group)
        for key in keys:
            first_with.setdefault(key, number)
    return groups


def check_authors(spec: Spec, field: Sequence[Version]) -> None:
    """Raise an error that names the bots if an author has more of them than there are tables."""
    groups = groups_of(spec, field)
    if not groups:
        return
    sizes = table_sizes(len(field), wanted=spec.table_size(), allowed=spec.allowed_sizes())
    tables = len(sizes)
    members: dict[int, list[Version]] = defaultdict(list)
    for group, version in zip(groups, field, strict=False):
        members[group].append(version)
    largest = max(members.values(), key=len, default=[])
    if len(largest) <= tables:
        return
    author = next((version.author for version in largest if version.author), "one author")
    where = "one table" if tables == 1 else f"{tables} tables"
    raise BadInput(
        f"the bots of {author} cannot be kept apart: {', '.join(map(str, largest))} are "
        f"{len(largest)} for {where}; leave out {len(largest) - tables}, enter more bots of other "
        "authors, or choose smaller tables"
    )

"""How is an event entered in a league, and taken up where it stands?"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime

from arena.errors import BadLeague
from arena.events.course import Course
from arena.events.league import field_for
from arena.events.runner import EventRun
from arena.events.schedule import schedule_of
from arena.events.spec import Spec, checked, document_of, secret_for, spec_from
from arena.events.work import Contender, Terms
from arena.games.randomness import Seed
from arena.games.registry import game_named
from arena.secret import Secret
from arena.tomlfile import shown
from leaderboard.bots import all_versions, package_of
from leaderboard.events import Event, Plan, all_events, field_of, secret_of, start_event
from leaderboard.matches import results_of
from leaderboard.store import Reader, Writer

Now = Callable[[], datetime]


def start(writer: Writer, spec: Spec, *, now: datetime, secret: Secret | None = None) -> Event:
    """Enter an event without playing it; `secret` overrides what the spec asks for."""
    checked(spec)
    versions = field_for(writer, spec, now=now)
    name = spec.name or _free_name(writer, spec)
    plan = plan_of(spec, name, [v.id for v in versions], secret or secret_for(spec))
    return start_event(writer, plan, now=now)


def plan_of(spec: Spec, name: str, field: Sequence[int], secret: Secret) -> Plan:
    """Return an event as the league keeps it; the field are the ids of versions."""
    checked(spec)
    return Plan(
        name=name,
        kind=spec.kind.value,
        game=spec.game,
        parameters=spec.the_game.parameters_form.show(spec.parameters()),
        seats=spec.table_size(),
        deals=spec.deals,
        rounds=schedule_of(spec, len(field), secret.key).rounds,
        clock=spec.clock,
        seed=secret.seed,
        secret=secret.key,
        open_deals=secret.is_open,
        cage=spec.cage,
        spec=json.dumps(document_of(spec)),
        field=tuple(field),
    )


def spec_of(event: Event) -> Spec:
    """Return what an event's author asked for."""
    try:
        document = json.loads(event.spec)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise BadLeague(f"what was asked for is lost: {shown(event.spec)}")
    return spec_from(document)


def _free_name(reader: Reader, spec: Spec) -> str:
    taken = {event.name for event in all_events(reader)}
    number = 1
    while f"{spec.game}-{spec.kind.value}-{number}" in taken:
        number += 1
    return f"{spec.game}-{spec.kind.value}-{number}"


def course_of(event: Event, versions: Sequence[int], secret: Seed) -> Course:
    """Return the course of an event from its beginning."""
    spec = spec_of(event)
    game = game_named(event.game)
    return Course(
        game,
        game.parameters_form.read(event.parameters),
        schedule_of(spec, len(versions), secret),
        versions,
        secret,
        event.deals,
    )


def run_of(writer: Writer, event: Event, *, now: Now) -> EventRun:
    """Take up an event where it stands: at its beginning, or where it was left."""
    spec = spec_of(event)
    by_id = {version.id: version for version in all_versions(writer)}
    field = [by_id[entrant.version] for entrant in field_of(writer, event.id)]
    contenders = [
        Contender(
            version.id,
            version.bot,
            version.number,
            version.hash,
            package_of(writer, version.id),
            version.lock,
        )
        for version in field
    ]
    terms = Terms(
        event.game, event.parameters, event.clock, spec.cage, spec.freeze, dict(spec.limits)
    )
    course = course_of(event, [version.id for version in field], secret_of(writer, event))
    run = EventRun(writer, event.id, course, terms, contenders, now=now)
    run.restore(results_of(writer, event.id, replays=False))
    return run

"""Enter an event in a league, and load it to be played or verified."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime

from arena.errors import BadLeague
from arena.games.randomness import Seed
from arena.games.registry import game_named
from arena.indices import EntrantIndex, VersionId
from arena.secret import Secret
from arena.tomlfile import short_repr
from arena.tournament.authors import check_authors, groups_of
from arena.tournament.course import Course
from arena.tournament.field import field_for
from arena.tournament.runner import EventRunner
from arena.tournament.schedule import schedule_of
from arena.tournament.spec import Spec, check_spec, secret_for, spec_document, spec_from_document
from arena.workers.block import MatchTerms, PackedBot
from leaderboard.bots import Version, all_versions, package_of
from leaderboard.events import Event, EventPlan, all_events, field_of, secret_of, start_event
from leaderboard.matches import results_of
from leaderboard.store import Reader, Writer

Now = Callable[[], datetime]


def enter_event(
    writer: Writer, spec: Spec, *, now: datetime, secret: Secret | None = None
) -> Event:
    """Add an event to the league without playing it; `secret` overrides the spec's."""
    check_spec(spec)
    versions = field_for(writer, spec, now=now)
    check_authors(spec, versions)
    name = spec.name or _free_name(writer, spec)
    plan = event_plan_for(spec, name, [v.id for v in versions], secret or secret_for(spec))
    return start_event(writer, plan, now=now)


def event_plan_for(spec: Spec, name: str, field: Sequence[VersionId], secret: Secret) -> EventPlan:
    """Return the plan of an event, in the form that the league stores."""
    check_spec(spec)
    return EventPlan(
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
        spec=json.dumps(spec_document(spec)),
        field=tuple(field),
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


def _free_name(reader: Reader, spec: Spec) -> str:
    taken = {event.name for event in all_events(reader)}
    number = 1
    while f"{spec.game}-{spec.kind.value}-{number}" in taken:
        number += 1
    return f"{spec.game}-{spec.kind.value}-{number}"


def course_of(event: Event, field: Sequence[Version], secret: Seed) -> Course:
    """Return the course of an event before its first round; `field` are its entrants."""
    spec = spec_of(event)
    game = game_named(event.game)
    return Course(
        game,
        game.parameters_form.read(event.parameters),
        schedule_of(spec, len(field), secret, groups=groups_of(spec, field)),
        [version.id for version in field],
        secret,
        event.deals,
    )


def load_runner(writer: Writer, event: Event, *, now: Now) -> EventRunner:
    """Return a runner for an event, with all stored results counted."""
    spec = spec_of(event)
    by_id = {version.id: version for version in all_versions(writer)}
    field = [by_id[entrant.version] for entrant in field_of(writer, event.id)]
    bots = [
        PackedBot(
            EntrantIndex(index),
            version.id,
            version.bot,
            version.number,
            version.hash,
            package_of(writer, version.id),
            version.lock,
        )
        for index, version in enumerate(field)
    ]
    terms = MatchTerms(
        event.game, event.parameters, event.clock, spec.cage, spec.freeze, dict(spec.limits)
    )
    course = course_of(event, field, secret_of(writer, event))
    run = EventRunner(writer, event.id, course, terms, bots, now=now)
    run.restore(results_of(writer, event.id, replays=False))
    return run

"""How do bots get into a league, and events under way?"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from arena.errors import BadInput, UnknownName
from arena.events.course import Course
from arena.events.runner import EventRun
from arena.events.schedule import schedule_of
from arena.events.spec import Spec, checked, document_of, spec_from
from arena.events.work import Contender, Terms
from arena.games.randomness import Seed, derive, seed_from
from arena.games.registry import game_named
from arena.house import house_bots
from arena.manifest import MANIFEST, Manifest, read_manifest
from arena.sandbox.locks import lock_of
from leaderboard.bots import (
    Submission,
    Version,
    all_versions,
    find_version,
    package_of,
    submit,
)
from leaderboard.events import Event, Plan, all_events, field_of, start_event
from leaderboard.matches import results_of
from leaderboard.packing import pack_folder
from leaderboard.store import Reader, Writer

Now = Callable[[], datetime]


def submit_folder(writer: Writer, bot: Manifest, *, now: datetime) -> Submission:
    """Pack a bot's folder and add it to the league, with what its requirements come to today."""
    packed = pack_folder(bot.folder)
    lock = str(lock_of(bot.requirements)) if bot.requirements else ""
    return submit(
        writer,
        name=bot.name,
        games=bot.games,
        manifest=(bot.folder / MANIFEST).read_text(encoding="utf-8"),
        lock=lock,
        packed=packed,
        now=now,
    )


def field_for(writer: Writer, spec: Spec, *, now: datetime) -> list[Version]:
    """Find who plays in an event; house bots that are meant are added to the league."""
    house = house_bots()
    if spec.bots:
        versions = [_found(writer, word, house, now) for word in spec.bots]
    else:
        own = {version.bot for version in all_versions(writer) if not version.retired}
        names = sorted(own | (set(house) - {v.bot for v in all_versions(writer)}))
        versions = [_found(writer, name, house, now) for name in names]
        versions = [version for version in versions if spec.game in version.games]
    _check_field(spec, versions)
    return versions


def _found(writer: Writer, word: str, house: dict[str, Path], now: datetime) -> Version:
    # A house bot is always the one that comes with this arena, unless a version is asked for.
    if word in house:
        return submit_folder(writer, read_manifest(house[word]), now=now).version
    try:
        return find_version(writer, word)
    except UnknownName as error:
        if not house:
            raise
        raise UnknownName(f"{error}; house bots are {', '.join(house)}") from None


def _check_field(spec: Spec, versions: Sequence[Version]) -> None:
    for version in versions:
        if spec.game not in version.games:
            games = ", ".join(version.games)
            raise BadInput(f"{version} does not play {spec.game}: only {games}")
    twice = {str(v) for v in versions if sum(v.id == other.id for other in versions) > 1}
    if twice:
        raise BadInput(f"{', '.join(sorted(twice))} is named twice")
    least = min(spec.table_size(), *spec.the_game.seats_for(spec.parameters()))
    if len(versions) < least:
        raise BadInput(
            f"an event of {spec.game} needs {least} bots or more, and there are {len(versions)}"
        )


def start(writer: Writer, spec: Spec, *, now: datetime) -> Event:
    """Enter an event; nothing is played yet."""
    checked(spec)
    versions = field_for(writer, spec, now=now)
    name = spec.name or _free_name(writer, spec)
    schedule = schedule_of(spec, len(versions), _seed_of(spec))
    plan = Plan(
        name=name,
        kind=spec.kind.value,
        game=spec.game,
        parameters=spec.the_game.parameters_form.show(spec.parameters()),
        seats=spec.table_size(),
        deals=spec.deals,
        rounds=schedule.rounds,
        clock=spec.clock,
        seed=str(spec.seed),
        cage=spec.cage,
        spec=json.dumps(document_of(spec)),
        field=tuple(version.id for version in versions),
    )
    return start_event(writer, plan, now=now)


def _free_name(reader: Reader, spec: Spec) -> str:
    taken = {event.name for event in all_events(reader)}
    number = 1
    while f"{spec.game}-{spec.kind.value}-{number}" in taken:
        number += 1
    return f"{spec.game}-{spec.kind.value}-{number}"


def _seed_of(spec: Spec) -> Seed:
    return derive(seed_from(spec.seed), "event")


def course_of(event: Event, versions: Sequence[int]) -> Course:
    """Return the course of an event from its beginning."""
    spec = spec_from(json.loads(event.spec))
    game = game_named(event.game)
    seed = _seed_of(spec)
    return Course(
        game,
        game.parameters_form.read(event.parameters),
        schedule_of(spec, len(versions), seed),
        versions,
        seed,
        event.deals,
    )


def run_of(writer: Writer, event: Event, *, now: Now) -> EventRun:
    """Take up an event where it stands: at its beginning, or where it was left."""
    spec = spec_from(json.loads(event.spec))
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
    course = course_of(event, [version.id for version in field])
    run = EventRun(writer, event.id, course, terms, contenders, now=now)
    run.restore(results_of(writer, event.id, replays=False))
    return run

"""How do bots get into a league, and events under way?"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from arena.errors import BadInput, BadLeague, UnknownName, did_you_mean
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
from arena.scheduling.seating import table_sizes
from arena.tomlfile import shown
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
    house = _house_of(writer)
    # A house bot is always the one that comes with this arena, unless a version is asked for.
    newest: dict[str, Version | Manifest] = {
        **{version.bot: version for version in all_versions(writer) if not version.retired},
        **house,
    }
    words = spec.bots or sorted(name for name in newest if spec.game in newest[name].games)
    bots = [newest.get(word) or version_meant(writer, word, house) for word in words]
    for word, bot in zip(words, bots, strict=True):
        if spec.game not in bot.games:
            raise BadInput(f"{word} does not play {spec.game}: only {', '.join(bot.games)}")
    _check_count(spec, words)
    versions = [
        submit_folder(writer, bot, now=now).version if isinstance(bot, Manifest) else bot
        for bot in bots
    ]
    for number, version in enumerate(versions):
        if version in versions[:number]:
            raise BadInput(f"{version} is named twice: nobody plays against itself")
    return versions


def _house_of(reader: Reader) -> dict[str, Manifest]:
    """Return the house bots by name, without those that this league has retired."""
    versions = all_versions(reader)
    retired = {v.bot for v in versions} - {v.bot for v in versions if not v.retired}
    house = house_bots()
    return {name: read_manifest(house[name]) for name in house if name not in retired}


def version_meant(reader: Reader, word: str, house: Collection[str]) -> Version:
    """Find a version in the league; for a name that nobody has, say which is near."""
    name = word.partition("@")[0]
    known = {version.bot for version in all_versions(reader)} | set(house)
    if name not in known:
        hint = did_you_mean(name, sorted(known)) if known else "none has been submitted yet"
        raise UnknownName(f"no bot is called {name!r}: {hint}")
    return find_version(reader, word)


def _check_count(spec: Spec, words: Sequence[str]) -> None:
    wanted, allowed = spec.table_size(), spec.the_game.seats_for(spec.parameters())
    fitting = [seats for seats in allowed if _can_be_seated(len(words), seats, allowed)]
    if wanted in fitting:
        return
    who = ", ".join(words) or "none"
    other = f", or take --seats {min(fitting[-1], len(words))}" if fitting else ""
    raise BadInput(
        f"too few bots for {spec.game} at tables of {wanted} ({who}): submit more{other}"
    )


def _can_be_seated(bots: int, seats: int, allowed: Collection[int]) -> bool:
    try:
        return bool(table_sizes(bots, wanted=seats, allowed=allowed))
    except BadInput:
        return False


def start(writer: Writer, spec: Spec, *, now: datetime) -> Event:
    """Enter an event; nothing is played yet."""
    checked(spec)
    versions = field_for(writer, spec, now=now)
    name = spec.name or _free_name(writer, spec)
    return start_event(writer, plan_of(spec, name, [v.id for v in versions]), now=now)


def plan_of(spec: Spec, name: str, field: Sequence[int]) -> Plan:
    """Return an event as the league keeps it; the field are the ids of versions."""
    checked(spec)
    return Plan(
        name=name,
        kind=spec.kind.value,
        game=spec.game,
        parameters=spec.the_game.parameters_form.show(spec.parameters()),
        seats=spec.table_size(),
        deals=spec.deals,
        rounds=schedule_of(spec, len(field), _seed_of(spec)).rounds,
        clock=spec.clock,
        seed=str(spec.seed),
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


def _seed_of(spec: Spec) -> Seed:
    return derive(seed_from(spec.seed), "event")


def course_of(event: Event, versions: Sequence[int]) -> Course:
    """Return the course of an event from its beginning."""
    spec = spec_of(event)
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
    course = course_of(event, [version.id for version in field])
    run = EventRun(writer, event.id, course, terms, contenders, now=now)
    run.restore(results_of(writer, event.id, replays=False))
    return run

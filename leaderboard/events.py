"""Events, their entrants and their pairings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from arena.errors import BadInput, BadLeague, BadSeed, UnknownName, did_you_mean
from arena.games.registry import game_named, variant_words
from arena.indices import EntrantIndex, VersionId
from arena.records import SEALING_CAGE
from arena.scheduling.pairing import Bye, Pairing
from arena.secret import OPEN_DEALS, SEALED_DEALS, UNSEALED_DEALS, read_secret
from leaderboard.file.journal import record, remove
from leaderboard.file.journal_columns import COVERAGE
from leaderboard.ratings.tie_rates import add_tie_rates, measured_tie_rates
from leaderboard.store import Reader, Writer, timestamp
from leaderboard.strength.league import playing_versions, prepare_strengths, store_prepared


class Event(NamedTuple):
    """An event of the league."""

    name: str
    kind: str
    game: str
    parameters: str
    """As the game writes them."""
    seats: int
    deals: int
    rounds: int
    clock: str
    seed: int | None
    """The number that the secret was derived from, if a user gave one."""
    commitment: str
    """The hash of the secret, published before the first match."""
    secret: str | None
    """The secret that all deals are derived from. A stored event has it only once it is over."""
    open_deals: bool
    """Whether someone may have known the secret before the event."""
    cage: str
    spec: str
    """All settings that its organiser chose, as text."""
    status: str = "running"
    """"running", "finished" or "interrupted"."""
    id: int = 0
    """0 before it is stored."""
    variant: str = ""
    """The name of the parameters."""
    started: str = ""
    ended: str | None = None
    stopped: str | None = None
    """Why it ended before its schedule did; None if it did not."""
    rated_up_to: int = 0
    """The first match of the schedule that has not been rated yet."""


class EventEntrant(NamedTuple):
    """A bot's version that plays in an event."""

    version: VersionId
    suspended: str | None
    """The reason for its suspension from this event; None if it still plays."""


_COLUMNS = {"id": "events.id", "name": "events.name", "variant": "variants.name"}
_EVENTS = f"""
    SELECT {", ".join(_COLUMNS.get(name, name) for name in Event._fields)}
    FROM events JOIN variants ON variants.id = events.variant
"""
_SETTLED = "name kind seats deals rounds clock seed commitment open_deals cage spec status".split()
"""The columns that are stored when an event starts."""


def all_events(reader: Reader) -> list[Event]:
    """Return all events, oldest first."""
    return [_event(row) for row in reader.rows(f"{_EVENTS} ORDER BY events.id")]


def find_event(reader: Reader, name: str) -> Event:
    """Return the event with this name."""
    row = reader.row(f"{_EVENTS} WHERE events.name = ?", [name])
    if row:
        return _event(row)
    names = [name for (name,) in reader.rows("SELECT name FROM events")]
    hint = did_you_mean(name, names) if names else "there are no events yet"
    raise UnknownName(f"no such event: {name!r}; {hint}")


def _event(row: tuple[Any, ...]) -> Event:
    event = Event(*row)
    return event._replace(open_deals=bool(event.open_deals))


def start_event(
    writer: Writer, event: Event, field: Sequence[VersionId], *, now: datetime
) -> Event:
    """Store an event that has not started, with its secret and its field; return it as stored."""
    assert event.secret
    with writer.transaction():
        if writer.row("SELECT 1 FROM events WHERE name = ?", [event.name]):
            raise BadInput(f"an event {event.name!r} already exists: choose another name")
        variant = writer.table("variants").lookup(
            {"game": event.game, "parameters": event.parameters},
            {"name": _variant_name(event.game, event.parameters)},
        )
        add_tie_rates(writer, variant, measured_tie_rates(event.game, event.parameters))
        row = {name: getattr(event, name) for name in _SETTLED}
        row |= {"variant": variant, "started": timestamp(now)}
        number = writer.table("events").insert(row).last_pk
        writer.table("secrets").insert({"event": number, "secret": event.secret})
        writer.table("entrants").insert_all(
            {"event": number, "number": entrant, "version": version}
            for entrant, version in enumerate(field)
        )
        record(writer, "variants", {"id": variant})
        record(writer, "events", {"id": number})
        record(writer, "entrants", {"event": number})
    return find_event(writer, event.name)


def resume_event(writer: Writer, event: int) -> None:
    """Give an event the status "running" again."""
    with writer.transaction():
        writer.table("events").update(event, {"status": "running", "ended": None})
        record(writer, "events", {"id": event})


def stop_event(writer: Writer, event: int, *, reason: str, rounds: int) -> None:
    """Store why an event ends early; remove the rounds after `rounds`, which are not played."""
    with writer.transaction():
        writer.table("events").update(event, {"stopped": reason})
        record(writer, "events", {"id": event})
        later = [event, rounds]
        of_round = "(SELECT number FROM pairings WHERE event = ?1 AND round > ?2)"
        remove(writer, "pairing_seats", f"event = ?1 AND pairing IN {of_round}", later)
        for table, column in (("pairings", "round"), ("byes", "round"), ("rounds", "number")):
            remove(writer, table, f"event = ? AND {column} > ?", later)


def end_event(writer: Writer, event: int, *, finished: bool, now: datetime) -> None:
    """Give an event the status "finished" and reveal its secret, or "interrupted".

    The strengths that follow from its results are stored with it.
    """
    changes = {"status": "finished" if finished else "interrupted", "ended": timestamp(now)}
    ((variant,),) = writer.rows("SELECT variant FROM events WHERE id = ?", [event])
    strengths = prepare_strengths(writer, variant, playing_versions(writer))
    with writer.transaction():
        if finished:
            secrets = writer.table("secrets")
            changes["secret"] = secrets.get(event)["secret"]
            secrets.delete(event)
        writer.table("events").update(event, changes)
        record(writer, "events", {"id": event})
        store_prepared(writer, strengths)


def sealing_of(reader: Reader, event: Event) -> str:
    """Return whether the deals of an event were open, sealed, or secret in a weaker cage."""
    if event.open_deals:
        return OPEN_DEALS
    cages = reader.rows("SELECT DISTINCT cage FROM matches WHERE event = ?", [event.id])
    return SEALED_DEALS if {cage for (cage,) in cages} <= {SEALING_CAGE, ""} else UNSEALED_DEALS


def secret_of(reader: Reader, event: Event) -> bytes:
    """Return the secret of an event, whether or not it is over."""
    row = reader.row("SELECT secret FROM secrets WHERE event = ?", [event.id])
    text = event.secret or (row[0] if row else "")
    try:
        return read_secret(text)
    except BadSeed as error:
        raise BadLeague(f"the secret of {event.name} is missing or damaged: {error}") from None


def field_of(reader: Reader, event: int) -> list[EventEntrant]:
    """Return the entrants of an event in the order of its field."""
    sql = "SELECT version, suspended FROM entrants WHERE event = ? ORDER BY number"
    return [EventEntrant(*row) for row in reader.rows(sql, [event])]


def suspend(writer: Writer, event: int, entrant: EntrantIndex, *, reason: str) -> None:
    """Suspend an entrant from this event."""
    with writer.transaction():
        writer.table("entrants").update((event, entrant), {"suspended": reason})
        record(writer, "entrants", {"event": event, "number": entrant})


def add_rounds(
    writer: Writer,
    event: int,
    first: int,
    rounds: Sequence[tuple[Sequence[Pairing], Sequence[Bye]]],
    *,
    newcomers: Sequence[VersionId] = (),
    now: datetime,
) -> None:
    """Store the pairings and byes of rounds that are played together; their matches come later.

    `first` is the number of the first one. `newcomers` join the field with it.
    """
    with writer.transaction():
        versions = [entrant.version for entrant in field_of(writer, event)]
        writer.table("entrants").insert_all(
            {"event": event, "number": entrant, "version": version}
            for entrant, version in enumerate(newcomers, start=len(versions))
        )
        versions += newcomers
        for entrant in range(len(versions) - len(newcomers), len(versions)):
            record(writer, "entrants", {"event": event, "number": entrant})
        for number, (pairings, byes) in enumerate(rounds, start=first):
            _add_round(writer, event, number, pairings, byes, versions, now)


def _add_round(
    writer: Writer,
    event: int,
    number: int,
    pairings: Sequence[Pairing],
    byes: Sequence[Bye],
    versions: Sequence[VersionId],
    now: datetime,
) -> None:
    writer.table("rounds").insert({"event": event, "number": number, "paired": timestamp(now)})
    writer.table("pairings").insert_all(
        {"event": event, "number": pairing.number, "round": number} for pairing in pairings
    )
    columns = COVERAGE["pairing_seats"].columns
    seats = [
        (event, pairing.number, seat, versions[entrant])
        for pairing in pairings
        for seat, entrant in enumerate(pairing.seating)
    ]
    writer.table("pairing_seats").insert_all(dict(zip(columns, row, strict=True)) for row in seats)
    writer.table("byes").insert_all(
        {"event": event, "round": number, "version": versions[bye.entrant]} for bye in byes
    )
    record(writer, "rounds", {"event": event, "number": number})
    record(writer, "pairings", {"event": event, "round": number})
    writer.note("pairing_seats", columns, seats)
    record(writer, "byes", {"event": event, "round": number})


def pairings_of(reader: Reader, event: int) -> list[Pairing]:
    """Return the pairings of an event's rounds so far, in the order of its schedule."""
    rows = reader.rows(
        """
        SELECT pairings.round, pairings.number, entrants.number
        FROM pairings
        JOIN pairing_seats AS seats ON seats.event = pairings.event
            AND seats.pairing = pairings.number
        JOIN entrants ON entrants.event = seats.event AND entrants.version = seats.version
        WHERE pairings.event = ?
        ORDER BY pairings.number, seats.seat
        """,
        [event],
    )
    return [
        Pairing(round_number, number, tuple(entrant for _, _, entrant in seats))
        for (round_number, number), seats in groupby(rows, key=itemgetter(0, 1))
    ]


def byes_of(reader: Reader, event: int) -> list[Bye]:
    """Return the byes of an event's rounds so far."""
    rows = reader.rows(
        """
        SELECT byes.round, entrants.number
        FROM byes
        JOIN entrants ON entrants.event = byes.event AND entrants.version = byes.version
        WHERE byes.event = ?
        ORDER BY byes.round, entrants.number
        """,
        [event],
    )
    return [Bye(*row) for row in rows]


def rounds_of(reader: Reader, event: int) -> list[tuple[list[Pairing], list[Bye]]]:
    """Return the pairings and byes of an event's rounds so far."""
    byes = byes_of(reader, event)
    return [
        (list(pairings), [bye for bye in byes if bye.round == number])
        for number, pairings in groupby(pairings_of(reader, event), key=attrgetter("round"))
    ]


def _variant_name(game_id: str, text: str) -> str:
    """Return the name of a variant, with the parameters that differ from it."""
    game = game_named(game_id)
    return " ".join(variant_words(game, game.parameters_form.read(text)))

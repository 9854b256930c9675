"""Events, their entrants and their pairings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, fields, replace
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
from leaderboard.file.journal import insert, record, remove, update
from leaderboard.ratings.tie_rates import add_tie_rates, measured_tie_rates
from leaderboard.store import Reader, Writer, timestamp
from leaderboard.strength.league import playing_versions, prepare_strengths, store_prepared


@dataclass(frozen=True, slots=True)
class EventSettings:
    """The settings that an organiser chooses and that the league stores in columns."""

    kind: str
    game: str
    name: str = ""
    """Chosen automatically if empty."""
    _: KW_ONLY
    seats: int | None = None
    """The size of every table.

    If None, 4 or the nearest size that the game allows, or one more or less if fewer rest that way.
    """
    deals: int = 1
    """Deals per pairing, each played in every rotation of the seats."""
    rounds: int | None = None
    clock: str
    seed: int | None = None
    """For experiments: anyone who knows it can compute the deals."""
    secret: str | None = None
    """The secret that all deals are derived from. It is drawn if there is neither a seed nor a
    secret. A stored event shows it only once it is over."""
    cage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(EventSettings):
    """An event of the league, with the settings that it really has."""

    seats: int
    """The most at a table."""
    rounds: int
    """0 if their number has no limit."""
    parameters: str
    """As the game writes them."""
    commitment: str
    """The hash of the secret, published before the first match."""
    open_deals: bool
    """Whether someone may have known the secret before the event."""
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
    SELECT {", ".join(_COLUMNS.get(each.name, each.name) for each in fields(Event))}
    FROM events JOIN variants ON variants.id = events.variant
"""
_LATER = {
    "id",
    "game",
    "parameters",
    "variant",
    "secret",
    "started",
    "ended",
    "stopped",
    "rated_up_to",
}
"""What is in other tables, or stored later than at the start of an event."""


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
    event = Event(**dict(zip((each.name for each in fields(Event)), row, strict=True)))
    return replace(event, open_deals=bool(event.open_deals))


def start_event(
    writer: Writer, event: Event, field: Sequence[VersionId], *, now: datetime
) -> Event:
    """Store an event that has not started, with its secret and its field; return it as stored."""
    assert event.secret
    with writer.transaction():
        if writer.row("SELECT 1 FROM events WHERE name = ?", [event.name]):
            raise BadInput(f"an event {event.name!r} already exists: choose another name")
        variant = _variant_of(writer, event)
        add_tie_rates(writer, variant, measured_tie_rates(event.game, event.parameters))
        record(writer, "variants", {"id": variant})
        ((number,),) = writer.rows("SELECT coalesce(max(id), 0) + 1 FROM events")
        row = {name: value for name, value in asdict(event).items() if name not in _LATER}
        row |= {"id": number, "variant": variant, "started": timestamp(now)}
        insert(writer, "events", [row | {"open_deals": int(event.open_deals)}])
        writer.write("INSERT INTO secrets VALUES (?, ?)", [number, event.secret])
        _add_entrants(writer, number, enumerate(field))
    return find_event(writer, event.name)


def resume_event(writer: Writer, event: int) -> None:
    """Give an event the status "running" again."""
    with writer.transaction():
        update(writer, "events", {"id": event}, {"status": "running", "ended": None})


def stop_event(writer: Writer, event: int, *, reason: str, rounds: int) -> None:
    """Store why an event ends early; remove the rounds after `rounds`, which are not played."""
    with writer.transaction():
        update(writer, "events", {"id": event}, {"stopped": reason})
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
            ((changes["secret"],),) = writer.rows(
                "SELECT secret FROM secrets WHERE event = ?", [event]
            )
            writer.write("DELETE FROM secrets WHERE event = ?", [event])
        update(writer, "events", {"id": event}, changes)
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
        key = {"event": event, "number": entrant}
        update(writer, "entrants", key, {"suspended": reason})


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
        _add_entrants(writer, event, enumerate(newcomers, start=len(versions)))
        versions += newcomers
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
    insert(writer, "rounds", [{"event": event, "number": number, "paired": timestamp(now)}])
    insert(
        writer,
        "pairings",
        [{"event": event, "number": pairing.number, "round": number} for pairing in pairings],
    )
    insert(
        writer,
        "pairing_seats",
        [
            {"event": event, "pairing": pairing.number, "seat": seat, "version": versions[entrant]}
            for pairing in pairings
            for seat, entrant in enumerate(pairing.seating)
        ],
    )
    insert(
        writer,
        "byes",
        [{"event": event, "round": number, "version": versions[bye.entrant]} for bye in byes],
    )


def _add_entrants(writer: Writer, event: int, field: Iterable[tuple[int, VersionId]]) -> None:
    rows = [{"event": event, "number": entrant, "version": version} for entrant, version in field]
    insert(writer, "entrants", rows)


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


def _variant_of(writer: Writer, event: Event) -> int:
    """Return the id of an event's variant, which may be new to the league."""
    game = game_named(event.game)
    # Its name, with the parameters that differ from it.
    name = " ".join(variant_words(game, game.parameters_form.read(event.parameters)))
    values = [event.game, event.parameters]
    writer.write(
        "INSERT OR IGNORE INTO variants (game, parameters, name) VALUES (?, ?, ?)", [*values, name]
    )
    ((variant,),) = writer.rows("SELECT id FROM variants WHERE game = ? AND parameters = ?", values)
    return int(variant)

"""Which events are there, who plays in them, and who sits with whom?"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from arena.errors import BadInput, BadLeague, BadSeed, UnknownName, did_you_mean
from arena.games.registry import game_named
from arena.scheduling.pairing import Bye, Pairing
from arena.secret import commitment_to, read_secret
from leaderboard.store import Reader, Writer, timestamp


class Plan(NamedTuple):
    """An event that is to be."""

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
    """The number that the secret was made from, if a person typed one."""
    secret: bytes
    """What all deals follow from; it is not shown before the event is over."""
    open_deals: bool
    """Whether somebody may have known the secret before."""
    cage: str
    spec: str
    """All that its author asked for, as text."""
    field: tuple[int, ...]
    """Who plays: the ids of bots' versions. Schedules speak of them by their index here."""


class Event(NamedTuple):
    """An event as the file has it."""

    id: int
    name: str
    kind: str
    game: str
    variant: str
    parameters: str
    seats: int
    deals: int
    rounds: int
    clock: str
    seed: int | None
    commitment: str
    """The hash of the secret, published before the first match."""
    secret: str | None
    """What all deals follow from; None until the event is over."""
    open_deals: bool
    """Whether somebody may have known the secret before."""
    cage: str
    spec: str
    status: str
    """"running", "finished" or "interrupted"."""
    started: str
    ended: str | None
    rated_up_to: int
    """The first match of the schedule that has not moved the ratings yet."""


class EventEntrant(NamedTuple):
    """A bot's version that plays in an event."""

    version: int
    suspended: str | None
    """Why it plays no more in this event; None if it does."""


_EVENTS = """
    SELECT events.id, events.name, kind, game, variants.name, parameters, seats, deals, rounds,
        clock, seed, commitment, secret, open_deals, cage, spec, status, started, ended, rated_up_to
    FROM events JOIN variants ON variants.id = events.variant
"""


def all_events(reader: Reader) -> list[Event]:
    """Return every event, the oldest first."""
    return [_event(row) for row in reader.rows(f"{_EVENTS} ORDER BY events.id")]


def event_named(reader: Reader, name: str) -> Event:
    """Return the event of this name."""
    row = reader.row(f"{_EVENTS} WHERE events.name = ?", [name])
    if row:
        return _event(row)
    names = [name for (name,) in reader.rows("SELECT name FROM events")]
    hint = did_you_mean(name, names) if names else "there are none yet"
    raise UnknownName(f"no event is called {name!r}: {hint}")


def _event(row: tuple[Any, ...]) -> Event:
    event = Event(*row)
    return event._replace(open_deals=bool(event.open_deals))


def start_event(writer: Writer, plan: Plan, *, now: datetime) -> Event:
    """Enter an event and its field; it is running from now on."""
    with writer.transaction():
        if writer.row("SELECT 1 FROM events WHERE name = ?", [plan.name]):
            raise BadInput(f"there is an event {plan.name!r} already: choose another name")
        event = writer.write(
            """
            INSERT INTO events (name, kind, variant, seats, deals, rounds, clock, seed, commitment,
                open_deals, cage, spec, status, started)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?)
            """,
            [
                *(plan.name, plan.kind, _variant(writer, plan.game, plan.parameters)),
                *(plan.seats, plan.deals, plan.rounds, plan.clock, plan.seed),
                *(commitment_to(plan.secret).hex(), plan.open_deals, plan.cage, plan.spec),
                timestamp(now),
            ],
        )
        writer.write("INSERT INTO secrets VALUES (?, ?)", [event, plan.secret.hex()])
        writer.write_many(
            "INSERT INTO entrants (event, number, version) VALUES (?, ?, ?)",
            [(event, number, version) for number, version in enumerate(plan.field)],
        )
    return event_named(writer, plan.name)


def resume_event(writer: Writer, event: int) -> None:
    """Let an event be running again."""
    with writer.transaction():
        writer.write("UPDATE events SET status = 'running', ended = NULL WHERE id = ?", [event])


def end_event(writer: Writer, event: int, *, finished: bool, now: datetime) -> None:
    """Let an event be over, its secret revealed, or interrupted."""
    status = "finished" if finished else "interrupted"
    with writer.transaction():
        if finished:
            writer.write(
                """
                UPDATE events SET secret = (SELECT secret FROM secrets WHERE event = events.id)
                WHERE id = ?
                """,
                [event],
            )
            writer.write("DELETE FROM secrets WHERE event = ?", [event])
        writer.write(
            "UPDATE events SET status = ?, ended = ? WHERE id = ?", [status, timestamp(now), event]
        )


def secret_of(reader: Reader, event: Event) -> bytes:
    """Return what the deals of an event follow from, whether it is over or not."""
    row = reader.row("SELECT secret FROM secrets WHERE event = ?", [event.id])
    text = event.secret or (row[0] if row else "")
    try:
        return read_secret(text)
    except BadSeed as error:
        raise BadLeague(f"the secret of {event.name} is lost: {error}") from None


def field_of(reader: Reader, event: int) -> list[EventEntrant]:
    """Return who plays in an event, in the order of its field."""
    sql = "SELECT version, suspended FROM entrants WHERE event = ? ORDER BY number"
    return [EventEntrant(*row) for row in reader.rows(sql, [event])]


def suspend(writer: Writer, event: int, entrant: int, *, reason: str) -> None:
    """Let an entrant, given by its index in the field, play no more in this event."""
    with writer.transaction():
        writer.write(
            "UPDATE entrants SET suspended = ? WHERE event = ? AND number = ?",
            [reason, event, entrant],
        )


def add_round(
    writer: Writer,
    event: int,
    number: int,
    pairings: Sequence[Pairing],
    byes: Sequence[Bye] = (),
    *,
    now: datetime,
) -> None:
    """Enter who sits with whom in a round, before its matches are entered."""
    with writer.transaction():
        versions = [entrant.version for entrant in field_of(writer, event)]
        writer.write("INSERT INTO rounds VALUES (?, ?, ?)", [event, number, timestamp(now)])
        writer.write_many(
            "INSERT INTO pairings (event, number, round) VALUES (?, ?, ?)",
            [(event, pairing.number, number) for pairing in pairings],
        )
        writer.write_many(
            "INSERT INTO pairing_seats (event, pairing, seat, version) VALUES (?, ?, ?, ?)",
            [
                (event, pairing.number, seat, versions[entrant])
                for pairing in pairings
                for seat, entrant in enumerate(pairing.seating)
            ],
        )
        writer.write_many(
            "INSERT INTO byes (event, round, version) VALUES (?, ?, ?)",
            [(event, number, versions[bye.entrant]) for bye in byes],
        )


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


def _variant(writer: Writer, game_id: str, parameters: str) -> int:
    """Find the id of a game with certain parameters; it is given one if it is new."""
    found = writer.row(
        "SELECT id FROM variants WHERE game = ? AND parameters = ?", [game_id, parameters]
    )
    if found:
        return int(found[0])
    return writer.write(
        "INSERT INTO variants (game, name, parameters) VALUES (?, ?, ?)",
        [game_id, _variant_name(game_id, parameters), parameters],
    )


def _variant_name(game_id: str, text: str) -> str:
    """Name parameters: by the variant that has them, or by all that is not the default."""
    game = game_named(game_id)
    parameters = game.parameters_form.read(text)
    for name, those in game.variants.items():
        if those == parameters:
            return name
    usual = game.settings(game.default_parameters)
    settings = game.settings(parameters)
    return " ".join(
        f"{name}={settings[name]}" for name in settings if settings[name] != usual[name]
    )

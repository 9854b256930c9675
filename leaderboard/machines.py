"""The machines of a cluster on which matches were played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from leaderboard.result import Machine
from leaderboard.store import Reader, Writer


class EventMachine(NamedTuple):
    """A machine that played in an event."""

    name: str
    speed: float
    matches: int


def store_machines(writer: Writer, machine_of: Mapping[int, Machine]) -> None:
    """Store where matches were played, by id, within a transaction."""
    known: dict[Machine, int] = {
        Machine(name, speed): number
        for number, name, speed in writer.rows("SELECT id, name, speed FROM machines")
    }
    new = {}
    for machine in machine_of.values():
        if machine not in known:
            known[machine] = new[machine] = len(known) + 1
    machines = [(number, *machine) for machine, number in new.items()]
    matches = [(match, known[machine]) for match, machine in machine_of.items()]
    writer.write_many("INSERT INTO machines VALUES (?, ?, ?)", machines)
    writer.write_many("INSERT INTO match_machines VALUES (?, ?)", matches)
    writer.note("machines", ("id", "name", "speed"), machines)
    writer.note("match_machines", ("match", "machine"), matches)


def machines_of_event(reader: Reader, event: int) -> list[EventMachine]:
    """Return the machines that an event was played on, if it was on a cluster."""
    rows = reader.rows(
        """
        SELECT name, speed, count(*)
        FROM matches
        JOIN match_machines ON match_machines.match = matches.id
        JOIN machines ON machines.id = match_machines.machine
        WHERE event = ?
        GROUP BY machines.id
        ORDER BY name, machines.id
        """,
        [event],
    )
    return [EventMachine(*row) for row in rows]

"""How is an event shown to people?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from arena.cli.tables import show
from arena.events.standing import EventStanding, standing_of
from arena.replays.story import plain
from arena.secret import OPEN_DEALS
from leaderboard.boards import EventFault, faults_of_event
from leaderboard.events import Event
from leaderboard.store import Reader

_MOST_IN_CROSSTABLE = 24
"""More columns than this fit on no terminal."""
_STANDINGS = {
    "rank": "rank",
    "bot": "bot",
    "version": "version",
    "points": "points",
    "opponents": "opponents",
    "direct": "direct",
    "wins": "wins",
    "rating": "rating",
    "matches": "matches",
    "byes": "byes",
    "mean_place": "mean place",
    "faults": "faults",
    "breaks": "breaks",
}
_SPARE = ("byes", "breaks", "mean_place", "direct", "opponents", "rating")
"""What a narrow window does without."""
_WRITTEN: dict[str, Callable[[Any], str]] = {
    name: lambda value: "" if value is None else f"{value:.2f}"
    for name in ("points", "opponents", "direct", "rating", "mean_place")
}
_FAULTS = {
    "bot": "bot",
    "version": "version",
    "ending": "fault",
    "times": "times",
    "match": "first in match",
    "sentence": "what it was",
}


def tell_event(reader: Reader, event: Event) -> None:
    """Print an event's standings, who did how against whom, and what went wrong."""
    standing = standing_of(reader, event)
    click.echo(click.style(plain(_title(event)), bold=True))
    click.echo(plain(_deals(event)))
    show(standing.rows(), _STANDINGS, written=_WRITTEN, spare=_SPARE)
    if len(standing.lines) <= _MOST_IN_CROSSTABLE:
        click.echo()
        _tell_crosstable(standing)
    if standing.suspended:
        click.echo()
    for name, reason in standing.suspended.items():
        click.echo(plain(f"{name}: {reason}"))
    faults = _summed_up(faults_of_event(reader, event.id))
    if faults:
        click.echo()
        show(faults, _FAULTS)


def _title(event: Event) -> str:
    marks = ["without a cage"] * (event.cage == "none") + [OPEN_DEALS] * event.open_deals
    return ", ".join(
        (
            f"{event.name}: {event.kind}",
            f"{event.game} {event.variant}",
            f"tables of up to {event.seats}",
            f"clock {event.clock}",
            event.status,
            *marks,
        )
    )


def _deals(event: Event) -> str:
    """Say what the deals follow from, as far as it is revealed."""
    if event.seed is not None:
        return f"deals from seed {event.seed}"
    if event.secret is not None:
        return f"deals from secret {event.secret}"
    return f"deals from a secret with the commitment {event.commitment}"


def _tell_crosstable(standing: EventStanding) -> None:
    """Print the share of matches that each finished ahead of each other, in percent."""
    names = [standing.names[line.entrant] for line in standing.lines]
    rows = []
    for number, (name, row) in enumerate(zip(names, standing.against, strict=True), start=1):
        cells = {str(n): round(100 * met.share) if met else None for n, met in enumerate(row, 1)}
        rows.append({"number": number, "bot": name, **cells})
    headings = {"number": "%", "bot": "ahead of"}
    headings |= {str(n): str(n) for n in range(1, len(names) + 1)}
    show(rows, headings)


def _summed_up(faults: Sequence[EventFault]) -> list[dict[str, Any]]:
    """Tell each bot's faults of a kind once."""
    kinds: dict[tuple[str, int, str], list[EventFault]] = {}
    for fault in faults:
        kinds.setdefault((fault.bot, fault.version, fault.ending), []).append(fault)
    return [
        {
            "bot": bot,
            "version": version,
            "ending": ending,
            "times": len(each),
            "match": each[0].match,
            "sentence": each[0].sentence,
        }
        for (bot, version, ending), each in kinds.items()
    ]

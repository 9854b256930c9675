"""What to say about an event beside its standings: tables, repeats, extensions."""

from __future__ import annotations

from arena.text import quantity
from arena.tournament.extension import extended_by, extended_events
from arena.tournament.setup import is_unrated
from leaderboard.events import Event, table_sizes
from leaderboard.repeats import repeats_of
from leaderboard.store import Reader


def tables_of(reader: Reader, event: Event) -> str:
    """Say how many seats the tables of an event have; until it is paired, how many at most."""
    sizes = table_sizes(reader, event.id)
    if not sizes:
        return f"tables of up to {event.seats}"
    return f"tables of {' and '.join(map(str, sizes))}"


def event_notes(reader: Reader, event: Event) -> list[str]:
    """Return sentences about the results of an event that its standings do not show."""
    unrated = ["unrated: its matches change no rating"] * is_unrated(event)
    return [*unrated, *_repeats(reader, event), *_series(reader, event)]


def _repeats(reader: Reader, event: Event) -> list[str]:
    """Say that matches are no new evidence, where deals were dealt before."""
    events, matches = repeats_of(reader, event.id)
    if not events:
        return []
    what = quantity(matches, "match repeats one", "matches repeat those")
    return [f"{what} of {', '.join(events)}: not rated again"]


def _series(reader: Reader, event: Event) -> list[str]:
    """Name the events that this one continues, and the one that continues it."""
    lines = []
    if earlier := extended_events(reader, event):
        names = ", ".join(each.name for each in earlier)
        lines.append(f"extends {names}: the standings count the matches of all of them")
    if later := extended_by(reader, event):
        lines.append(f"extended by {later.name}, whose standings count these matches too")
    return lines

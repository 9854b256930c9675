"""What to say about an event beside its standings: tables, repeats, extensions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from arena.text import quantity
from arena.tournament.extension import extended_by, extended_events
from arena.tournament.setup import is_unrated
from arena.tournament.spec import Kind
from leaderboard.events import Event, pairings_of
from leaderboard.queries.event_totals import event_tables, table_sizes
from leaderboard.ratings.repeats import repeats_of
from leaderboard.sides import sides_of
from leaderboard.store import Reader


def tables_of(reader: Reader, event: Event) -> str:
    """Say how many matches an event has had, and at tables of how many seats.

    Before the first match, say which tables are paired, or how many seats they have at most.
    """
    played = event_tables(reader, event.id)[event.id].played
    if not played:
        sizes = table_sizes(reader, event.id)
        return f"tables of {size_words(sizes)}" if sizes else f"tables of up to {event.seats}"
    matches = quantity(sum(played.values()), "match", "matches")
    return f"{matches} at tables of {size_words(played)}"


def size_words(sizes: Mapping[int, int] | Sequence[int]) -> str:
    """List sizes of tables; if there are several, with the number of matches if it is known."""
    if isinstance(sizes, Mapping) and len(sizes) > 1:
        return " and ".join(f"{seats} ({matches:,})" for seats, matches in sizes.items())
    return " and ".join(map(str, sizes))


def event_notes(reader: Reader, event: Event) -> list[str]:
    """Return sentences about the results of an event that its standings do not show."""
    unrated = ["unrated: its matches change no rating"] * is_unrated(event)
    found = (_forfeits, _meetings, _repeats, _series)
    return [*unrated, *(line for lines in found for line in lines(reader, event))]


def _forfeits(reader: Reader, event: Event) -> list[str]:
    """Say how many matches of the schedule were not played."""
    played, forfeited = event_tables(reader, event.id)[event.id]
    if not forfeited:
        return []
    total = quantity(sum(played.values()) + forfeited, "match", "matches")
    verb = "was" if forfeited == 1 else "were"
    return [f"{forfeited:,} of {total} {verb} forfeited by suspended bots, and not played"]


def _meetings(reader: Reader, event: Event) -> list[str]:
    """Say how many opponents met again in a Swiss event, where the search found no other tables."""
    sides = sides_of(event.game, event.parameters)
    met = Counter(
        frozenset((one, other))
        for pairing in pairings_of(reader, event.id) * (event.kind == Kind.SWISS)
        for (one, its), (other, others) in combinations(
            zip(pairing.seating, sides(len(pairing.seating)), strict=True), 2
        )
        if its != others
    )
    again = sum(times > 1 for times in met.values())
    if not again:
        return []
    return [f"{again:,} of {len(met):,} pairs met more than once: no better tables were found"]


def _repeats(reader: Reader, event: Event) -> list[str]:
    """Say that matches are not new evidence, where deals were dealt before."""
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

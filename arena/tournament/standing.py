"""The standings and crosstable of an event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from arena.indices import EntrantIndex, VersionId
from arena.models.config import PREFIX
from arena.scheduling.pairing import Bye
from arena.tournament.entrants import display_names
from arena.tournament.extension import extended_events
from arena.tournament.setup import is_unrated
from arena.tournament.spec import Kind
from leaderboard.bots import Version, all_versions
from leaderboard.events import Event, EventEntrant, all_events, byes_of, field_of, pairings_of
from leaderboard.matches import results_of
from leaderboard.queries.rating_histories import scores_after
from leaderboard.result import HeadToHead, MatchResult
from leaderboard.sides import sides_of
from leaderboard.standings import (
    StandingsRow,
    crosstable,
    is_adjusted,
    meetings,
    standings,
)
from leaderboard.store import Reader
from leaderboard.strength.league import STRENGTH_COLUMNS, VersionStrength, event_strengths


class EventStanding(NamedTuple):
    """An event's standings, and the results of each pair."""

    field: list[Version]
    names: list[str]
    """The names of the field, with the version where two bots share a name."""
    lines: list[StandingsRow]
    against: list[list[HeadToHead | None]]
    """A row and a column for each line of the standings."""
    suspended: dict[str, str]
    """The suspended bots, with the reason."""
    strengths: dict[VersionId, VersionStrength]
    """What the matches of this event alone say about its bots; empty for very large events."""

    @property
    def is_adjusted(self) -> bool:
        """Whether the bots are ranked by adjusted points."""
        return any(line.adjusted is not None for line in self.lines)

    @property
    def has_groups(self) -> bool:
        """Whether some bots never met, not even through others: strengths do not compare them."""
        return len({each.group_number for each in self.strengths.values()}) > 1

    def rows(self) -> list[dict[str, Any]]:
        """Return the standings as plain values."""
        return [self._row(line) for line in self.lines]

    def _row(self, line: StandingsRow) -> dict[str, Any]:
        version = self.field[line.entrant]
        row: dict[str, Any] = {"rank": line.rank, "bot": version.bot, "version": version.number}
        row["title"] = version.title or None
        for name, value in line._asdict().items():
            if name not in ("rank", "entrant"):
                row[name] = float(value) if isinstance(value, Fraction) else value
        return row | self._strength_columns(line)

    def _strength_columns(self, line: StandingsRow) -> dict[str, Any]:
        found = self.strengths.get(self.field[line.entrant].id)
        return found.columns() if found else dict.fromkeys(STRENGTH_COLUMNS)

    def crosstable(self) -> list[dict[str, Any]]:
        """Return the results of each pair that met as plain values."""
        names = [self.names[line.entrant] for line in self.lines]
        return [
            {"bot": name, "opponent": other, "matches": met.matches, "share": float(met.share)}
            for name, row in zip(names, self.against, strict=True)
            for other, met in zip(names, row, strict=True)
            if met
        ]


def standing_of(reader: Reader, event: Event) -> EventStanding:
    """Compute the standings of an event from the matches stored so far.

    Those of an extension count the events that it continues. If bots came late, the entrants have
    met different opponents and are ranked by strength, as in a ladder.
    """
    return _standing(reader, [*extended_events(reader, event), event])


def models_standings(reader: Reader, game: str | None = None) -> list[tuple[Event, EventStanding]]:
    """Return the standings of each variant from all events in which language models have played.

    Each comes with the last of these events, which has the game and the parameters.
    """
    by_variant: dict[tuple[str, str], list[Event]] = {}
    with_models = {
        event
        for (event,) in reader.rows(
            """
            SELECT DISTINCT event FROM entrants
            JOIN versions ON versions.id = entrants.version
            JOIN bots ON bots.id = versions.bot
            WHERE bots.name LIKE ?
            """,
            [f"{PREFIX}%"],
        )
    }
    for event in all_events(reader):
        if event.id in with_models and game in (None, event.game):
            by_variant.setdefault((event.game, event.parameters), []).append(event)
    return [
        (events[-1], _standing(reader, events, is_by_strength=True))
        for events in by_variant.values()
    ]


def _standing(
    reader: Reader, events: Sequence[Event], *, is_by_strength: bool = False
) -> EventStanding:
    """Compute the standings of events together; the last of them says how."""
    event = events[-1]
    versions = {version.id: version for version in all_versions(reader)}
    played = _played_in(reader, events)
    entrants, matches = played.entrants, played.matches
    field = [versions[entrant.version] for entrant in entrants]
    sides = sides_of(event.game, event.parameters)
    ids = [version.id for version in field]
    rated = scores_after(reader, event.id)
    is_ladder = event.kind == Kind.LADDER
    is_by_strength |= is_ladder or event.kind == Kind.GAUNTLET
    lines = standings(
        matches,
        field=ids,
        sides=sides,
        # Sitting out a round of a ladder is worth nothing.
        byes=() if is_ladder else played.byes,
        ratings=None if is_unrated(event) else [rated.get(version.id, 0.0) for version in field],
        by_adjusted=is_adjusted(event.kind, event.seats),
    )
    strengths = event_strengths(matches, sides)
    if (is_by_strength or played.came_late) and strengths:
        lines = _by_strength(lines, ids, strengths)
    suspended = {
        str(version): entrant.suspended
        for version, entrant in zip(field, entrants, strict=True)
        if entrant.suspended
    }
    names = display_names([(version.bot, version.number) for version in field])
    met = meetings(matches, field=ids, sides=sides)
    return EventStanding(field, names, lines, crosstable(lines, met), suspended, strengths)


class _Played(NamedTuple):
    """What was played in an event and in the events that it continues."""

    entrants: list[EventEntrant]
    byes: list[Bye]
    matches: list[MatchResult]
    came_late: bool
    """Whether the field changed."""


def _played_in(reader: Reader, events: Sequence[Event]) -> _Played:
    """Combine events; the last one has the last word on suspensions."""
    entrants: dict[VersionId, EventEntrant] = {}
    fields = [field_of(reader, event.id) for event in events]
    for field in fields:
        entrants |= {entrant.version: entrant for entrant in field}
    index = {version: EntrantIndex(number) for number, version in enumerate(entrants)}
    byes: list[Bye] = []
    matches: list[MatchResult] = []
    first_pairing = 0
    for event, field in zip(events, fields, strict=True):
        byes += [
            bye._replace(entrant=index[field[bye.entrant].version])
            for bye in byes_of(reader, event.id)
        ]
        matches += [
            match._replace(pairing=first_pairing + match.pairing)
            for match in results_of(reader, event.id, replays=False)
        ]
        first_pairing += len(pairings_of(reader, event.id))
    came_late = len({frozenset(each.version for each in field) for field in fields}) > 1
    return _Played(list(entrants.values()), byes, matches, came_late)


def _by_strength(
    lines: Sequence[StandingsRow],
    field: Sequence[VersionId],
    strengths: Mapping[VersionId, VersionStrength],
) -> list[StandingsRow]:
    """Rank entrants who have met different opponents; those who have not played come last.

    Groups that never met follow one another, each with ranks from 1.
    """

    def merit(line: StandingsRow) -> tuple[float, float]:
        found = strengths.get(field[line.entrant])
        return (found.group_number, -found.strength) if found else (inf, 0.0)

    ranking = []
    for place, line in enumerate(sorted(lines, key=merit), start=1):
        found = strengths.get(field[line.entrant])
        ranking.append(line._replace(rank=(found and found.rank) or place))
    return ranking

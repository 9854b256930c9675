"""How does an event stand, for people and programs to read?"""

from __future__ import annotations

from typing import Any, NamedTuple

from arena.events.names import names_of
from arena.games.registry import game_named
from leaderboard.boards import scores_after
from leaderboard.bots import Version, all_versions
from leaderboard.events import Event, byes_of, field_of
from leaderboard.matches import results_of
from leaderboard.results import FORFEIT, PLAYED
from leaderboard.standings import Line, MatchResult, Meeting, crosstable, meetings, standings
from leaderboard.store import Reader


class EventStanding(NamedTuple):
    """An event's standings, and who did how against whom."""

    field: list[Version]
    names: list[str]
    """Those of the field, each with its version where two have one name."""
    lines: list[Line]
    against: list[list[Meeting | None]]
    """A row for each line, a column for each line."""
    suspended: dict[str, str]
    """Who was, and why."""

    def rows(self) -> list[dict[str, Any]]:
        """Return the standings as plain values."""
        return [
            {
                "rank": line.rank,
                "bot": self.field[line.entrant].bot,
                "version": self.field[line.entrant].number,
                "points": float(line.points),
                "opponents": float(line.opponents),
                "direct": None if line.direct is None else float(line.direct),
                "wins": line.wins,
                "rating": line.rating,
                "matches": line.matches,
                "byes": line.byes,
                "mean_place": None if line.mean_place is None else float(line.mean_place),
                "faults": line.faults,
                "breaks": line.breaks,
            }
            for line in self.lines
        ]

    def crosstable(self) -> list[dict[str, Any]]:
        """Return every pair that met as plain values."""
        names = [self.names[line.entrant] for line in self.lines]
        return [
            {"bot": name, "opponent": other, "matches": met.matches, "share": float(met.share)}
            for name, row in zip(names, self.against, strict=True)
            for other, met in zip(names, row, strict=True)
            if met
        ]


def standing_of(reader: Reader, event: Event) -> EventStanding:
    """Work out the standings of an event, or of as much of it as there is."""
    versions = {version.id: version for version in all_versions(reader)}
    entrants = field_of(reader, event.id)
    field = [versions[entrant.version] for entrant in entrants]
    places = {entrant.version: place for place, entrant in enumerate(entrants)}
    game = game_named(event.game)
    parameters = game.parameters_form.read(event.parameters)
    matches = [
        MatchResult(
            pairing=result.pairing,
            seating=tuple(places[seat.version] for seat in result.seats),
            places=tuple(seat.place for seat in result.seats),
            sides=game.sides(len(result.seats), parameters),
            faulted=frozenset(
                places[seat.version]
                for seat in result.seats
                if seat.ending not in (PLAYED, FORFEIT)
            ),
            breaks=tuple(seat.breaks for seat in result.seats),
            played=result.ending != FORFEIT,
        )
        for result in results_of(reader, event.id, replays=False)
    ]
    rated = scores_after(reader, event.id)
    lines = standings(
        matches,
        entrants=len(field),
        byes=byes_of(reader, event.id),
        ratings=[rated.get(version.id, 0.0) for version in field],
    )
    suspended = {
        str(version): entrant.suspended
        for version, entrant in zip(field, entrants, strict=True)
        if entrant.suspended
    }
    names = names_of([(version.bot, version.number) for version in field])
    return EventStanding(field, names, lines, crosstable(lines, meetings(matches)), suspended)

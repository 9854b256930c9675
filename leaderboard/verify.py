"""Is all that the league tells of its ratings what its matches make of them?

Every rating, its history and the sums beside it are worked out once more from the stored places,
from nothing and in the order in which they were applied, and compared to the last bit. That the
stored places are those of the replays is not checked here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from arena.errors import ArenaError
from arena.games.registry import game_named
from leaderboard.rating_book import RatingBook, RatingLine, SeatFacts
from leaderboard.store import Reader

_Row = tuple[Any, ...]
"""What a table holds under one key; the types are those of its columns, hence Any."""
_Table = Mapping[tuple[int, ...], _Row]


class Difference(NamedTuple):
    """A place where the file says something else than its matches do."""

    where: str
    column: str
    stored: object
    computed: object

    def __str__(self) -> str:
        """Say it in a sentence."""
        return f"{self.where}: {self.column} is {self.stored}, but should be {self.computed}"


def first_difference(reader: Reader) -> Difference | None:
    """Compare everything; return the first place that differs, or None if all is true."""
    with reader.snapshot():
        return next(_Check(reader).differences(), None)


class _Check:
    """One league under examination."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._bots = {
            version: f"{name}@{number}"
            for version, name, number in reader.rows(
                """
                SELECT versions.id, name, number
                FROM versions JOIN bots ON bots.id = versions.bot
                """
            )
        }
        self._variants: dict[int, str] = {}
        self._books: dict[int, RatingBook] = {}
        self._seat_counts: dict[int, tuple[int, ...]] = {}

    def differences(self) -> Iterator[Difference]:
        """Yield what differs."""
        yield from self._in_structure()
        yield from self._in_variants()
        yield from self._in_order()
        yield from self._in_history()
        yield from self._in_lengths()
        yield from self._in_ratings()
        yield from self._in_meetings()

    def _in_structure(self) -> Iterator[Difference]:
        for (complaint,) in self._reader.rows("PRAGMA integrity_check(1)"):
            if complaint != "ok":
                yield Difference("the file", "its structure", complaint, "sound")
        for table, *_ in self._reader.rows("PRAGMA foreign_key_check"):
            yield Difference("the file", f"a row of {table}", "loose", "part of another one")

    def _in_variants(self) -> Iterator[Difference]:
        """Make the books, if all variants are something that can be played."""
        rows = self._reader.rows("SELECT id, game, name, parameters FROM variants")
        for variant, game_id, name, parameters in rows:
            self._variants[variant] = f"{game_id} {name}"
            try:
                game = game_named(game_id)
                counts = game.seats_for(game.parameters_form.read(parameters))
            except ArenaError as error:
                yield Difference(f"variant {variant}", "parameters", parameters, f"right: {error}")
                return
            self._seat_counts[variant] = counts
            self._books[variant] = RatingBook(game_id, parameters)

    def _in_order(self) -> Iterator[Difference]:
        """Compare which matches have moved ratings, and that it was in their event's order."""
        rows = self._reader.rows(
            """
            SELECT events.name, rated_up_to, matches.number, rated, rating_order
            FROM events LEFT JOIN matches ON matches.event = events.id
            ORDER BY events.id, matches.number
            """
        )
        for (event, rated_up_to), matches in groupby(rows, key=itemgetter(0, 1)):
            passed = latest = 0
            for _, _, number, rated, order in matches:
                where = f"event {event}, match {number}"
                is_next = number == passed
                passed += is_next
                if is_next and rated:
                    if order is None or order <= latest:
                        yield Difference(where, "rating_order", order, f"more than {latest}")
                    latest = order
                elif order is not None:
                    yield Difference(where, "rating_order", order, None)
            if rated_up_to != passed:
                yield Difference(f"event {event}", "rated_up_to", rated_up_to, passed)

    def _in_history(self) -> Iterator[Difference]:
        """Apply every match once more, and compare what each made of its bots' ratings."""
        rows = self._reader.rows(
            """
            SELECT matches.id, variant, events.name, matches.number, version, place, seats.ending
            FROM matches
            JOIN events ON events.id = matches.event
            JOIN seats ON seats.match = matches.id
            WHERE rating_order IS NOT NULL
            ORDER BY rating_order, seat
            """
        )
        columns = ("match", "mu", "sigma")
        for (match, variant, event, number), of_one in groupby(rows, key=itemgetter(0, 1, 2, 3)):
            where = f"event {event}, match {number}"
            seats = [SeatFacts(*row[4:]) for row in of_one]
            counts = self._seat_counts[variant]
            if len(seats) not in counts:
                yield Difference(where, "number of seats", len(seats), f"one of {counts}")
                return
            for line in self._books[variant].apply(seats):
                stored = self._reader.row(
                    """
                    SELECT match, mu, sigma FROM rating_history
                    WHERE variant = ? AND version = ? AND number = ?
                    """,
                    [variant, line.version, line.matches],
                )
                bot = f"{where}, {self._bots[line.version]}"
                yield from _differing(bot, columns, stored, (match, *line.skill))

    def _in_lengths(self) -> Iterator[Difference]:
        computed: _Table = {
            (variant, line.version): (line.matches,) for variant, line in self._lines()
        }
        sql = "SELECT variant, version, count(*) FROM rating_history GROUP BY variant, version"
        stored: _Table = {row[:2]: row[2:] for row in self._reader.rows(sql)}
        yield from self._compared(("length of its history",), stored, computed)

    def _in_ratings(self) -> Iterator[Difference]:
        columns = ("mu", "sigma", "matches", "wins", "place_sum", "faults")
        computed: _Table = {
            (variant, version): (*skill, *sums)
            for variant, (version, skill, *sums) in self._lines()
        }
        rows = self._reader.rows(f"SELECT variant, version, {', '.join(columns)} FROM ratings")
        stored: _Table = {row[:2]: row[2:] for row in rows}
        yield from self._compared(columns, stored, computed)

    def _in_meetings(self) -> Iterator[Difference]:
        columns = ("ahead", "tied", "behind")
        computed: _Table = {
            (variant, *pair): tuple(meeting)
            for variant, book in self._books.items()
            for pair, meeting in book.meetings.items()
        }
        rows = self._reader.rows("SELECT * FROM meetings")
        stored: _Table = {row[:3]: row[3:] for row in rows}
        yield from self._compared(columns, stored, computed)

    def _lines(self) -> Iterator[tuple[int, RatingLine]]:
        for variant, book in self._books.items():
            for line in book.lines.values():
                yield variant, line

    def _compared(
        self, columns: Sequence[str], stored: _Table, computed: _Table
    ) -> Iterator[Difference]:
        """Compare two tables whose keys are a variant and one or two versions."""
        for key in sorted({*stored, *computed}):
            variant, *versions = key
            bots = " against ".join(self._bots[version] for version in versions)
            where = f"{self._variants[variant]}, {bots}"
            yield from _differing(where, columns, stored.get(key), computed.get(key))


def _differing(
    where: str, columns: Sequence[str], stored: _Row | None, computed: _Row | None
) -> Iterator[Difference]:
    nothing = (None,) * len(columns)
    for column, one, other in zip(columns, stored or nothing, computed or nothing, strict=True):
        if one != other:
            yield Difference(where, column, one, other)

"""Check the ratings of a league against its matches.

Every rating, its history and the totals beside it are computed again from the stored places, in the
order in which they were applied, with the tie rates in the file, and compared to the last bit.
Whether the stored places are those of the replays is not checked here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from arena.errors import ArenaError
from arena.games.registry import game_named
from arena.tournament.verification.strengths import strength_differences
from leaderboard.matches import rated_matches
from leaderboard.ratings.tie_rates import tie_rates_of
from leaderboard.ratings.variant_ratings import VariantRatings, VersionRating
from leaderboard.store import Reader

_Row = tuple[Any, ...]
"""The columns of a row without its key; Any, because the types are those of its columns."""
_Table = Mapping[tuple[int, ...], _Row]


class Difference(NamedTuple):
    """A value in the file that does not follow from its matches."""

    where: str
    column: str
    stored: object
    computed: object

    def __str__(self) -> str:
        """Return it as a sentence."""
        return f"{self.where}: {self.column} is {self.stored}, but should be {self.computed}"


def first_difference(reader: Reader) -> Difference | None:
    """Compare everything; return the first difference, or None."""
    with reader.snapshot():
        return next(_Check(reader).differences(), None)


class _Check:
    """The check of one league."""

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
        self._ratings: dict[int, VariantRatings] = {}
        self._seat_counts: dict[int, tuple[int, ...]] = {}

    def differences(self) -> Iterator[Difference]:
        """Yield all differences."""
        yield from self._check_structure()
        yield from self._check_variants()
        yield from self._check_order()
        yield from self._check_history()
        yield from self._check_lengths()
        yield from self._check_ratings()
        yield from self._check_meetings()
        yield from self._check_strengths()

    def _check_structure(self) -> Iterator[Difference]:
        for (complaint,) in self._reader.rows("PRAGMA integrity_check(1)"):
            if complaint != "ok":
                yield Difference("the file", "its structure", complaint, "sound")
        for table, *_ in self._reader.rows("PRAGMA foreign_key_check"):
            yield Difference(
                "the file", f"a row of {table}", "orphaned", "linked to an existing row"
            )

    def _check_variants(self) -> Iterator[Difference]:
        """Check that every variant can be played, and start its ratings."""
        rows = self._reader.rows("SELECT id, game, name, parameters FROM variants")
        for variant, game_id, name, parameters in rows:
            self._variants[variant] = f"{game_id} {name}"
            try:
                game = game_named(game_id)
                counts = game.seats_for(game.parameters_form.read(parameters))
            except ArenaError as error:
                yield Difference(f"variant {variant}", "parameters", parameters, f"valid: {error}")
                return
            self._seat_counts[variant] = counts
            rates = tie_rates_of(self._reader, variant)
            if sorted(rates) != sorted(counts):
                yield Difference(
                    self._variants[variant], "tie rates for seats", sorted(rates), sorted(counts)
                )
                return
            self._ratings[variant] = VariantRatings(game_id, parameters, ties=rates)

    def _check_order(self) -> Iterator[Difference]:
        """Check that the right matches were rated, in the order of their events."""
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

    def _check_history(self) -> Iterator[Difference]:
        """Rate every match again, and compare the new ratings with the history."""
        columns = ("match", "mu", "sigma")
        for match, variant, event, number, seats in rated_matches(self._reader):
            where = f"event {event}, match {number}"
            counts = self._seat_counts[variant]
            if len(seats) not in counts:
                yield Difference(where, "number of seats", len(seats), f"one of {counts}")
                return
            for line in self._ratings[variant].apply(seats):
                stored = self._reader.row(
                    """
                    SELECT match, mu, sigma FROM rating_history
                    WHERE variant = ? AND version = ? AND number = ?
                    """,
                    [variant, line.version, line.matches],
                )
                bot = f"{where}, {self._bots[line.version]}"
                yield from _compare_rows(bot, columns, stored, (match, *line.skill))

    def _check_lengths(self) -> Iterator[Difference]:
        computed: _Table = {
            (variant, line.version): (line.matches,) for variant, line in self._lines()
        }
        sql = "SELECT variant, version, count(*) FROM rating_history GROUP BY variant, version"
        stored: _Table = {row[:2]: row[2:] for row in self._reader.rows(sql)}
        yield from self._compare_tables(("length of its history",), stored, computed)

    def _check_ratings(self) -> Iterator[Difference]:
        columns = ("mu", "sigma", "matches", "wins", "place_sum", "faults")
        computed: _Table = {
            (variant, version): (*skill, *sums)
            for variant, (version, skill, *sums) in self._lines()
        }
        rows = self._reader.rows(f"SELECT variant, version, {', '.join(columns)} FROM ratings")
        stored: _Table = {row[:2]: row[2:] for row in rows}
        yield from self._compare_tables(columns, stored, computed)

    def _check_meetings(self) -> Iterator[Difference]:
        columns = ("ahead", "tied", "behind")
        computed: _Table = {
            (variant, *pair): tuple(meeting)
            for variant, ratings in self._ratings.items()
            for pair, meeting in ratings.meetings.items()
        }
        rows = self._reader.rows("SELECT * FROM meetings")
        stored: _Table = {row[:3]: row[3:] for row in rows}
        yield from self._compare_tables(columns, stored, computed)

    def _check_strengths(self) -> Iterator[Difference]:
        for variant, name in self._variants.items():
            for where, column, stored, computed in strength_differences(self._reader, variant):
                bot = self._bots.get(where, str(where))
                yield Difference(f"{name}, {bot}", column, stored, computed)

    def _lines(self) -> Iterator[tuple[int, VersionRating]]:
        for variant, ratings in self._ratings.items():
            for line in ratings.by_version.values():
                yield variant, line

    def _compare_tables(
        self, columns: Sequence[str], stored: _Table, computed: _Table
    ) -> Iterator[Difference]:
        """Compare two tables whose keys are a variant and one or two versions."""
        for key in sorted({*stored, *computed}):
            variant, *versions = key
            bots = " against ".join(self._bots[version] for version in versions)
            where = f"{self._variants[variant]}, {bots}"
            yield from _compare_rows(where, columns, stored.get(key), computed.get(key))


def _compare_rows(
    where: str, columns: Sequence[str], stored: _Row | None, computed: _Row | None
) -> Iterator[Difference]:
    nothing = (None,) * len(columns)
    for column, one, other in zip(columns, stored or nothing, computed or nothing, strict=True):
        if one != other:
            yield Difference(where, column, one, other)

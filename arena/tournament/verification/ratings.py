"""Check the ratings and strengths of a league against its matches.

Every rating, its history and the totals beside it are computed again from the stored places, in the
order in which they were applied, with the tie rates in the file, and compared to the last bit. Then
the sums of deals are added up again, and the strengths are fitted.
Whether the stored places are those of the replays is not checked here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from arena.errors import ArenaError
from arena.games.registry import game_named
from arena.indices import VersionId
from arena.tournament.verification.differences import Row, compare, compare_rows
from leaderboard.bots import all_versions
from leaderboard.matches import rated_matches
from leaderboard.ratings.tie_rates import tie_rates_of
from leaderboard.ratings.variant_ratings import VariantRatings
from leaderboard.store import Reader
from leaderboard.strength.league import (
    VersionStrength,
    describe_sums,
    playing_versions,
    sides_of_variant,
)
from leaderboard.strength.stored_sums import complete_deals, read_sums
from leaderboard.strength.sums import LeagueSums

_Table = Mapping[tuple[int, ...], Row]
_ROUNDING = 1e-9
"""Relative difference of strengths that another machine's arithmetic may cause."""


def first_difference(reader: Reader) -> str | None:
    """Compare everything; describe the first difference, or return None."""
    with reader.snapshot():
        return next(_Check(reader).differences(), None)


class _Check:
    """The check of one league."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._names: dict[VersionId, str] = {}
        self._variants: dict[int, str] = {}
        self._ratings: dict[int, VariantRatings] = {}

    def differences(self) -> Iterator[str]:
        """Yield all differences."""
        yield from self._check_structure()
        self._names = {version.id: str(version) for version in all_versions(self._reader)}
        yield from self._check_variants()
        yield from self._check_order()
        yield from self._check_history()
        yield from self._check_totals()
        for variant, name in self._variants.items():
            yield from strength_differences(self._reader, variant, name, self._names)

    def _check_structure(self) -> Iterator[str]:
        for (complaint,) in self._reader.rows("PRAGMA integrity_check(1)"):
            if complaint != "ok":
                yield f"the file: its structure is {complaint}, but should be sound"
        for table, *_ in self._reader.rows("PRAGMA foreign_key_check"):
            yield f"the file: a row of {table} is orphaned, but should refer to an existing row"

    def _check_variants(self) -> Iterator[str]:
        """Check that every variant can be played, and start its ratings."""
        rows = self._reader.rows("SELECT id, game, name, parameters FROM variants")
        for variant, game_id, name, parameters in rows:
            self._variants[variant] = f"{game_id} {name}"
            try:
                game = game_named(game_id)
                counts = game.seats_for(game.parameters_form.read(parameters))
            except ArenaError as error:
                yield f"variant {variant}: parameters is {parameters}, but should be valid: {error}"
                return
            rates = tie_rates_of(self._reader, variant)
            where = f"{self._variants[variant]}: tie rates for seats"
            yield from compare(where, sorted(rates), sorted(counts))
            self._ratings[variant] = VariantRatings(game_id, parameters, ties=rates)

    def _check_order(self) -> Iterator[str]:
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
                where = f"event {event}, match {number}: rating_order"
                is_next = number == passed
                passed += is_next
                if not (is_next and rated):
                    yield from compare(where, order, None)
                elif order is None or order <= latest:
                    yield f"{where} is {order}, but should be more than {latest}"
                else:
                    latest = order
            yield from compare(f"event {event}: rated_up_to", rated_up_to, passed)

    def _check_history(self) -> Iterator[str]:
        """Rate every match again, and compare the new ratings with the history."""
        columns = ("match", "mu", "sigma")
        for match, variant, event, number, seats in rated_matches(self._reader):
            where = f"event {event}, match {number}"
            ratings = self._ratings[variant]
            if len(seats) not in ratings.ties:
                yield f"{where}: number of seats is {len(seats)}, but should be possible"
                return
            for line in ratings.apply(seats):
                stored = self._reader.row(
                    """
                    SELECT match, mu, sigma FROM rating_history
                    WHERE variant = ? AND version = ? AND number = ?
                    """,
                    [variant, line.version, line.matches],
                )
                bot = f"{where}, {self._names[line.version]}"
                yield from compare_rows(bot, columns, stored, (match, *line.skill))

    def _check_totals(self) -> Iterator[str]:
        """Compare ratings, the lengths of their histories, and meetings."""
        ratings: dict[tuple[int, ...], Row] = {}
        meetings: dict[tuple[int, ...], Row] = {}
        for variant, each in self._ratings.items():
            for version, skill, *sums in each.by_version.values():
                ratings[variant, version] = (*skill, *sums)
            for pair, meeting in each.meetings.items():
                meetings[variant, *pair] = meeting
        lengths = {key: row[2:3] for key, row in ratings.items()}
        yield from self._compare_tables(
            ("length of its history",),
            "SELECT variant, version, count(*) FROM rating_history GROUP BY variant, version",
            lengths,
        )
        yield from self._compare_tables(
            ("mu", "sigma", "matches", "wins", "place_sum", "faults"),
            "SELECT variant, version, mu, sigma, matches, wins, place_sum, faults FROM ratings",
            ratings,
        )
        sql = "SELECT variant, version, opponent, ahead, tied, behind FROM meetings"
        yield from self._compare_tables(("ahead", "tied", "behind"), sql, meetings)

    def _compare_tables(self, columns: Sequence[str], sql: str, computed: _Table) -> Iterator[str]:
        """Compare rows of the file whose keys are a variant and one or two versions."""
        stored = {row[: -len(columns)]: row[-len(columns) :] for row in self._reader.rows(sql)}
        for key in sorted({*stored, *computed}):
            bots = " against ".join(self._names[version] for version in key[1:])
            where = f"{self._variants[key[0]]}, {bots}"
            yield from compare_rows(where, columns, stored.get(key), computed.get(key))


def strength_differences(
    reader: Reader, variant: int, name: str, bots: Mapping[VersionId, str]
) -> Iterator[str]:
    """Add up the deals again, and fit the strengths; yield what differs.

    `name` is that of the variant, `bots` has those of all versions.
    """
    sides = sides_of_variant(reader, variant)
    sums = LeagueSums()
    events = reader.rows(
        """
        SELECT events.id, name, status = 'finished', rated_up_to, coalesce(summed_up_to, 0)
        FROM events LEFT JOIN summed_events ON event = events.id
        WHERE variant = ?
        """,
        [variant],
    )
    for event, event_name, is_over, rated_up_to, summed_up_to in events:
        end = 0
        last = rated_up_to if is_over else min(rated_up_to, summed_up_to)
        for deal in complete_deals(reader, event, sides, end=last):
            sums.add_deal(deal.results)
            end = max(end, deal.end)
        yield from compare(f"{name}, event {event_name}: summed_up_to", summed_up_to, end)
    stored = read_sums(reader, variant)
    for table in sorted({*stored.tables, *sums.tables}):
        one, other = stored.tables.get(table), sums.tables.get(table)
        where = f"{name}, the table of versions {', '.join(map(str, table.versions))}"
        for column in ("deals", "scores", "products"):
            values = getattr(one, column, None), getattr(other, column, None)
            yield from compare(f"{where}: {column}", *values)
    yield from _compare_strengths(reader, variant, sums, name, bots)


def _compare_strengths(
    reader: Reader, variant: int, sums: LeagueSums, name: str, bots: Mapping[VersionId, str]
) -> Iterator[str]:
    columns = VersionStrength._fields[1:]
    rows = reader.rows(
        f"SELECT version, {', '.join(columns)} FROM strengths WHERE variant = ?", [variant]
    )
    stored = {row[0]: row[1:] for row in rows}
    lines = describe_sums(sums, playing_versions(reader))
    computed = {line.version: line[1:] for line in lines}
    for version in sorted({*stored, *computed}):
        where = f"{name}, {bots.get(version, version)}"
        yield from compare_rows(
            where, columns, stored.get(version), computed.get(version), is_same=_is_same
        )


def _is_same(one: Any, other: Any) -> bool:  # numbers, or None
    if one is None or other is None:
        return one is other
    return bool(abs(one - other) <= _ROUNDING * max(abs(one), abs(other)))

"""How fast does the league play, store, rate and query?

The events are those of events.py. `swiss_1000_s` is the slowest round of an event of 1,000 bots at
tables of four.

`rating_ratio` is the time to store and rate four-seat matches in batches, including replays,
divided by the time the trueskill package alone needs to rate them. The two alternate, so that a
noisy machine affects both equally; the figure is the median of the turns.
`writer_matches_per_second` is how many matches one writer stores and rates in a second, by seats:
more workers than that cannot be used. `leaderboard_query_ms` is the query for the leaderboard of
one game in a file with a million matches, created by bulk SQL. `leaderboard_s` is the whole command
on that file, from start to end.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

import events
import trueskill
from figures import print_figures

from arena.games.outcome import Ending, places_by
from arena.games.randomness import derive, seed_from
from arena.games.registry import GAME_IDS, game_named
from arena.indices import VersionId
from arena.scheduling.pairing import Pairing
from arena.scheduling.points import points_of
from arena.scheduling.swiss import History, Played, default_rounds, swiss_round
from arena.submission.package import Package
from leaderboard.bots import submit
from leaderboard.events import Event, add_rounds, start_event
from leaderboard.ledger import Ledger
from leaderboard.queries.leaderboards import head_to_head, leaderboard
from leaderboard.result import MatchResult, SeatResult
from leaderboard.store import Store, Writer

SEATS = 4
BOTS = 32
MATCHES = 10_000
TURNS = 10
BATCH = 64
REPLAY_BYTES = 1500
WRITER_SEATS = (2, 4, 6)
NOW = datetime(2026, 1, 1, tzinfo=UTC)

LARGE_BOTS = 400
LARGE_MATCHES = 1_000_000


def enter_bots(writer: Writer, count: int) -> tuple[VersionId, ...]:
    """Submit bots that are never run."""
    return tuple(
        submit(
            writer,
            name=f"bot-{number}",
            games=GAME_IDS,
            manifest="",
            lock="",
            packed=Package(str(number), b"", 1, 0),
            now=NOW,
        ).version.id
        for number in range(count)
    )


def begin_event(writer: Writer, game_id: str, field: Sequence[VersionId]) -> Event:
    """Start an arbitrary event."""
    game = game_named(game_id)
    parameters = game.parameters_form.show(game.default_parameters)
    event = Event(
        *("swiss", game_id, game_id),
        parameters=parameters,
        seats=SEATS,
        rounds=1,
        clock="",
        commitment="",
        secret=seed_from(1).hex(),
        open_deals=True,
        cage="",
        spec="",
    )
    return start_event(writer, event, field, now=NOW)


def random_results(matches: int, rng: Random, seats: int = SEATS) -> list[MatchResult]:
    """Make up results of matches between bots of different strength."""
    results = []
    for number in range(matches):
        versions = [VersionId(version + 1) for version in rng.sample(range(BOTS), seats)]
        scores = [int(rng.gauss(version, 10)) for version in versions]
        seat_results = (
            SeatResult(version, place, score, (seats - place) / (seats - 1))
            for version, place, score in zip(versions, places_by(scores), scores, strict=True)
        )
        results.append(
            MatchResult(
                number=number,
                pairing=0,
                deal=0,
                rotation=0,
                seed=derive(seed_from(1), str(number)),
                ending=Ending.PLAYED_OUT.code,
                seats=tuple(seat_results),
                decisions=60,
                time_ms=40,
                cage="bubblewrap",
                replay=rng.randbytes(REPLAY_BYTES),
            )
        )
    return results


def new_ledger(writer: Writer) -> Ledger:
    """Start an event in an empty league."""
    event = begin_event(writer, "meow", enter_bots(writer, BOTS))
    add_rounds(writer, event.id, 1, [([Pairing(1, 0, ())], ())], now=NOW)
    return Ledger(writer, event.id)


def writer_matches_per_second(folder: Path, seats: int) -> float:
    """Return how many matches one writer stores and rates in a second."""
    results = random_results(MATCHES, Random(seats), seats)
    path = folder / f"writer-{seats}.db"
    with Store.open(path, create=True) as store, store.writing() as writer:
        ledger = new_ledger(writer)
        start = time.perf_counter()
        for at in range(0, MATCHES, BATCH):
            ledger.finish(results[at : at + BATCH], now=NOW)
        return MATCHES / (time.perf_counter() - start)


def rating_ratio(folder: Path) -> float:
    """Return the time to store and rate, relative to rating alone."""
    results = random_results(MATCHES, Random(1))
    environment = trueskill.TrueSkill(tau=0, draw_probability=game_named("meow").tie_rates[SEATS])
    ratings = [environment.create_rating() for _ in range(BOTS + 1)]
    ratios = []
    with Store.open(folder / "rating.db", create=True) as store, store.writing() as writer:
        ledger = new_ledger(writer)
        size = MATCHES // TURNS
        for first in range(0, MATCHES, size):
            turn = results[first : first + size]
            start = time.perf_counter()
            for result in turn:
                groups = [(ratings[seat.version],) for seat in result.seats]
                ranks = [seat.place for seat in result.seats]
                for seat, (rating,) in zip(
                    result.seats, environment.rate(groups, ranks), strict=True
                ):
                    ratings[seat.version] = rating
            between = time.perf_counter()
            for at in range(0, size, BATCH):
                ledger.finish(turn[at : at + BATCH], now=NOW)
            ratios.append((time.perf_counter() - between) / (between - start))
    return median(ratios)


def make_large(path: Path) -> None:
    """Create a league with a million matches, equally many of each game."""
    with Store.open(path, create=True) as store, store.writing() as writer:
        field = enter_bots(writer, LARGE_BOTS)
        for game in GAME_IDS:
            event = begin_event(writer, game, field)
            add_rounds(writer, event.id, 1, [([Pairing(1, 0, ())], ())], now=NOW)
    each = LARGE_MATCHES // len(GAME_IDS)
    played = each * SEATS // LARGE_BOTS
    connection = sqlite3.connect(path)
    series = "WITH RECURSIVE n (i) AS (SELECT {} UNION ALL SELECT i + 1 FROM n WHERE i < {})"
    with connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(
            f"""
            {series.format(0, LARGE_MATCHES - 1)}
            INSERT INTO matches
            SELECT i + 1, i / {each} + 1, i % {each}, 0, 0, 0, hex(randomblob(32)), 'played_out',
                60, 40, 'bubblewrap', 1, i + 1
            FROM n
            """
        )
        connection.execute(
            f"""
            {series.format(0, SEATS - 1)}
            INSERT INTO seats
            SELECT id, i, (id * 7 + i * 101) % {LARGE_BOTS} + 1, i + 1, 10, 0.5, 'played', 0,
                NULL, 15, 9000, 2000, 9000, 30000
            FROM matches, n
            """
        )
        connection.execute(
            f"""
            {series.format(1, played)}
            INSERT INTO rating_history
            SELECT variants.id, versions.id, i, (variants.id - 1) * {each} + i,
                25 + abs(random() % 1000) / 500.0, 1
            FROM variants, versions, n
            """
        )
        connection.execute(
            f"""
            INSERT INTO ratings
            SELECT variant, version, mu, sigma, {played}, {played} / 4, 2 * {played}, 0, '2026'
            FROM rating_history WHERE number = {played}
            """
        )
        connection.execute(
            """
            INSERT INTO meetings
            SELECT variants.id, one.id, other.id, 5, 1, 5
            FROM variants, versions AS one, versions AS other WHERE one.id < other.id
            """
        )
        connection.execute(
            """
            INSERT INTO strengths
            SELECT variant, version, mu, sigma, 99, version, version, version + 9, 0.1, 0.6
            FROM ratings
            """
        )
        connection.execute(f"UPDATE events SET rated_up_to = {each}")
        connection.execute("INSERT INTO summed_events SELECT id, rated_up_to FROM events")
    connection.close()


def query_ms(path: Path) -> tuple[float, float]:
    """Time a leaderboard and a head-to-head table, each on a new connection."""
    boards, meetings = [], []
    for _ in range(5):
        with Store.open(path) as store:
            start = time.perf_counter()
            assert len(leaderboard(store, "meow")) == LARGE_BOTS
            boards.append(time.perf_counter() - start)
        with Store.open(path) as store:
            start = time.perf_counter()
            assert len(head_to_head(store, "meow")) == LARGE_BOTS * (LARGE_BOTS - 1)
            meetings.append(time.perf_counter() - start)
    return median(boards) * 1000, median(meetings) * 1000


def command_s(path: Path) -> float:
    """Time the command `arena leaderboard`."""
    took = []
    for _ in range(5):
        start = time.perf_counter()
        words = ("leaderboard", "meow", "--db", str(path))
        subprocess.run([sys.executable, "-m", "arena", *words], check=True, capture_output=True)
        took.append(time.perf_counter() - start)
    return median(took)


def slowest_swiss_round_s(entrants: int, seats: int) -> float:
    """Return the longest time to pair a round of a Swiss event."""
    rng = Random(1)
    history = History()
    slowest = 0.0
    for _ in range(default_rounds(entrants, seats)):
        start = time.perf_counter()
        pairings, byes = swiss_round(
            history,
            entrants=entrants,
            seats=seats,
            allowed_sizes=range(2, 7),
            seed=seed_from(1),
        )
        slowest = max(slowest, time.perf_counter() - start)
        played = [
            Played(p, points_of(places_by([round(rng.gauss(-e, 300)) for e in p.seating])))
            for p in pairings
        ]
        history = History(history.played + tuple(played), history.byes + byes)
    return slowest


def measure() -> dict[str, object]:
    """Run everything; return the document that --json prints."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        ratio = rating_ratio(folder)
        ceiling = {seats: round(writer_matches_per_second(folder, seats)) for seats in WRITER_SEATS}
        large = folder / "large.db"
        make_large(large)
        board_ms, meetings_ms = query_ms(large)
        return {
            **events.measure(),
            "rating_ratio": round(ratio, 2),
            "writer_matches_per_second": ceiling,
            "leaderboard_s": round(command_s(large), 3),
            "leaderboard_query_ms": round(board_ms, 1),
            "swiss_1000_s": round(slowest_swiss_round_s(1000, SEATS), 3),
            "head_to_head_query_ms": round(meetings_ms, 1),
            "large_file_mb": round(large.stat().st_size / 1e6),
        }


if __name__ == "__main__":
    print_figures(measure())

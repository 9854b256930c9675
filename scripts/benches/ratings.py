"""How often do the intervals of strengths cover the truth, and what do strengths cost?

`coverage` simulates leagues whose true strengths are known, at tables of four, with 33 deals for
each bot: `luck` is the part of a result that belongs to the hand, `style` what a bot has in common
in all rotations of a deal, both as variances beside a total of 1. Each cell has the share of 95 %
intervals that cover the truth, for strengths and for ranks. With teams and ties the model is only
nearly right, so the truth is what a league of fifty times as many deals finds. `ties` makes a third
of all pairs tie, as among good bots in Trio.

`shuffles` plays one league in 40 orders, and counts the leaderboards of TrueSkill and of strengths.

`million` makes a file with a million matches and measures the time to add them up and fit them, the
same after 1,000 more matches, and the command `arena leaderboard`, before and after. All times are
processor time.

Usage: scripts/bench ratings [--json] [coverage] [shuffles] [million] [leagues=200]
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from statistics import fmean, median
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[2]))

import league

from arena.games.registry import game_named
from arena.indices import VersionId
from arena.scheduling.pairing import Pairing
from leaderboard.events import add_rounds, start_event
from leaderboard.league_strengths import store_strengths
from leaderboard.ratings import START, Rater, Skill
from leaderboard.store import Store
from leaderboard.strength.deals import deal_results
from leaderboard.strength.fit import MEAN
from leaderboard.strength.strengths import Strengths, fit
from tests.leaderboard.strength.simulated import BETA, Deal, simulate_deal

SEATS = 4
DEALS_EACH = 33
TRUTH_TIMES = 50
LEAGUES_WITH_ONE_TRUTH = 10
LEAGUES_WITHOUT_RANKS = 4
TRIO_ROUNDING = 7.0
ORDERS = 40
MATCHES = 1_000_000
MORE_MATCHES = 1_000
AT_ONCE = 40_000
"""Matches in memory at a time."""
MILLION_BOTS = 32
PARTS = ("coverage", "shuffles", "million")


@dataclass(frozen=True)
class Cell:
    """A kind of league."""

    bots: int
    luck: float
    style: float
    teams: bool = False
    rounding: float = 0.0

    @property
    def is_exact(self) -> bool:
        """Whether the model of the fit is that of the simulation."""
        return not self.teams and not self.rounding

    def name(self) -> str:
        """Return its name in the table."""
        extra = "teams of two" if self.teams else "ties as in Trio" if self.rounding else ""
        return f"{self.bots} bots, luck {self.luck}, style {self.style} {extra}".strip()


CELLS = [
    *(
        Cell(bots, luck, style)
        for bots in (12, 32)
        for luck in (0.0, 0.3, 0.8)
        for style in (0.0, 0.3)
    ),
    *(Cell(bots, 0.3, 0.3, teams=True) for bots in (12, 32)),
    *(Cell(bots, 0.3, 0.3, rounding=TRIO_ROUNDING) for bots in (12, 32)),
]


def tables(rng: Random, bots: int, count: int) -> Iterator[list[VersionId]]:
    """Yield tables at which every bot sits equally often."""
    waiting: list[VersionId] = []
    for _ in range(count):
        if len(waiting) < SEATS:
            rest = [VersionId(bot) for bot in range(bots) if bot not in waiting]
            more = rng.sample(rest, len(rest))
            waiting += more
        table, waiting = waiting[:SEATS], waiting[SEATS:]
        yield table


def play(rng: Random, cell: Cell, truth: list[float], deals: int) -> list[Deal]:
    """Simulate a league."""
    return [
        simulate_deal(
            rng,
            table,
            truth,
            luck=cell.luck,
            style=cell.style,
            teams=cell.teams,
            rounding=cell.rounding,
        )
        for table in tables(rng, cell.bots, deals)
    ]


def fitted(deals: list[Deal]) -> Strengths:
    """Return the strengths that follow from a league."""
    return fit(map(deal_results, deals))


def coverage(cell: Cell, leagues: int) -> dict[str, float]:
    """Return how often the intervals of a cell cover the truth."""
    rng = Random(f"{cell}")
    deals = cell.bots * DEALS_EACH // SEATS
    covered, ranked = [], []
    for number in range(leagues * 12 // cell.bots):
        if cell.is_exact or number % LEAGUES_WITH_ONE_TRUTH == 0:
            skills = [rng.gauss(MEAN, BETA) for _ in range(cell.bots)]
            truth = true_strengths(rng, cell, skills, deals * TRUTH_TIMES)
        found = fitted(play(rng, cell, skills, deals))
        for version in found.versions:
            low, high = found.interval(version)
            covered.append(low <= truth[version] <= high)
        if number % LEAGUES_WITHOUT_RANKS == 0:
            order = sorted(truth, reverse=True)
            for version in found.versions:
                best, worst = found.rank_interval(version)
                ranked.append(best <= order.index(truth[version]) + 1 <= worst)
    return {"strength": round(fmean(covered), 3), "rank": round(fmean(ranked), 3)}


def true_strengths(rng: Random, cell: Cell, skills: list[float], deals: int) -> list[float]:
    """Return what the strengths of a league should be."""
    if cell.is_exact:
        centre = fmean(skills)
        return [skill - centre + MEAN for skill in skills]
    return fitted(play(rng, cell, skills, deals)).strengths


def shuffles() -> dict[str, int]:
    """Play one league in several orders; count the different leaderboards."""
    rng = Random(1)
    skills = [rng.gauss(MEAN, BETA / 2) for _ in range(12)]
    deals = play(rng, Cell(12, 0.3, 0.3), skills, 99)
    boards, leaders, bits = set(), set(), set()
    for _ in range(ORDERS):
        order = rng.sample(deals, len(deals))
        board = trueskill_board(order)
        boards.add(board)
        leaders.add(board[0])
        found = fitted(order)
        ranks = tuple(found.rank_interval(version) for version in found.versions)
        bits.add((tuple(found.strengths), tuple(found.degrees), ranks))
    return {
        "orders": ORDERS,
        "trueskill_leaderboards": len(boards),
        "trueskill_leaders": len(leaders),
        "strength_leaderboards": len(bits),
    }


def trueskill_board(deals: list[Deal]) -> tuple[int, ...]:
    """Rate a league match by match; return the bots from the best to the worst."""
    game = game_named("meow")
    rater = Rater("meow", game.parameters_form.show(game.default_parameters))
    skills: dict[VersionId, Skill] = {}
    for deal in deals:
        for match in deal:
            before = [skills.get(seat.version, START) for seat in match]
            after = rater.rate(before, [seat.place for seat in match])
            skills |= {seat.version: skill for seat, skill in zip(match, after, strict=True)}
    return tuple(sorted(skills, key=lambda version: 3 * skills[version][1] - skills[version][0]))


def million() -> dict[str, float]:
    """Measure the fit and the command in a file with a million matches."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "million.db"
        event = make_million(path)
        figures = {"first_fit_s": store_s(path)}
        add_matches(path, event, MATCHES, MORE_MATCHES)
        figures["leaderboard_while_behind_s"] = command_s(path)
        figures["next_fit_s"] = store_s(path)
        figures["leaderboard_s"] = command_s(path)
        figures["file_mb"] = path.stat().st_size / 1e6
    return {name: round(figure, 2) for name, figure in figures.items()}


def command_s(path: Path) -> float:
    """Return the processor time of the command `arena leaderboard`."""
    took = []
    for _ in range(5):
        before = getrusage(RUSAGE_CHILDREN)
        words = ("leaderboard", "meow", "--db", str(path))
        subprocess.run([sys.executable, "-m", "arena", *words], check=True, capture_output=True)
        after = getrusage(RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return median(took)


def store_s(path: Path) -> float:
    """Return the processor time to add up new matches, fit, and store the strengths."""
    with Store.open(path) as store, store.writing() as writer:
        start = time.process_time()
        with writer.transaction():
            store_strengths(writer, 1)
        return time.process_time() - start


def make_million(path: Path) -> int:
    """Create a league with a million simulated matches of one game; return its event."""
    with Store.open(path, create=True) as store, store.writing() as writer:
        field = league.enter_bots(writer, MILLION_BOTS)
        event = start_event(writer, league.plan("meow", field), now=league.NOW)
        pairings = [Pairing(1, number, ()) for number in range((MATCHES + MORE_MATCHES) // SEATS)]
        add_rounds(writer, event.id, 1, [(pairings, ())], now=league.NOW)
    add_matches(path, event.id, 0, MATCHES)
    played = MATCHES * SEATS // MILLION_BOTS
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(
            f"""
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {played})
            INSERT INTO rating_history SELECT 1, versions.id, i, i, 25, 1 FROM versions, n
            """
        )
        connection.execute(
            f"""
            INSERT INTO ratings
            SELECT 1, id, 25 + id, 1, {played}, {played} / 4, 2 * {played}, 0, '2026' FROM versions
            """
        )
    connection.close()
    return event.id


def add_matches(path: Path, event: int, first: int, count: int) -> None:
    """Store simulated matches as if they had been rated."""
    for start in range(first, first + count, AT_ONCE):
        add_some(path, event, start, min(AT_ONCE, first + count - start))


def add_some(path: Path, event: int, first: int, count: int) -> None:
    """Store some matches in one transaction."""
    rng = Random(first)
    truth = [0.0, *(20 + bot * 10 / MILLION_BOTS for bot in range(MILLION_BOTS))]
    field = [VersionId(bot + 1) for bot in range(MILLION_BOTS)]
    matches, seats = [], []
    for number in range(first, first + count, SEATS):
        deal = simulate_deal(rng, rng.sample(field, SEATS), truth)
        for rotation, match in enumerate(deal):
            at = number + rotation + 1
            matches.append((at, event, at - 1, number // SEATS, 0, rotation, at))
            seats += [(at, each.side, each.version, each.place) for each in match]
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.executemany(
            """
            INSERT INTO matches
            VALUES (?, ?, ?, ?, ?, ?, hex(randomblob(32)), 'played_out', 60, 40, '', 1, ?)
            """,
            matches,
        )
        connection.executemany(
            """
            INSERT INTO seats VALUES (?, ?, ?, ?, 0, 0.5, 'played', 0, NULL, 15, 9000, 2000, 9000,
                30000)
            """,
            seats,
        )
        connection.execute("UPDATE events SET rated_up_to = ? WHERE id = ?", [first + count, event])
    connection.close()


def main(words: list[str]) -> None:
    """Run the parts that were named, or all."""
    leagues = next((int(word[8:]) for word in words if word.startswith("leagues=")), 200)
    parts = [word for word in words if word in PARTS] or list(PARTS)
    document: dict[str, object] = {}
    if "coverage" in parts:
        cells = {}
        for cell in CELLS:
            cells[cell.name()] = coverage(cell, leagues)
            print(cell.name(), cells[cell.name()], file=sys.stderr)
        document["coverage"] = cells
    if "shuffles" in parts:
        document["shuffles"] = shuffles()
    if "million" in parts:
        document["million"] = million()
    if "--json" in words:
        print(json.dumps(document, indent=2))
    else:
        for part, figures in document.items():
            print(part, json.dumps(figures, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])

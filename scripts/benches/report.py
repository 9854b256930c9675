"""How long does it take to write a league as pages?

The league is made up: 10,000 matches of 32 bots at MEOW, in four events, with occasional faults.
The replays are real, but only a few dozen different ones: the work per page is the same. `first_s`
is `arena report` into a new folder, `again_s` a second run without changes, and `more_s` a run
after one more match. `_cpu_s` is the processor time of each.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from league import BATCH, BOTS, MATCHES, NOW, SEATS, enter_bots, plan, random_results

from arena.games.randomness import derive, seed_from
from arena.games.registry import game_named
from arena.indices import VersionId
from arena.records import Entrant, SeatEnding
from arena.referee.players.local import play_match, random_chooser
from arena.replays.format import write_replay
from arena.scheduling.pairing import Pairing
from leaderboard.events import add_rounds, end_event, start_event
from leaderboard.ledger import Ledger
from leaderboard.result import MatchResult
from leaderboard.store import Store, Writer

EVENTS = 4
REPLAYS = 48


def play_replays() -> list[bytes]:
    """Play a few matches at random."""
    game = game_named("meow")
    entrants = [Entrant(f"bot-{seat}", "1") for seat in range(SEATS)]
    replays = []
    for number in range(REPLAYS):
        seed = derive(seed_from(number), "replay")
        choosers = [random_chooser(game, derive(seed, str(seat))) for seat in range(SEATS)]
        finished = play_match(game, seed, game.default_parameters, entrants, choosers)
        replays.append(write_replay(finished.record))
    return replays


def with_faults(result: MatchResult, rng: Random) -> MatchResult:
    """Turn the last seat into a crashed one, in one of fifty matches."""
    if rng.random() > 0.02:
        return result
    crashed = SeatEnding.CRASHED.code
    seats = [
        seat._replace(ending=crashed, sentence="exit code 1") if seat.place == SEATS else seat
        for seat in result.seats
    ]
    return result._replace(seats=tuple(seats))


def enter_event(
    writer: Writer, name: str, field: tuple[VersionId, ...], results: Sequence[MatchResult]
) -> None:
    """Store an event with its results."""
    event = start_event(writer, plan("meow", field)._replace(name=name), now=NOW)
    pairings = [Pairing(1, number, ()) for number in range(len(results) // SEATS + 1)]
    add_rounds(writer, event.id, 1, [(pairings, ())], now=NOW)
    ledger = Ledger(writer, event.id)
    for first in range(0, len(results), BATCH):
        ledger.finish(results[first : first + BATCH], now=NOW)
    end_event(writer, event.id, finished=True, now=NOW)


def make_league(path: Path) -> None:
    """Create the league."""
    rng = Random(2)
    replays = play_replays()
    results = [
        with_faults(result, rng)._replace(
            number=number % (MATCHES // EVENTS),
            pairing=number % (MATCHES // EVENTS) // SEATS,
            replay=replays[number % REPLAYS],
        )
        for number, result in enumerate(random_results(MATCHES, Random(1)))
    ]
    with Store.open(path, create=True) as store, store.writing() as writer:
        field = enter_bots(writer, BOTS)
        size = MATCHES // EVENTS
        for number in range(EVENTS):
            enter_event(
                writer, f"cup-{number}", field, results[number * size : (number + 1) * size]
            )


def add_match(path: Path) -> None:
    """Store one more match, as a separate event."""
    with Store.open(path) as store, store.writing() as writer:
        (result,) = random_results(1, Random(3))
        replay = play_replays()[0]
        field = tuple(VersionId(number) for number in range(1, BOTS + 1))
        enter_event(writer, "one-more", field, [result._replace(replay=replay)])


def report_times(path: Path, site: Path) -> tuple[float, float]:
    """Return the wall time and the processor time of the command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    words = ("report", str(site), "--db", str(path), "-q")
    subprocess.run([sys.executable, "-m", "arena", *words], check=True, capture_output=True)
    took = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return round(took, 2), round(cpu, 2)


def measure() -> dict[str, object]:
    """Run everything; return the document that --json prints."""
    figures: dict[str, object] = {"matches": MATCHES}
    with TemporaryDirectory() as name:
        path, site = Path(name) / "arena.db", Path(name) / "site"
        make_league(path)
        for what in ("first", "again", "more"):
            if what == "more":
                add_match(path)
            figures[f"{what}_s"], figures[f"{what}_cpu_s"] = report_times(path, site)
        pages = list(site.rglob("*.html"))
        replays = [page for page in pages if page.is_relative_to(site / "replays")]
        sizes = [page.stat().st_size for page in pages if page not in replays]
        figures |= {"pages": len(pages), "replays": len(replays)}
        figures["largest_page_kb"] = max(sizes) // 1000
    return figures


if __name__ == "__main__":
    measured = measure()
    if "--json" in sys.argv[1:]:
        print(json.dumps(measured, indent=2))
    else:
        for key, figure in measured.items():
            print(f"{key:24} {figure}")

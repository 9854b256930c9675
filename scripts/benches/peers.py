"""How fast is an event, compared with a tournament of fastchess on the same machine?

fastchess (https://github.com/Disservin/fastchess) is the runner that authors of chess engines use.
It is written in C++, and not installed here: build it, and give its path with --fastchess.

On both sides random movers play, all cores are used, and the whole command is measured, from its
start to its end: fastchess with two UCI engines in C (random_mover.c), and `arena event run` with
four caged copies of the house bot `random`, which is written in Python. Both play in turn, and each
figure is the median of its turns. The processor time includes all processes: runner, engines,
workers, cages and bots.

The games differ, so do not take the ratios too literally. A ply of chess is a move of the only
player who is to move. fastchess sends the moves so far as text, and plays one decision after the
other in each game, without a cage. A decision in the arena is one that a bot was asked for; the bot
receives a view of what it may know. Many matches share a process, and the results are rated and
stored with a replay.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from chess_peer import ChessFigures, play_chess
from events import Figures, run_event

TURNS = 3
ROUNDS = 100
"""Of two games each: about as many plies as an event has decisions."""
DEALS = {"trio": 5, "jackal": 25, "meow": 60, "lifeislife": 10}


def measure(fastchess: Path) -> dict[str, Any]:
    """Run everything; return the document that --json prints."""
    chess: list[ChessFigures] = []
    events: dict[str, list[Figures]] = defaultdict(list)
    for turn in range(TURNS):
        for game, deals in DEALS.items():
            print(f"turn {turn + 1} of {TURNS}: chess, {game}", file=sys.stderr)
            chess.append(play_chess(fastchess, rounds=ROUNDS))
            events[game].append(run_event(game, deals, ("random",)))
    return {
        "fastchess": {
            "plies_per_second": round(median(each.plies_per_second for each in chess)),
            "cpu_us_per_ply": _median_us([each.cpu_us for each in chess]),
        },
        "arena": {
            game: {
                "decisions_per_second": round(median(each.decisions for each in found)),
                "cpu_us_per_decision": _median_us([each.cpu_us for each in found]),
            }
            for game, found in events.items()
        },
    }


def _median_us(figures: list[float | None]) -> float | None:
    known = [figure for figure in figures if figure is not None]
    return round(median(known), 1) if known else None


def show(figures: dict[str, Any]) -> None:
    """Print the figures as a table."""
    chess = figures["fastchess"]
    print("                       per second   processor time of one, µs")
    print(f"fastchess: plies     {_cells(chess['plies_per_second'], chess['cpu_us_per_ply'])}")
    for game, found in figures["arena"].items():
        cells = _cells(found["decisions_per_second"], found["cpu_us_per_decision"])
        print(f"{f'{game}: decisions':20} {cells}")


def _cells(rate: int, cpu_us: float | None) -> str:
    return f"{rate:>12,} {'unknown' if cpu_us is None else cpu_us:>27}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compare an event with fastchess.")
    parser.add_argument("--fastchess", type=Path, help="the binary of fastchess")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.fastchess is None or not options.fastchess.is_file():
        parser.error("fastchess is not part of this project: give its binary with --fastchess PATH")
    result = measure(options.fastchess)
    if options.json:
        print(json.dumps(result, indent=2))
    else:
        show(result)

"""How fast is an event, compared with a tournament of fastchess on the same machine?

fastchess (https://github.com/Disservin/fastchess) is the runner that authors of chess engines use.
It is written in C++, and not installed here: build it, and give its path with --fastchess.

All cores are used on both sides, and the whole command is measured, from its start to its end:
fastchess with two UCI engines in C that play a game from memory (scripted_mover.c), and `arena
event run` with four caged copies of the house bot `random`, which is written in Python. Both play
in turn, and each figure is the median of its turns. The CPU time includes all processes: runner,
engines, workers, cages and bots.

The games differ, so do not take the ratios too literally. A ply of chess is a move of the only
player who is to move. fastchess sends the moves so far as text, and plays one decision after
another in each game, without a cage. A decision in the arena is one that a bot was asked for; the
bot receives a view of what it may know. Many matches share a process, and the results are rated and
stored with a replay.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from chess_peer import ChessFigures, play_chess
from events import Figures, run_event
from figures import print_figures

TURNS = 3
ROUNDS = 100
"""Of two games each, of 215 plies: about as many as an event has decisions."""
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
            "cpu_us_per_ply": round(median(each.cpu_us for each in chess), 1),
        },
        "arena": {
            game: {
                "decisions_per_second": round(median(each.decisions for each in found)),
                "cpu_us_per_decision": round(median(each.cpu_us for each in found), 1),
            }
            for game, found in events.items()
        },
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compare an event with fastchess.")
    parser.add_argument("--fastchess", type=Path, help="the binary of fastchess")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.fastchess is None or not options.fastchess.is_file():
        parser.error("fastchess is not part of this project: give its binary with --fastchess PATH")
    print_figures(measure(options.fastchess))

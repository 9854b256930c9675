"""Run fastchess with engines that play a game from memory, and count the plies.

The engine is a tiny C program, so that what is measured is fastchess and not the engine. To try
it: `python scripts/benches/chess_peer.py FASTCHESS ROUNDS`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from measured_command import Measured, run_measured

SOURCE = Path(__file__).with_name("scripted_mover.c")
COMPILER = ("cc", "-O2", "-std=c11", "-D_POSIX_C_SOURCE=200809L")
GAMES_PER_ROUND = 2
_PLIES = re.compile(r'^\[PlyCount "(\d+)"\]', re.MULTILINE)
_NORMAL_END = re.compile(r'^\[Termination "normal"\]', re.MULTILINE)


class ChessFigures(NamedTuple):
    """What fastchess played, and what it took."""

    games: int
    plies: int
    spent: Measured

    @property
    def plies_per_second(self) -> float:
        """The throughput."""
        return self.plies / self.spent.duration_s

    @property
    def cpu_us(self) -> float:
        """CPU time per ply, of fastchess and its engines."""
        return self.spent.cpu_s / self.plies * 1e6


def compile_engine(folder: Path) -> Path:
    """Compile the engine into a folder."""
    engine = folder / "scripted_mover"
    subprocess.run([*COMPILER, "-o", engine, SOURCE], check=True)
    return engine


def command(fastchess: Path, engine: Path, pgn: Path, *, rounds: int) -> list[str]:
    """Return the command line: two engines, as many games at once as there are cores."""
    return [
        str(fastchess),
        *("-engine", f"cmd={engine}", "name=one"),
        *("-engine", f"cmd={engine}", "name=two"),
        # The game ends by the rules; this clock never matters.
        *("-each", "tc=60+10"),
        *("-rounds", str(rounds), "-games", str(GAMES_PER_ROUND)),
        *("-concurrency", str(len(os.sched_getaffinity(0)))),
        *("-pgnout", f"file={pgn}", "notation=uci"),
        *("-ratinginterval", "0", "-autosaveinterval", "0"),
    ]


def play_chess(fastchess: Path, *, rounds: int) -> ChessFigures:
    """Play games between two such engines; every game must end by the rules."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "games.pgn"
        words = command(fastchess.resolve(), compile_engine(folder), file, rounds=rounds)
        # fastchess writes its configuration to the current folder.
        spent = run_measured(words, folder=folder)
        pgn = file.read_text(encoding="utf-8")
    plies = [int(count) for count in _PLIES.findall(pgn)]
    games = len(_NORMAL_END.findall(pgn))
    if not rounds * GAMES_PER_ROUND == games == len(plies):
        sys.exit(f"{games} of {rounds * GAMES_PER_ROUND} games of chess ended by the rules")
    return ChessFigures(games, sum(plies), spent)


if __name__ == "__main__":
    found = play_chess(Path(sys.argv[1]), rounds=int(sys.argv[2]))
    print(json.dumps({"games": found.games, "plies": found.plies, **found.spent._asdict()}))

"""scripts/bench peers runs fastchess. It is not installed here: a small program stands for it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BENCHES = Path(__file__).parents[1] / "scripts" / "benches"
FAKE = """#!/usr/bin/env python3
import subprocess, sys

options = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
rounds = int(sys.argv[sys.argv.index("-rounds") + 1])
engine = [options["cmd"]]
asked = "uci\\nisready\\nposition startpos moves e2e4 e7e5\\ngo wtime 1\\nquit\\n"
said = subprocess.run(engine, input=asked, stdout=subprocess.PIPE, text=True, check=True).stdout
assert "uciok" in said and "readyok" in said and "bestmove" in said, said
with open(options["file"], "w") as pgn:
    for game in range(2 * rounds):
        pgn.write('[Event "cup"]\\n[PlyCount "30"]\\n[Termination "ENDING"]\\n\\n1. e2e4 *\\n\\n')
"""
needs_compiler = pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")


def fake_fastchess(folder: Path, ending: str) -> Path:
    """Write a program that takes the options of fastchess and writes a PGN file."""
    program = folder / "fastchess"
    program.write_text(FAKE.replace("ENDING", ending), encoding="utf-8")
    program.chmod(0o755)
    return program


def run_bench(name: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the benchmarks."""
    command = [sys.executable, str(BENCHES / name), *words]
    return subprocess.run(command, capture_output=True, text=True)


@needs_compiler
def test_plies_of_fastchess_are_counted_in_its_pgn_file(tmp_path: Path) -> None:
    done = run_bench("chess_peer.py", str(fake_fastchess(tmp_path, "normal")), "3")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["games"], found["plies"]) == (6, 180)


@needs_compiler
def test_games_of_chess_that_were_abandoned_are_no_result(tmp_path: Path) -> None:
    done = run_bench("chess_peer.py", str(fake_fastchess(tmp_path, "abandoned")), "3")
    assert done.returncode == 1
    assert "0 of 6 games of chess ended by the rules" in done.stderr


def test_without_fastchess_the_comparison_says_what_is_missing() -> None:
    done = run_bench("peers.py")
    assert done.returncode == 2
    assert "give its binary with --fastchess PATH" in done.stderr

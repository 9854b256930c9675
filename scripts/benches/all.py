"""Run the main benchmarks and write a few figures of each to RESULTS.md.

Each row has the command that measures it, and prints more. Absolute figures are specific to this
machine; ratios were measured in one run and are more meaningful.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from arena.games.registry import all_games
from arena.wire.backend import VARIABLE as CODEC
from arena.wire.backend import native_backend

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"

Figures = Mapping[str, Any]
"""The document that a benchmark prints with --json."""
Rows = Iterator[tuple[str, Any]]
"""The title of each row of a table, and one figure or one for each game."""


def run_bench(bench: str) -> Figures:
    """Run a benchmark, and return its results."""
    print(f"measuring: {bench}", file=sys.stderr)
    words = [sys.executable, str(HERE / f"{bench}.py"), "--json"]
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True)
    figures: Figures = json.loads(done.stdout)
    return figures


def engine_rows(engines: Figures) -> Rows:
    """Yield the rows about the rules."""
    yield "random decisions per second", engines["ours"]
    yield "the same, relative to OpenSpiel's card games (geometric means)", engines["ratio"]
    yield "cost of a world that fits a view, in decisions", engines["redeal_in_decisions"]


def codec_rows(codec: Figures) -> Rows:
    """Yield the rows about writing and reading messages."""
    name = "native" if native_backend() else "python"
    ratios = _each(codec, f"{name}_write_ratio")
    yield "time of protobuf's generated classes to write a view, relative to ours", ratios
    yield "the same, to read it", _each(codec, f"{name}_read_ratio")


def wire_rows(wire: Figures) -> Rows:
    """Yield the rows about bots in separate processes."""
    one, many = wire["one_table_cpu_us"], wire["tables64"]
    yield "one table: CPU time per decision, µs", _each(one, "together")
    yield "64 tables: decisions per second", _each(many, "decisions_per_second")
    yield "64 tables: time with cages relative to without", _each(many, "caged_ratio")


def league_rows(league: Figures) -> Rows:
    """Yield the rows about whole events, the league's file and schedules."""
    yield "a whole event: decisions per second", league["decisions_per_second"]
    matches = league["writer_matches_per_second"]["4"]
    yield "matches of four that one writer stores and rates per second", matches
    yield "`arena leaderboard` with a million matches, s", league["leaderboard_s"]
    swiss = league["swiss_1000_s"]
    yield "pairing a Swiss round of 1,000 bots at tables of four, s", swiss


ROWS = {"engines": engine_rows, "codec": codec_rows, "wire": wire_rows, "league": league_rows}
"""The benchmarks, in the order of the page."""


def _each(games: Mapping[str, Mapping[str, float]], name: str) -> dict[str, float]:
    return {game: figures[name] for game, figures in games.items() if name in figures}


def table_row(title: str, figure: Any) -> str:
    """Format one row of the table."""
    if isinstance(figure, Mapping):
        cells = [f"{figure[game.id]:,}" if game.id in figure else "" for game in all_games()] + [""]
    else:
        cells = [""] * len(all_games()) + [f"{figure:,}"]
    return f"| {title} | {' | '.join(cells)} |"


def machine() -> str:
    """Describe the machine."""
    processor = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            processor = line.partition(":")[2].strip()
    return (
        f"{processor}, {len(os.sched_getaffinity(0))} cores, Linux {platform.release()}, "
        f"Python {platform.python_version()}"
    )


def table(results: Mapping[str, Figures]) -> Iterable[str]:
    """Format the table."""
    yield f"| | {' | '.join(game.title for game in all_games())} | all |"
    yield "| --- |" + " ---: |" * (len(all_games()) + 1)
    for bench, rows in ROWS.items():
        for title, figure in rows(results[bench]):
            yield table_row(f"`{bench}`: {title}", figure)


def page(results: Mapping[str, Figures], now: datetime) -> str:
    """Format all results as one page."""
    codec = "C" if native_backend() else "Python"
    return "\n".join(
        [
            "# Benchmark results",
            "",
            f"`scripts/bench all` on {now:%Y-%m-%d}: {machine()}, with the codec in {codec}.",
            "",
            "Each row begins with the benchmark that it comes from: `scripts/bench engines`",
            "measures it again, and prints more. `scripts/bench layers` shows where the time of a",
            f"decision goes, and `{CODEC}=python` is the codec in Python. Figures a second are",
            "specific to this machine and day. Ratios were measured in one run and are more",
            "meaningful; CPU times depend little on other load.",
            "",
            *table(results),
            "",
        ]
    )


if __name__ == "__main__":
    text = page({bench: run_bench(bench) for bench in ROWS}, datetime.now(UTC))
    RESULTS.write_text(text, encoding="utf-8")
    print(text, end="")

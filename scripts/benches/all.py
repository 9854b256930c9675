"""Run the main benchmarks and write their results to RESULTS.md.

Benchmarks the engines, the wire and the league one after the other, and adds the date and the
machine. Absolute figures are specific to this machine; ratios were measured in one run and are
more meaningful.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from arena.games.registry import all_games

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
BENCHES = ("engines", "codec", "wire", "league")


def run_bench(bench: str) -> dict[str, Any]:
    """Run a benchmark and return its results."""
    words = [sys.executable, str(HERE / f"{bench}.py"), "--json"]
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def rows(
    engines: Mapping[str, Any],
    codec: Mapping[str, Any],
    wire: Mapping[str, Any],
    league: Mapping[str, Any],
) -> Iterator[tuple[str, Any]]:
    """Yield every row of the table: its title, and one figure or one for each game."""
    yield "**Engines.** Random decisions per second", engines["ours"]
    yield "relative to OpenSpiel's card games (geometric means)", engines["ratio"]
    yield (
        "the same, with OpenSpiel's chance sampled the cheap way",
        engines["ratio_uniform_chance"],
    )
    yield "cost of a world that fits a view, in decisions", engines["redeal_in_decisions"]
    yield (
        "**Codec.** Generated classes' time to write a view, relative to ours",
        _each(codec, "write_ratio"),
    )
    yield "the same, to read it", _each(codec, "read_ratio")
    many = wire["tables64"]
    yield "**Wire.** Echo on a bare gRPC stream, µs", wire["stream_echo_us"]
    yield "one table: µs per decision", wire["one_table_us"]
    yield "one table: relative to the echo", wire["one_table_ratio"]
    yield "64 tables: decisions per second", _each(many, "decisions_per_second")
    yield "64 tables: time relative to one process without a wire", _each(many, "in_process_ratio")
    yield "64 tables: time with cages relative to without", _each(many, "caged_ratio")
    yield "**League.** Decisions per second in a whole event", league["decisions_per_second"]
    yield "matches per second", league["matches_per_second"]
    yield "time to store and rate a match, relative to trueskill alone", league["rating_ratio"]
    yield (
        "matches of four that one writer stores and rates per second",
        league["writer_matches_per_second"]["4"],
    )
    yield "`arena leaderboard` with a million matches, s", league["leaderboard_s"]
    yield "its query, ms", league["leaderboard_query_ms"]
    yield "pairing a Swiss round of 1,000 bots at tables of four, s", league["swiss_1000_s"]


def _each(games: Mapping[str, Mapping[str, float]], name: str) -> dict[str, float]:
    return {game: figures[name] for game, figures in games.items()}


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


def page(found: Mapping[str, Mapping[str, Any]], now: datetime) -> str:
    """Format all results as one page."""
    titles = " | ".join(game.title for game in all_games())
    return "\n".join(
        (
            "# Benchmark results",
            "",
            f"`scripts/bench all` on {now:%Y-%m-%d}: {machine()}.",
            "",
            "Figures per second are specific to this machine and day. Ratios were measured in one",
            "run and are more meaningful. `scripts/bench engines`, `codec`, `wire` and `league`",
            "run the parts separately; the docstrings of these files describe the method.",
            "",
            f"| | {titles} | all |",
            "| --- |" + " ---: |" * (len(all_games()) + 1),
            *(table_row(title, figure) for title, figure in rows(**found)),
            "",
        )
    )


if __name__ == "__main__":
    results = {}
    for each in BENCHES:
        print(f"measuring: {each}", file=sys.stderr)
        results[each] = run_bench(each)
    text = page(results, datetime.now(UTC))
    RESULTS.write_text(text, encoding="utf-8")
    print(text, end="")

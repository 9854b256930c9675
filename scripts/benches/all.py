"""Run the main benchmarks and write their results to RESULTS.md.

Benchmarks the engines, the wire and the league one after another, and adds the date and the
machine. What depends on the codec is measured with each codec that is installed: the one in Python,
which is always there, and the one in C. Absolute figures are specific to this machine; ratios were
measured in one run and are more meaningful.
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

import layers as layers_bench

from arena.games.registry import all_games
from arena.wire.backend import VARIABLE as CODEC
from arena.wire.backend import native_backend

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
CODEC_BENCHES = ("codec", "wire", "layers", "league")
"""Benchmarks that depend on the codec."""
CODEC_TITLES = {"python": "With the codec in Python", "native": "With the codec in C"}

Results = dict[str, dict[str, Any]]
"""The documents that benchmarks print with --json, by name."""
Rows = Iterator[tuple[str, Any]]
"""The title of each row of a table, and one figure or one for each game."""


def run_bench(bench: str, codec: str | None = None) -> dict[str, Any]:
    """Run a benchmark, with one of the codecs, and return its results."""
    print(f"measuring: {bench} {codec or ''}", file=sys.stderr)
    words = [sys.executable, str(HERE / f"{bench}.py"), "--json"]
    environment = {**os.environ, CODEC: codec} if codec else dict(os.environ)
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def engine_rows(engines: Mapping[str, Any]) -> Rows:
    """Yield the rows about the rules."""
    yield "**Engines.** Random decisions per second", engines["ours"]
    yield "relative to OpenSpiel's card games (geometric means)", engines["ratio"]
    yield (
        "the same, with OpenSpiel's chance sampled the cheap way",
        engines["ratio_uniform_chance"],
    )
    yield "cost of a world that fits a view, in decisions", engines["redeal_in_decisions"]


def league_rows(league: Mapping[str, Any]) -> Rows:
    """Yield the rows about the league's file and schedules."""
    yield (
        "**League.** Time to store and rate a match, relative to trueskill alone",
        league["rating_ratio"],
    )
    yield (
        "matches of four that one writer stores and rates per second",
        league["writer_matches_per_second"]["4"],
    )
    yield "`arena leaderboard` with a million matches, s", league["leaderboard_s"]
    yield "its query, ms", league["leaderboard_query_ms"]
    yield "pairing a Swiss round of 1,000 bots at tables of four, s", league["swiss_1000_s"]


def codec_rows(
    name: str,
    codec: Mapping[str, Any],
    wire: Mapping[str, Any],
    layers: Mapping[str, Any],
    league: Mapping[str, Any],
) -> Rows:
    """Yield the rows that depend on the codec."""
    yield (
        "**Codec.** Generated classes' time to write a view, relative to this codec",
        _each(codec, f"{name}_write_ratio"),
    )
    yield "the same, to read it", _each(codec, f"{name}_read_ratio")
    yield from wire_rows(wire)
    for number, (title, costs) in enumerate(layers_bench.rows(layers["games"])):
        yield f"{'' if number else '**Layers.** CPU time per decision, µs: '}{title}", costs
    yield "**Events.** Decisions per second in a whole event", league["decisions_per_second"]
    yield "matches per second", league["matches_per_second"]
    yield "CPU time per decision, µs", league["cpu_us"]


def wire_rows(wire: Mapping[str, Any]) -> Rows:
    """Yield the rows about bots in separate processes."""
    one, many = wire["one_table_cpu_us"], wire["tables64"]
    yield "**Wire.** Echo on a bare gRPC stream, µs", wire["stream_echo_us"]
    yield "one table: µs per decision", wire["one_table_us"]
    yield "one table: relative to the echo", wire["one_table_ratio"]
    yield "one table: CPU time per decision, µs", _each(one, "together")
    yield "64 tables: decisions per second", _each(many, "decisions_per_second")
    yield "64 tables: time relative to one process without a wire", _each(many, "in_process_ratio")
    yield "64 tables: time with cages relative to without", _each(many, "caged_ratio")


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


def table(rows: Iterable[tuple[str, Any]]) -> list[str]:
    """Format a table."""
    titles = " | ".join(game.title for game in all_games())
    return [
        f"| | {titles} | all |",
        "| --- |" + " ---: |" * (len(all_games()) + 1),
        *(table_row(title, figure) for title, figure in rows),
        "",
    ]


def page(engines: Mapping[str, Any], by_codec: Mapping[str, Results], now: datetime) -> str:
    """Format all results as one page."""
    lines = [
        "# Benchmark results",
        "",
        f"`scripts/bench all` on {now:%Y-%m-%d}: {machine()}.",
        "",
        "Figures per second are specific to this machine and day. Ratios were measured in one",
        "run and are more meaningful; CPU times depend little on other load. `scripts/bench",
        "engines`, `codec`, `wire`, `layers` and `league` run the parts separately; the docstrings",
        "of these files describe the method.",
        "",
        *table([*engine_rows(engines), *league_rows(by_codec["python"]["league"])]),
    ]
    for codec, found in by_codec.items():
        lines += [f"## {CODEC_TITLES[codec]}", "", *table(codec_rows(codec, **found))]
    return "\n".join(lines)


if __name__ == "__main__":
    text = page(
        run_bench("engines"),
        {
            codec: {bench: run_bench(bench, codec) for bench in CODEC_BENCHES}
            for codec in (("python", "native") if native_backend() else ("python",))
        },
        datetime.now(UTC),
    )
    RESULTS.write_text(text, encoding="utf-8")
    print(text, end="")

"""What do all the measurements say, on this machine and today?

The engines, the wire and the league are measured one after the other, and what they found is
written to RESULTS.md beside this file, with the day and the machine. Figures for each second are
this machine's; ratios were taken in one run and say more.
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
BENCHES = ("engines", "wire", "league")


def found_by(bench: str) -> dict[str, Any]:
    """Run a bench, and return what it found."""
    words = [sys.executable, str(HERE / f"{bench}.py"), "--json"]
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def rows(
    engines: Mapping[str, Any], wire: Mapping[str, Any], league: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Yield every line of the table: what it says, and its figure, or one for each game."""
    yield "**Engines.** Random decisions a second", engines["ours"]
    yield "as a multiple of OpenSpiel's card games (geometric means)", engines["ratio"]
    yield (
        "the same, with OpenSpiel's chance drawn the cheap way",
        engines["ratio_uniform_chance"],
    )
    yield "a world that fits a view, in decisions", engines["redeal_in_decisions"]
    many = wire["tables64"]
    yield "**Wire.** An echo on a bare gRPC stream, µs", wire["stream_echo_us"]
    yield "one table: µs a decision", wire["one_table_us"]
    yield "one table: as a multiple of the echo", wire["one_table_ratio"]
    yield "64 tables: decisions a second", _each(many, "decisions_per_second")
    yield "64 tables: time as a multiple of that in one process", _each(many, "in_process_ratio")
    yield "64 tables: time in a cage as a multiple of that without", _each(many, "caged_ratio")
    yield "**League.** Decisions a second in a whole event", league["decisions_per_second"]
    yield "matches a second", league["matches_per_second"]
    yield "to store and rate a match, as a multiple of trueskill alone", league["rating_ratio"]
    yield "`arena leaderboard` of a million matches, s", league["leaderboard_s"]
    yield "the query in it, ms", league["leaderboard_query_ms"]
    yield "a round of Swiss for 1,000 bots at tables of four, s", league["swiss_1000_s"]


def _each(games: Mapping[str, Mapping[str, float]], name: str) -> dict[str, float]:
    return {game: figures[name] for game, figures in games.items()}


def line(what: str, figure: Any) -> str:
    """Write one line of the table."""
    if isinstance(figure, Mapping):
        cells = [f"{figure[game.id]:,}" if game.id in figure else "" for game in all_games()] + [""]
    else:
        cells = [""] * len(all_games()) + [f"{figure:,}"]
    return f"| {what} | {' | '.join(cells)} |"


def machine() -> str:
    """Say what this was measured on."""
    processor = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            processor = line.partition(":")[2].strip()
    return (
        f"{processor}, {len(os.sched_getaffinity(0))} cores, Linux {platform.release()}, "
        f"Python {platform.python_version()}"
    )


def page(found: Mapping[str, Mapping[str, Any]], now: datetime) -> str:
    """Write everything as one page."""
    titles = " | ".join(game.title for game in all_games())
    return "\n".join(
        (
            "# What was measured",
            "",
            f"By `scripts/bench all` on {now:%Y-%m-%d}: {machine()}.",
            "",
            "Each figure a second is this machine's, on that day; a ratio was taken in one run and",
            "says more. `scripts/bench engines`, `wire` and `league` measure them one by one, and",
            "the first lines of their files tell how.",
            "",
            f"| | {titles} | all |",
            "| --- |" + " ---: |" * (len(all_games()) + 1),
            *(line(what, figure) for what, figure in rows(**found)),
            "",
        )
    )


if __name__ == "__main__":
    results = {}
    for each in BENCHES:
        print(f"measuring: {each}", file=sys.stderr)
        results[each] = found_by(each)
    text = page(results, datetime.now(UTC))
    RESULTS.write_text(text, encoding="utf-8")
    print(text, end="")

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

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
BENCHES = ("engines", "wire", "league")


def found_by(bench: str) -> dict[str, Any]:
    """Run a bench, and return what it found."""
    words = [sys.executable, str(HERE / f"{bench}.py"), "--json"]
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def rows(figures: Mapping[str, Any], *above: str) -> Iterator[tuple[str, str]]:
    """Name each figure by the way that leads to it."""
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from rows(value, *above, name)
        else:
            written = f"{value:,}" if isinstance(value, int | float) else str(value)
            yield " ".join((*above, name)).replace("_", " "), written


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
    lines = [
        "# What was measured",
        "",
        f"By `scripts/bench all` on {now:%Y-%m-%d}: {machine()}.",
        "",
        "| bench | figure | |",
        "| --- | --- | ---: |",
    ]
    for bench, figures in found.items():
        lines += [f"| {bench} | {name} | {value} |" for name, value in rows(figures)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    results = {}
    for each in BENCHES:
        print(f"measuring: {each}", file=sys.stderr)
        results[each] = found_by(each)
    text = page(results, datetime.now(UTC))
    RESULTS.write_text(text, encoding="utf-8")
    print(text, end="")

"""How often is collusion found, and how often are innocent bots suspected?

Simulates leagues of 12 bots at tables of four: clean ones, some in which a bot feeds another, some
in which two bots feed a third, and some in which two bots gain together. `luck` is the share of the
variance that belongs to the hands of a deal, which rotates through the seats. A league is a false
alarm if any innocent pair is named; a guilty pair is found if it is named. Every league is new.

At the end, leagues of 100,000 matches are searched, to measure the processor time.

Usage: scripts/bench collusion [--json] [SCHEME ...] [clean=200] [guilty=100] [luck=0,0.8]
                               [matches=1120,2240,2500,4200] [seed=0]
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from leaderboard.collusion.search import find_collusion
from tests.leaderboard.collusion.simulated import (
    CLEAN,
    FEEDER,
    FRIENDS,
    TWO_FEEDERS,
    Scheme,
    simulate_collusion,
)

SCHEMES = {"clean": CLEAN, "feeder": FEEDER, "two-feeders": TWO_FEEDERS, "friends": FRIENDS}
MATCHES = {
    "clean": (1120, 2240, 2500, 4200),
    "feeder": (1120, 2240, 2500, 4200),
    "two-feeders": (2500, 4200),
    "friends": (2500, 4200),
}


def measure(name: str, luck: float, matches: int, leagues: int, seed: int) -> dict[str, Any]:
    """Search some leagues; return how many guilty pairs were found, and how many false alarms."""
    scheme = SCHEMES[name]
    found = alarms = 0
    effects = []
    for number in range(leagues):
        rng = Random(f"{seed} {name} {luck} {matches} {number}")
        search = find_collusion(simulate_collusion(rng, scheme, matches=matches, luck=luck))
        named = {
            (min(each.first, each.second), max(each.first, each.second)): each.effect
            for each in search.suspects
        }
        found += len(named.keys() & scheme.pairs)
        alarms += bool(named.keys() - scheme.pairs)
        effects += [named[pair] for pair in named if pair in scheme.pairs]
    guilty = leagues * len(scheme.pairs)
    return {
        "scheme": name,
        "luck": luck,
        "matches": matches,
        "leagues": leagues,
        "found": found / guilty if guilty else None,
        "false_alarms": alarms / leagues,
        "effect": sum(effects) / len(effects) if effects else None,
    }


def time_of_search(bots: int, matches: int, scheme: Scheme) -> float:
    """Return the processor time to search a large league."""
    sums = simulate_collusion(Random(1), scheme, matches=matches, bots=bots)
    before = time.process_time()
    find_collusion(sums)
    return time.process_time() - before


def show(row: dict[str, Any]) -> str:
    """Return a row of the table in leaderboard/README.md."""
    found = "" if row["found"] is None else f"{row['found']:.0%}"
    effect = "" if row["effect"] is None else f"{row['effect']:.2f}"
    return (
        f"| {row['scheme']} | {row['luck']} | {row['matches']:,} | {row['leagues']} | {found} "
        f"| {row['false_alarms']:.1%} | {effect} |"
    )


def main(words: list[str]) -> None:
    """Measure all cells and print them."""
    as_json = "--json" in words
    options = dict(word.split("=") for word in words if "=" in word)
    clean, guilty = int(options.get("clean", 200)), int(options.get("guilty", 100))
    lucks = [float(luck) for luck in options.get("luck", "0,0.8").split(",")]
    sizes = [int(size) for size in options.get("matches", "").split(",") if size]
    rows = []
    for name in [word for word in words if word in SCHEMES] or SCHEMES:
        for luck in lucks:
            for matches in sizes or MATCHES[name]:
                leagues = clean if name == "clean" else guilty
                row = measure(name, luck, matches, leagues, int(options.get("seed", 0)))
                rows.append(row)
                print(show(row), file=sys.stderr if as_json else sys.stdout, flush=True)
    times = {bots: time_of_search(bots, 100_000, FEEDER) for bots in (12, 48)}
    if as_json:
        print(json.dumps({"cells": rows, "search_s": times}, indent=2))
        return
    for bots, seconds in times.items():
        print(f"search of 100,000 matches of {bots} bots: {seconds:.1f} s of processor time")


if __name__ == "__main__":
    main(sys.argv[1:])

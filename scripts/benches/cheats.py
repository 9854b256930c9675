"""How much does a bot gain by cheating?

Each cheat of tests/rogues/cheats plays at tables of four with three greedy bots, in an event run by
the command in the default cage. Its honest twin, the same bot without its trick, plays another
event of the same size. Deals come from the command's default source. The result is the share of
matches won. For the crasher's partner, the crasher, which seldom crashes, replaces one greedy bot
in both events. A suspended bot plays no further matches, so more events are run in that case.

For comparisons the figure is points per match, new minus old. In one, the rememberer is the new
version of its twin. In the other, two copies of the greedy bot are compared while an opponent
favours the copy that comes first. Without a trick, both differences are exactly zero.

`scripts/bench cheats [--matches NUMBER] [--cheat NAME] [--game GAME] [--json]`
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from math import ceil, sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from arena.submission.house import house_bots
from arena.submission.manifest import MANIFEST, read_manifest
from arena.tournament.field import submit_folder
from leaderboard.store import Store

# The cheats are those of this checkout, but `arena` is the installed one: older versions can be
# measured as well.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.rogues.cheats.folders import GAMES, cheat_folder

SEATS = 4
MATCHES = 240
EVENTS = 20
"""Maximum number of events to reach the number of matches."""
TABLES = {"guesser": 64, "rememberer": 1, "recogniser": 1, "watcher": 64, "partner": 64}
"""At one table, the rotations of a deal are played one after another; at many, at once."""
Z_95 = 1.96
"""Half width of a 95 % interval, in standard errors."""


class Tally(NamedTuple):
    """The results of a bot's matches."""

    matches: int = 0
    wins: int = 0
    faults: int = 0
    others_faults: int = 0
    others_breaks: int = 0
    suspended: int = 0
    """Number of bots suspended, over all events."""

    def __add__(self, other: Tally) -> Tally:  # type: ignore[override]
        """Add up two events."""
        return Tally(*map(sum, zip(self, other, strict=True)))

    @property
    def share(self) -> float:
        """Share of matches won."""
        return self.wins / max(1, self.matches)

    @property
    def variance(self) -> float:
        """Variance of that share."""
        return self.share * (1 - self.share) / max(1, self.matches)


def greedy_folder(parent: Path, name: str, game: str) -> Path:
    """Copy the greedy bot of a game under another name."""
    folder = parent / name
    shutil.copytree(house_bots()[f"greedy-{game}"], folder)
    text = (folder / MANIFEST).read_text(encoding="utf-8")
    renamed = text.replace(f'name = "greedy-{game}"', f'name = "{name}"')
    (folder / MANIFEST).write_text(renamed, encoding="utf-8")
    return folder


def arena(folder: Path, *words: str) -> str:
    """Run a command and return its output."""
    command = [sys.executable, "-m", "arena", *words, "--db", "arena.db"]
    # Exit code 1 may be a verdict.
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode > 1:
        sys.exit(f"arena {' '.join(words)} failed")
    return done.stdout


def run_event(cheat: str, game: str, version: str, matches: int) -> Tally:
    """Run an event with a cheat or its twin."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        bots = [cheat_folder(folder, cheat, cheat, version)]
        if cheat == "partner":
            bots.append(cheat_folder(folder, "crasher", "crasher", "cheat"))
        bots += [greedy_folder(folder, each, game) for each in ("ann", "ben", "cat")]
        bots = bots[:SEATS]
        with Store.open(folder / "arena.db", create=True) as store, store.writing() as writer:
            for bot in bots:
                submit_folder(writer, read_manifest(bot), now=datetime.now(UTC))
        names = ",".join(bot.name for bot in bots)
        # Each bot meets every other one, in as many rounds as there are others.
        deals = str(ceil(matches / SEATS / (SEATS - 1)))
        words = ("event", "run", "round-robin", "--game", game, "--bots", names, "--deals", deals)
        arena(folder, *words, "--tables", str(TABLES[cheat]), "--name", "cup", "--quiet")
        document = json.loads(arena(folder, "event", "show", "cup", "--json"))
    lines = {line["bot"]: line for line in document["standings"]}
    mine = lines.pop(cheat)
    faults = sum(line["faults"] for line in lines.values())
    # Older versions do not count failures that void matches.
    breaks = sum(line.get("breaks", 0) for line in lines.values())
    suspended = len(document["suspended"])
    return Tally(mine["matches"], mine["wins"], mine["faults"], faults, breaks, suspended)


def run_events(cheat: str, game: str, version: str, matches: int) -> Tally:
    """Run events until there are enough matches or too many events."""
    total = Tally()
    for _ in range(EVENTS):
        total += run_event(cheat, game, version, matches)
        if total.matches >= matches:
            break
    return total


def measure_in_events(cheat: str, game: str, matches: int) -> dict[str, Any]:
    """Measure a cheat and its twin in events."""
    found = {version: run_events(cheat, game, version, matches) for version in ("cheat", "honest")}
    one, two = found["cheat"], found["honest"]
    return {
        "cheat": cheat,
        "game": game,
        "matches": [one.matches, two.matches],
        "won": [one.wins, two.wins],
        "difference": one.share - two.share,
        "within": Z_95 * sqrt(one.variance + two.variance),
        "faults": [one.faults, two.faults],
        "others_faults": [one.others_faults, two.others_faults],
        "others_breaks": [one.others_breaks, two.others_breaks],
        "suspended": [one.suspended, two.suspended],
    }


def compare(folder: Path, game: str, deals: int, words: Sequence[str]) -> dict[str, Any]:
    """Compare two bots, playing all deals."""
    options = ("--game", game, "--seats", str(SEATS), "--deals", str(deals), "--tables", "1")
    play_all_deals = ("--error", "1e-100", "--margin", "1e-100", "--quiet", "--json")
    found: dict[str, Any] = json.loads(arena(folder, "compare", *words, *options, *play_all_deals))
    return found


def measure_in_comparisons(role: str, game: str, matches: int) -> dict[str, Any]:
    """Measure the rememberer and its twin in comparisons."""
    found = []
    for version in ("cheat", "honest"):
        with TemporaryDirectory() as name:
            folder = Path(name)
            cheat_folder(folder, "cheat", "rememberer", version)
            cheat_folder(folder, "twin", "rememberer", "honest")
            cheat_folder(folder, "opponent", "opponent", version)
            for each in ("new", "old", "ann", "ben"):
                greedy_folder(folder, each, game)
            if role == "as the new version":
                found.append(compare(folder, game, ceil(matches / 2), ["cheat", "twin"]))
            else:
                words = ["new", "old", "--opponents", "opponent,ann,ben"]
                found.append(compare(folder, game, ceil(matches / 2 / SEATS), words))
    return {
        "cheat": f"compare, {role}",
        "game": game,
        "matches": [each["matches"] for each in found],
        "points": [each["difference"] for each in found],
        "within": [Z_95 * sqrt(each["variance"] / each["deals"]) for each in found],
        "faults": [sum(fault["times"] for fault in each["faults"]) for each in found],
    }


def measure(cheats: Sequence[str], games: Sequence[str], matches: int) -> Iterator[dict[str, Any]]:
    """Measure the cheats one after another."""
    for cheat in cheats:
        for game in games:
            if cheat in TABLES:
                yield measure_in_events(cheat, game, matches)
            else:
                yield measure_in_comparisons("as the new version", game, matches)
                yield measure_in_comparisons("as an opponent", game, matches)


def line_of(row: dict[str, Any]) -> str:
    """Format a row."""
    count, twins = row["matches"]
    faults = "{}, {}".format(*row["faults"])
    head = f"{row['cheat']:27} {row['game']:5} {f'{count}, {twins}':>9}"
    if "points" in row:
        values = [f"{p:+.3f} ± {w:.3f}" for p, w in zip(row["points"], row["within"], strict=True)]
        return f"{head}  {values[0]:>15}  {values[1]:>15}  {'points per match':>16}  {faults}"
    won = [f"{n} ({n / max(1, of):.0%})" for n, of in zip(row["won"], row["matches"], strict=True)]
    difference = f"{row['difference']:+.1%} ± {row['within']:.1%}"
    line = f"{head}  {won[0]:>15}  {won[1]:>15}  {difference:>16}  {faults}"
    for of_others in ("others_faults", "others_breaks", "suspended"):
        if any(row[of_others]):
            line += "; {} {}, {}".format(of_others.replace("_", "' "), *row[of_others])
    return line


def main() -> None:
    """Measure the requested cheats and games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--cheat", choices=(*TABLES, "compare"))
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    cheats = [options.cheat] if options.cheat else [*TABLES, "compare"]
    rows = measure(cheats, [options.game] if options.game else GAMES, options.matches)
    if options.json:
        print(json.dumps(list(rows), indent=2))
        return
    heads = ("cheat", "game", "matches", "won by cheat", "by its twin", "difference", "faults")
    print("{:27} {:5} {:>9}  {:>15}  {:>15}  {:>16}  {}".format(*heads))
    for row in rows:
        print(line_of(row), flush=True)


if __name__ == "__main__":
    main()

"""How much does cheating bring?

Each cheat of tests/rogues/cheats sits at a table of four with three greedy bots, in an event that
is held by the command in the default cage; so does its honest twin, the same bot without its trick,
in another event of the same size. Deals come from wherever the command takes them by default. What
counts is the share of matches won. The crasher's partner has the crasher in the place of one greedy
bot, both times; it breaks seldom. A bot that is suspended plays no more: more events are held then.

A comparison has no such figures, but points a match, new - old. There the rememberer is the new
version of its twin; and two copies of the greedy bot are compared, one of whose opponents favours
the copy that comes first. Without a trick, both come to exactly nothing.

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

from arena.events.league import submit_folder
from arena.house import house_bots
from arena.manifest import MANIFEST, read_manifest
from leaderboard.store import Store

# The cheats are those of this file's checkout, the arena is the one that this Python has: so an
# older one can be measured, too.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.rogues.cheats.folders import GAMES, cheat_folder

SEATS = 4
MATCHES = 240
EVENTS = 20
"""No more of them are held to make up for matches that were not played."""
TABLES = {"guesser": 64, "rememberer": 1, "recogniser": 1, "watcher": 64, "partner": 64}
"""At one table a deal is over before it comes again; at many its rotations are in play at once."""
SURE = 1.96
"""A 95 % interval has so many standard errors to each side."""


class Tally(NamedTuple):
    """What a bot's matches came to."""

    matches: int = 0
    wins: int = 0
    faults: int = 0
    others_faults: int = 0
    others_breaks: int = 0
    suspended: int = 0
    """Bots that were, in all events together."""

    def __add__(self, other: Tally) -> Tally:  # type: ignore[override]
        """Put two events together."""
        return Tally(*map(sum, zip(self, other, strict=True)))

    @property
    def share(self) -> float:
        """The share of the matches that were won."""
        return self.wins / max(1, self.matches)

    @property
    def variance(self) -> float:
        """The variance of that share."""
        return self.share * (1 - self.share) / max(1, self.matches)


def greedy_folder(place: Path, name: str, game: str) -> Path:
    """Copy the greedy bot of a game under a name of its own."""
    folder = place / name
    shutil.copytree(house_bots()[f"greedy-{game}"], folder)
    text = (folder / MANIFEST).read_text(encoding="utf-8")
    renamed = text.replace(f'name = "greedy-{game}"', f'name = "{name}"')
    (folder / MANIFEST).write_text(renamed, encoding="utf-8")
    return folder


def arena(folder: Path, *words: str) -> str:
    """Run a command, and return what it prints."""
    command = [sys.executable, "-m", "arena", *words, "--db", "arena.db"]
    # A verdict may be an exit code, too.
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode > 1:
        sys.exit(f"arena {' '.join(words)} has failed")
    return done.stdout


def held(cheat: str, game: str, way: str, matches: int) -> Tally:
    """Let a cheat, or its twin, play an event."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        bots = [cheat_folder(folder, cheat, cheat, way)]
        if cheat == "partner":
            bots.append(cheat_folder(folder, "crasher", "crasher", "cheat"))
        bots += [greedy_folder(folder, each, game) for each in ("ann", "ben", "cat")]
        bots = bots[:SEATS]
        with Store.open(folder / "arena.db", create=True) as store, store.writing() as writer:
            for bot in bots:
                submit_folder(writer, read_manifest(bot), now=datetime.now(UTC))
        names = ",".join(bot.name for bot in bots)
        # Everybody meets everybody in as many rounds as there are others.
        deals = str(ceil(matches / SEATS / (SEATS - 1)))
        words = ("event", "run", "round-robin", "--game", game, "--bots", names, "--deals", deals)
        arena(folder, *words, "--tables", str(TABLES[cheat]), "--name", "cup", "--quiet")
        document = json.loads(arena(folder, "event", "show", "cup", "--json"))
    lines = {line["bot"]: line for line in document["standings"]}
    mine = lines.pop(cheat)
    faults = sum(line["faults"] for line in lines.values())
    # A breakage that voids matches was not always counted.
    breaks = sum(line.get("breaks", 0) for line in lines.values())
    suspended = len(document["suspended"])
    return Tally(mine["matches"], mine["wins"], mine["faults"], faults, breaks, suspended)


def played(cheat: str, game: str, way: str, matches: int) -> Tally:
    """Hold events until there are enough matches, or too many events."""
    total = Tally()
    for _ in range(EVENTS):
        total += held(cheat, game, way, matches)
        if total.matches >= matches:
            break
    return total


def in_events(cheat: str, game: str, matches: int) -> dict[str, Any]:
    """Measure a cheat beside its twin in events."""
    found = {way: played(cheat, game, way, matches) for way in ("cheat", "honest")}
    one, two = found["cheat"], found["honest"]
    return {
        "cheat": cheat,
        "game": game,
        "matches": [one.matches, two.matches],
        "won": [one.wins, two.wins],
        "difference": one.share - two.share,
        "within": SURE * sqrt(one.variance + two.variance),
        "faults": [one.faults, two.faults],
        "others_faults": [one.others_faults, two.others_faults],
        "others_breaks": [one.others_breaks, two.others_breaks],
        "suspended": [one.suspended, two.suspended],
    }


def compared(folder: Path, game: str, deals: int, words: Sequence[str]) -> dict[str, Any]:
    """Compare two bots without stopping before the last deal."""
    options = ("--game", game, "--seats", str(SEATS), "--deals", str(deals), "--tables", "1")
    patient = ("--error", "1e-100", "--margin", "1e-100", "--quiet", "--json")
    found: dict[str, Any] = json.loads(arena(folder, "compare", *words, *options, *patient))
    return found


def in_comparisons(role: str, game: str, matches: int) -> dict[str, Any]:
    """Measure the rememberer beside its twin in comparisons."""
    found = []
    for way in ("cheat", "honest"):
        with TemporaryDirectory() as name:
            folder = Path(name)
            cheat_folder(folder, "cheat", "rememberer", way)
            cheat_folder(folder, "twin", "rememberer", "honest")
            cheat_folder(folder, "opponent", "opponent", way)
            for each in ("new", "old", "ann", "ben"):
                greedy_folder(folder, each, game)
            if role == "as the new version":
                found.append(compared(folder, game, ceil(matches / 2), ["cheat", "twin"]))
            else:
                words = ["new", "old", "--opponents", "opponent,ann,ben"]
                found.append(compared(folder, game, ceil(matches / 2 / SEATS), words))
    return {
        "cheat": f"compare, {role}",
        "game": game,
        "matches": [each["matches"] for each in found],
        "points": [each["difference"] for each in found],
        "within": [SURE * sqrt(each["variance"] / each["deals"]) for each in found],
        "faults": [sum(fault["times"] for fault in each["faults"]) for each in found],
    }


def measure(cheats: Sequence[str], games: Sequence[str], matches: int) -> Iterator[dict[str, Any]]:
    """Measure one cheat after another."""
    for cheat in cheats:
        for game in games:
            if cheat in TABLES:
                yield in_events(cheat, game, matches)
            else:
                yield in_comparisons("as the new version", game, matches)
                yield in_comparisons("as an opponent", game, matches)


def line_of(row: dict[str, Any]) -> str:
    """Write a row as one line."""
    count, twins = row["matches"]
    faults = "{}, {}".format(*row["faults"])
    head = f"{row['cheat']:27} {row['game']:5} {f'{count}, {twins}':>9}"
    if "points" in row:
        values = [f"{p:+.3f} ± {w:.3f}" for p, w in zip(row["points"], row["within"], strict=True)]
        return f"{head}  {values[0]:>15}  {values[1]:>15}  {'points a match':>16}  {faults}"
    won = [f"{n} ({n / max(1, of):.0%})" for n, of in zip(row["won"], row["matches"], strict=True)]
    difference = f"{row['difference']:+.1%} ± {row['within']:.1%}"
    line = f"{head}  {won[0]:>15}  {won[1]:>15}  {difference:>16}  {faults}"
    for of_others in ("others_faults", "others_breaks", "suspended"):
        if any(row[of_others]):
            line += "; {} {}, {}".format(of_others.replace("_", "' "), *row[of_others])
    return line


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--cheat", choices=(*TABLES, "compare"))
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    cheats = [asked.cheat] if asked.cheat else [*TABLES, "compare"]
    rows = measure(cheats, [asked.game] if asked.game else GAMES, asked.matches)
    if asked.json:
        print(json.dumps(list(rows), indent=2))
        return
    heads = ("cheat", "game", "matches", "won by cheat", "by its twin", "difference", "faults")
    print("{:27} {:5} {:>9}  {:>15}  {:>15}  {:>16}  {}".format(*heads))
    for row in rows:
        print(line_of(row), flush=True)


if __name__ == "__main__":
    main()

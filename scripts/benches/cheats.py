"""How much does a bot gain by cheating?

Each cheat of tests/rogues/cheats plays at tables of three with its honest twin, the same bot
without its trick, and the greedy house bot, in an event run by the command in the default cage,
with secret deals. With `--open`, deals come from a seed, no event is sealed, and a bot that
remembers gains.

The result is how many matches each of the two has won, and its mean place. Some cheats have a
partner, which takes the place of the greedy bot, or comes to it at some tables. A suspended bot
plays no further matches, so more events are run in that case.

All of these bots play the same until one of them knows more than its seat shows. So `alike` says in
how many deals every decision was the same in all rotations: there, nobody has gained anything.

`neighbours` runs without a cage. Its bots hear all bots that run at the same time, and an
accomplice passes everything on: a channel faster than time, memory, processors or counts of the
kernel. It fails only because none of them is running when a deal is played again.

For comparisons the figure is points per match, new minus old. In one, the cheat is the new
version of its twin. In the other, two copies of the greedy bot are compared while an opponent
favours the copy that comes first. Without a trick, both differences are exactly zero.

`scripts/bench cheats [--matches NUMBER] [--cheat NAME] [--game GAME] [--open] [--jobs NUMBER]
[--json]`
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from math import ceil, sqrt
from operator import attrgetter
from pathlib import Path
from secrets import randbelow
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from events import renamed_copy

from arena.replays.format import read_replay
from arena.submission.manifest import read_manifest
from arena.tournament.entrants import submit_folder
from leaderboard.matches import results_of
from leaderboard.store import Store

# The cheats are those of this checkout, but `arena` is the installed one: older versions can be
# measured as well.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.rogues.cheats.channels import CHANNELS
from tests.rogues.cheats.cheat import CHEAT, HONEST
from tests.rogues.cheats.folders import GAMES, cheat_folder

SEATS = 3
MATCHES = 240
EVENTS = 20
"""Maximum number of events to reach the number of matches."""
Z_95 = 1.96
"""Half width of a 95 % interval, in standard errors."""


class Case(NamedTuple):
    """A cheat, and who else plays."""

    cheat: str
    partner: str = ""
    with_greedy: bool = True
    partner_mode: str = CHEAT
    cage: str = "auto"


CASES = {
    "guesser": Case("guesser"),
    "remembers": Case("cheat"),
    "partner": Case("cheat", "crasher", with_greedy=False),
    **{channel: Case(f"teller {channel}") for channel in CHANNELS},
    "neighbours": Case(
        "teller neighbours", "teller neighbours relay", partner_mode=HONEST, cage="none"
    ),
    "names-crash": Case("teller names", "teller names crash", with_greedy=False),
    "names-relay": Case("teller names", "teller names relay"),
}
COMPARE = "compare"


class Tally(NamedTuple):
    """The results of a cheat and its twin."""

    matches: int = 0
    twin_matches: int = 0
    wins: int = 0
    twin_wins: int = 0
    places: float = 0.0
    twin_places: float = 0.0
    """The sum of its places."""
    faults: int = 0
    """Faults and failures of the cheat and its twin."""
    suspended: int = 0
    """Number of bots suspended, over all events."""
    deals: int = 0
    alike: int = 0
    """Number of deals in which every decision was the same in all rotations."""

    def __add__(self, other: Tally) -> Tally:  # type: ignore[override]
        """Add up two events."""
        return Tally(*(one + two for one, two in zip(self, other, strict=True)))  # type: ignore[arg-type]


def arena(folder: Path, *words: str) -> str:
    """Run a command and return its output."""
    command = [sys.executable, "-m", "arena", *words, "--db", "arena.db"]
    # Exit code 1 may be a verdict.
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode > 1:
        sys.exit(f"arena {' '.join(words)} failed")
    return done.stdout


def run_event(case: Case, game: str, options: argparse.Namespace) -> Tally:
    """Run an event of a cheat, its twin and others."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        bots = [cheat_folder(folder, mode, case.cheat, mode) for mode in (CHEAT, HONEST)]
        if case.partner:
            bots.append(cheat_folder(folder, "partner", case.partner, case.partner_mode))
        if case.with_greedy:
            bots.append(renamed_copy(folder, f"greedy-{game}", "greedy"))
        with Store.open(folder / "arena.db", create=True) as store, store.writing() as writer:
            for bot in bots:
                submit_folder(writer, read_manifest(bot), now=datetime.now(UTC))
        tables = 1 if len(bots) == SEATS else len(bots)
        words = ["event", "run", "round-robin", "--game", game, "--name", "cup", "--quiet"]
        words += ["--bots", ",".join(bot.name for bot in bots), "--seats", str(SEATS)]
        words += ["--deals", str(ceil(options.matches / SEATS / max(1, tables - 1)))]
        words += ["--rounds", str(tables), "--cage", case.cage]
        words += ["--jobs", str(options.jobs)]
        words += ["--seed", str(randbelow(1 << 40))] if options.open else []
        arena(folder, *words)
        document = json.loads(arena(folder, "event", "show", "cup", "--json"))
        decisions = decisions_by_deal(folder / "arena.db")
    lines = {line["bot"]: line for line in document["standings"]}
    one, two = lines[CHEAT], lines[HONEST]
    return Tally(
        one["matches"],
        two["matches"],
        one["wins"],
        two["wins"],
        one["matches"] * one["mean_place"],
        two["matches"] * two["mean_place"],
        # Older versions do not count failures that void matches.
        sum(line["faults"] + line.get("breaks", 0) for line in (one, two)),
        len(document["suspended"]),
        len(decisions),
        sum(len(set(rotations)) == 1 for rotations in decisions),
    )


def decisions_by_deal(path: Path) -> list[list[str]]:
    """Return what was decided in each rotation of each deal, without the time that it took."""
    found: dict[tuple[int, int], list[str]] = {}
    with Store.open(path) as store:
        # A forfeited match has no replay.
        for result in filter(attrgetter("replay"), results_of(store, 1)):
            decisions = [each._replace(time_us=0) for each in read_replay(result.replay).decisions]
            found.setdefault((result.pairing, result.deal), []).append(repr(decisions))
    return list(found.values())


def measure_in_events(name: str, game: str, options: argparse.Namespace) -> dict[str, Any]:
    """Measure a cheat and its twin in events, until there are enough matches."""
    total = Tally()
    for _ in range(EVENTS):
        total += run_event(CASES[name], game, options)
        if total.matches >= options.matches:
            break
    shares = total.wins / total.matches, total.twin_wins / total.twin_matches
    # Most of the time they play at the same table, where only one of them wins.
    variance = (sum(shares) - (shares[0] - shares[1]) ** 2) / total.matches
    return {
        "cheat": name,
        "game": game,
        "matches": [total.matches, total.twin_matches],
        "won": [total.wins, total.twin_wins],
        "mean_place": [total.places / total.matches, total.twin_places / total.twin_matches],
        "difference": shares[0] - shares[1],
        "within": Z_95 * sqrt(variance),
        "faults": total.faults,
        "suspended": total.suspended,
        "alike": [total.alike, total.deals],
    }


def compare(folder: Path, game: str, deals: int, words: Sequence[str]) -> dict[str, Any]:
    """Compare two bots, playing all deals."""
    options = ("--game", game, "--seats", str(SEATS), "--deals", str(deals), "--tables", "1")
    play_all_deals = ("--error", "1e-100", "--margin", "1e-100", "--quiet", "--json")
    found: dict[str, Any] = json.loads(arena(folder, "compare", *words, *options, *play_all_deals))
    return found


def measure_in_comparisons(role: str, game: str, matches: int) -> dict[str, Any]:
    """Measure a bot that remembers and its twin in comparisons."""
    found = []
    for version in ("cheat", "honest"):
        with TemporaryDirectory() as name:
            folder = Path(name)
            cheat_folder(folder, "cheat", "cheat", version)
            cheat_folder(folder, "twin", "cheat", "honest")
            cheat_folder(folder, "opponent", "opponent", version)
            for each in ("new", "old", "ann"):
                renamed_copy(folder, f"greedy-{game}", each)
            if role == "as the new version":
                found.append(compare(folder, game, ceil(matches / 2), ["cheat", "twin"]))
            else:
                words = ["new", "old", "--opponents", "opponent,ann"]
                found.append(compare(folder, game, ceil(matches / 2 / SEATS), words))
    return {
        "cheat": f"compare, {role}",
        "game": game,
        "matches": [each["matches"] for each in found],
        "points": [each["difference"] for each in found],
        "within": [Z_95 * sqrt(each["variance"] / each["deals"]) for each in found],
        "faults": [sum(fault["times"] for fault in each["faults"]) for each in found],
    }


def measure(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Measure the cheats one after another."""
    for name in [options.cheat] if options.cheat else [*CASES, COMPARE]:
        for game in [options.game] if options.game else GAMES:
            if name in CASES:
                yield measure_in_events(name, game, options)
            else:
                yield measure_in_comparisons("as the new version", game, options.matches)
                yield measure_in_comparisons("as an opponent", game, options.matches)


def line_of(row: dict[str, Any]) -> str:
    """Format a row."""
    count, twins = row["matches"]
    head = f"{row['cheat']:27} {row['game']:10} {f'{count}, {twins}':>9}"
    if "points" in row:
        values = [f"{p:+.3f} ± {w:.3f}" for p, w in zip(row["points"], row["within"], strict=True)]
        faults = "{}, {}".format(*row["faults"])
        return (
            f"{head}  {values[0]:>15}  {values[1]:>15}  {'points per match':>16}  {'':10}  {faults}"
        )
    pairs = zip(row["won"], row["mean_place"], strict=True)
    won = [f"{wins} ({place:.2f})" for wins, place in pairs]
    difference = f"{row['difference']:+.1%} ± {row['within']:.1%}"
    line = f"{head}  {won[0]:>15}  {won[1]:>15}  {difference:>16}  "
    line += "{:>10}  {}".format("{} of {}".format(*row["alike"]), row["faults"])
    return f"{line}; suspended {row['suspended']}" if row["suspended"] else line


def main() -> None:
    """Measure the requested cheats and games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--cheat", choices=(*CASES, COMPARE))
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--open", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.json:
        print(json.dumps(list(measure(options)), indent=2))
        return
    heads = (
        "cheat",
        "game",
        "matches",
        "won (place)",
        "by its twin",
        "difference",
        "alike",
        "faults",
    )
    print("{:27} {:10} {:>9}  {:>15}  {:>15}  {:>16}  {:>10}  {}".format(*heads))
    for row in measure(options):
        print(line_of(row), flush=True)


if __name__ == "__main__":
    main()

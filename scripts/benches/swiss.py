"""How long does it take to pair a Swiss round, and how do our pairs compare with those of py4swiss?

The comparison simulates events at tables of two. In each round both programs pair the same history.
Half of the events play our pairs, the other half theirs.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import exp
from pathlib import Path
from random import Random

from peer_environment import peers_python

from arena.games.outcome import places_by
from arena.games.randomness import seed_from
from arena.indices import EntrantIndex
from arena.scheduling.pairing import Bye, Pairing
from arena.scheduling.points import points_of
from arena.scheduling.swiss import History, Played, default_rounds, swiss_round

FIELDS = {8: 100, 11: 100, 16: 60, 25: 40, 40: 30}
"""Number of events to compare, by size of the field."""
DRAWS = 0.3
Pair = tuple[int, int]


def slowest_round_s(entrants: int, seats: int) -> float:
    """Return the longest time to pair a round of an event."""
    rng = Random(1)
    history = History()
    slowest = 0.0
    for _ in range(default_rounds(entrants, seats)):
        start = time.perf_counter()
        pairings, byes = swiss_round(
            history,
            entrants=entrants,
            seats=seats,
            allowed_sizes=range(2, 7),
            seed=seed_from(1),
        )
        slowest = max(slowest, time.perf_counter() - start)
        played = [
            Played(p, points_of(places_by([round(rng.gauss(-e, 300)) for e in p.seating])))
            for p in pairings
        ]
        history = History(history.played + tuple(played), history.byes + byes)
    return slowest


class Dutch:
    """The process that pairs by FIDE's rules."""

    def __init__(self) -> None:
        """Start the process."""
        command = [peers_python(), Path(__file__).with_name("swiss_peer.py")]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def pairs(self, results: list[list[tuple[int, int, Fraction]]], rounds: int) -> list[Pair]:
        """Return the pairs of the next round; empty if the rules allow none."""
        assert self._process.stdin
        assert self._process.stdout
        tenths = [[(o, seat, int(10 * points)) for o, seat, points in row] for row in results]
        self._process.stdin.write(json.dumps({"rounds": rounds, "results": tenths}) + "\n")
        self._process.stdin.flush()
        return [(one, other) for one, other in json.loads(self._process.stdout.readline()) or ()]


class Event:
    """A simulated event at tables of two; lower numbers are stronger and rated higher."""

    def __init__(self, entrants: int, seed: int) -> None:
        """Draw the strengths."""
        self._rng = Random(seed)
        self.entrants = entrants
        self.rounds = default_rounds(entrants, 2)
        self._strengths = sorted((self._rng.gauss(0, 1) for _ in range(entrants)), reverse=True)
        self.results: list[list[tuple[int, int, Fraction]]] = [[] for _ in range(entrants)]
        """For each entrant and round: its opponent (-1: a bye), its seat, its points."""
        self._history = History()

    def our_pairs(self) -> list[Pair]:
        """Pair the next round with our program."""
        pairings, byes = swiss_round(
            self._history,
            entrants=self.entrants,
            seats=2,
            allowed_sizes={2},
            seed=seed_from(1),
            ratings=[-float(entrant) for entrant in range(self.entrants)],
        )
        pairs = [(one, other) for one, other in (pairing.seating for pairing in pairings)]
        return pairs + [(bye.entrant, -1) for bye in byes]

    def play(self, pairs: Sequence[Pair]) -> None:
        """Play a round."""
        number = 1 + len(self.results[0])
        played, byes = list(self._history.played), list(self._history.byes)
        for one, other in pairs:
            if other < 0:
                byes.append(Bye(number, EntrantIndex(one)))
                self.results[one].append((-1, 0, Fraction(1)))
                continue
            better = 1 / (1 + exp(self._strengths[other] - self._strengths[one]))
            won = Fraction(int(self._rng.random() < better))
            points = Fraction(1, 2) if self._rng.random() < DRAWS else won
            seating = (EntrantIndex(one), EntrantIndex(other))
            played.append(Played(Pairing(number, len(played), seating), (points, 1 - points)))
            self.results[one].append((other, 0, points))
            self.results[other].append((one, 1, 1 - points))
        self._history = History(tuple(played), tuple(byes))

    def breaches(self, pairs: Sequence[Pair]) -> Iterator[tuple[str, float]]:
        """Measure how far a round's pairs break the rules."""
        scores = [sum(points for _, _, points in row) for row in self.results]
        for one, other in pairs:
            if other < 0:
                yield "second byes", any(met < 0 for met, _, _ in self.results[one])
                yield "score of byes", float(scores[one])
                continue
            apart = float(scores[one] - scores[other])
            yield "rematches", any(met == other for met, _, _ in self.results[one])
            yield "score differences", abs(apart)
            yield "squared score differences", apart**2
            for entrant, seat in ((one, 0), (other, 1)):
                seats = [s for met, s, _ in self.results[entrant] if met >= 0] + [seat]
                yield "third time running in a seat", seats[-3:] == [seat] * 3
                yield "lead above 2 of a seat", abs(len(seats) - 2 * sum(seats)) > 2


def compare(dutch: Dutch, entrants: int, events: int) -> dict[str, object]:
    """Simulate events of one size; return how far the pairs agree, and which rules each breaks."""
    count: Counter[str] = Counter()
    ours: defaultdict[str, float] = defaultdict(float)
    theirs: defaultdict[str, float] = defaultdict(float)
    for number in range(events):
        event = Event(entrants, number)
        for _ in range(event.rounds):
            our_pairs = event.our_pairs()
            their_pairs = dutch.pairs(event.results, event.rounds)
            if their_pairs:
                same = {frozenset(pair) for pair in our_pairs} & {
                    frozenset(pair) for pair in their_pairs
                }
                count.update(rounds=1, pairs=len(our_pairs), same=len(same))
                count["same rounds"] += len(same) == len(our_pairs)
                for breach, size in event.breaches(our_pairs):
                    ours[breach] += size
                for breach, size in event.breaches(their_pairs):
                    theirs[breach] += size
            else:
                count["no pairs by their rules"] += 1
            event.play(their_pairs if number % 2 and their_pairs else our_pairs)
    return {
        "same_pairs": round(count["same"] / count["pairs"], 3),
        "same_rounds": round(count["same rounds"] / count["rounds"], 3),
        **{name: count[name] for name in ("rounds", "pairs", "no pairs by their rules")},
        "ours_theirs": {name: (round(ours[name], 2), round(theirs[name], 2)) for name in ours},
    }


def measure() -> dict[str, object]:
    """Run everything; return the document that --json prints."""
    seconds = {f"swiss_1000_s_seats_{k}": round(slowest_round_s(1000, k), 3) for k in (2, 3, 6)}
    dutch = Dutch()
    return {
        "swiss_1000_s": round(slowest_round_s(1000, 4), 3),
        **seconds,
        "py4swiss": {entrants: compare(dutch, entrants, n) for entrants, n in FIELDS.items()},
    }


if __name__ == "__main__":
    figures = measure()
    if "--json" in sys.argv[1:]:
        print(json.dumps(figures, indent=2))
    else:
        compared = figures.pop("py4swiss")
        assert isinstance(compared, dict)
        for name, seconds in figures.items():
            print(f"{name:24}{seconds}")
        for entrants, agreement in compared.items():
            print(f"{entrants} entrants, against py4swiss:")
            breaches = agreement.pop("ours_theirs")
            print("  " + ", ".join(f"{name} {value}" for name, value in agreement.items()))
            for name, (our, their) in breaches.items():
                print(f"  {name:30} ours {our:>9} theirs {their:>9}")

"""How many matches does `--until-sure` save, and how often is it wrong?

Plays simulated leagues through the code that runs events: the same schedules, strengths and rule.
Bots play at tables of four, each deal in every rotation. True strengths are normal with a standard
deviation of 4. Three tenths of the luck belong to a hand, and bots have good and bad deals. A
league is wrong if, when it ends, an outsider is truly stronger than one of the first by more than
the margin. A round-robin and a Swiss event may go on until they know.

With `game=meow` real bots play MEOW: greedy ones that play a share of their cards at random, from
none to four fifths. Then a league is wrong if the first are not those with the smallest shares.

Usage: scripts/bench stopping [--json] [leagues=300] [bots=16,32] [top=1,4] [kinds=ladder,swiss]
       [game=meow] [jobs=2]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, product
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from arena.games.outcome import Ending
from arena.games.randomness import seed_from
from arena.games.registry import AnyGame, game_named
from arena.indices import EntrantIndex, VersionId
from arena.records import Entrant
from arena.referee.players.local import Chooser, play_match
from arena.referee.table import DecisionRequest
from arena.scheduling.pairing import Pairing
from arena.tournament.certainty import MARGIN
from arena.tournament.course import Course
from arena.tournament.schedule import schedule_of
from arena.tournament.spec import Kind, Spec
from arena.workers.block import result_of
from leaderboard.result import MatchResult, SeatResult
from tests.bots.inprocess import bot_class, new_chooser
from tests.leaderboard.strength.simulated import simulate_deal

SPREAD = 4.0
STYLE = 0.15
MOST_ROUNDS = 5_000


class Ended(NamedTuple):
    """How a league ended."""

    matches: int
    known: bool
    wrong: bool


class SimulatedEvent:
    """An event between bots whose true strengths are known."""

    margin = MARGIN

    def __init__(self, kind: Kind, bots: int, top: int, seed: int) -> None:
        """Draw the strengths; the same seed gives the same ones for every kind of event."""
        self.rng = Random(seed)
        self.truth = [self.rng.gauss(25.0, SPREAD) for _ in range(bots)]
        spec = Spec(kind, "meow", seats=4, rounds=MOST_ROUNDS, until_sure=top)
        key = seed_from(seed)
        self.course = Course(
            spec.the_game,
            spec.parameters(),
            schedule_of(spec, bots, key),
            [VersionId(bot) for bot in range(bots)],
            key,
            spec.deals,
            goal=spec.goal,
        )

    def play(self) -> None:
        """Play until the first places are known."""
        while planned := self.course.next_rounds():
            self.course.add_rounds(planned)
            results = {
                result.number: result for pairings, _ in planned for result in self._play(pairings)
            }
            while self.course.counted < len(self.course.matches):
                self.course.add_result(results[self.course.counted])

    def _play(self, pairings: Sequence[Pairing]) -> Iterator[MatchResult]:
        """Play one deal of each pairing."""
        for pairing in pairings:
            table = [VersionId(entrant) for entrant in pairing.seating]
            deal = simulate_deal(self.rng, table, self.truth, style=STYLE)
            matches = [each for each in self.course.matches if each.match.pairing == pairing.number]
            for (match, seed, _), places in zip(matches, deal, strict=True):
                by_bot = {seat.version: seat.place for seat in places}
                seats = [
                    SeatResult(VersionId(entrant), by_bot[VersionId(entrant)], 0, 0.0)
                    for entrant in match.seating
                ]
                ending = Ending.PLAYED_OUT.code
                yield MatchResult(*match[:4], seed, ending, tuple(seats), 0, 0, "", b"")


class RealEvent(SimulatedEvent):
    """An event at MEOW between bots of which each plays a larger share at random than the last."""

    margin = 0.0

    def __init__(self, kind: Kind, bots: int, top: int, seed: int) -> None:
        """Rank the bots by the share that they do not play at random."""
        super().__init__(kind, bots, top, seed)
        self.truth = [1.0 - 0.8 * bot / bots for bot in range(bots)]
        self._greedy = bot_class("greedy-meow")

    def _play(self, pairings: Sequence[Pairing]) -> Iterator[MatchResult]:
        game = game_named("meow")
        numbers = {pairing.number for pairing in pairings}
        for match, seed, _ in self.course.matches:
            if match.pairing in numbers:
                seats = enumerate(match.seating)
                choosers = [self._chooser(game, seat, bot) for seat, bot in seats]
                entrants = [Entrant(str(entrant)) for entrant in match.seating]
                record, _ = play_match(game, seed, game.default_parameters, entrants, choosers)
                yield result_of(match, record, [VersionId(entrant) for entrant in match.seating])

    def _chooser(self, game: AnyGame, seat: int, bot: EntrantIndex) -> Chooser:
        greedily = new_chooser(self._greedy, game, game.default_parameters, 4, seat)

        def choose(request: DecisionRequest) -> int:
            if self.rng.random() < self.truth[bot]:
                return greedily(request)
            return int(self.rng.choice(game.legal_actions(request.view)))

        return choose


def play_league(make: type[SimulatedEvent], kind: Kind, bots: int, top: int, seed: int) -> Ended:
    """Play one league; return how it ended."""
    event = make(kind, bots, top, seed)
    event.play()
    strengths = event.course.strengths()
    order = sorted(range(bots), key=lambda bot: -strengths.strength(VersionId(bot)))
    pairs = product(order[:top], order[top:]) if top else combinations(order, 2)
    truth = event.truth
    wrong = any(truth[other] - truth[one] > event.margin for one, other in pairs)
    return Ended(event.course.counted, event.course.stopped is not None, wrong)


def measure(
    make: type[SimulatedEvent], kind: Kind, bots: int, top: int, leagues: int, jobs: int
) -> dict[str, object]:
    """Play leagues of one kind; return the figures."""
    with Pool(jobs) as pool:
        play = partial(play_league, make, kind, bots, top)
        ended = pool.map(play, range(leagues), chunksize=5)
    matches = sorted(each.matches for each in ended)
    return {
        "kind": kind.value,
        "bots": bots,
        "top": top,
        "leagues": leagues,
        "mean_matches": round(sum(matches) / leagues),
        "median_matches": matches[leagues // 2],
        "wrong": round(sum(each.wrong for each in ended) / leagues, 4),
        "not_known": sum(not each.known for each in ended),
    }


def main(words: list[str]) -> None:
    """Measure what is asked for and print it."""
    settings = dict(word.split("=") for word in words if "=" in word)
    leagues, jobs = int(settings.get("leagues", "300")), int(settings.get("jobs", "2"))
    kinds = [Kind(name) for name in settings.get("kinds", "round-robin,swiss,ladder").split(",")]
    make = RealEvent if "game" in settings else SimulatedEvent
    rows = []
    for bots in map(int, settings.get("bots", "16,32").split(",")):
        for top in map(int, settings.get("top", "1,4").split(",")):
            for kind in kinds:
                rows.append(measure(make, kind, bots, top, leagues, jobs))
                if "--json" not in words:
                    print("  ".join(f"{name} {value}" for name, value in rows[-1].items()))
                    sys.stdout.flush()
    if "--json" in words:
        print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])

"""How many matches does `--until-sure` save, and how often is it wrong?

Simulated leagues run through the code that runs events: the same schedules, strengths and rule.
Bots play at tables of four, each deal in every rotation. True strengths are normal with a standard
deviation of 4. Three tenths of the luck belong to a hand, and bots have good and bad deals. A
league is wrong if, when it ends, an outsider is truly stronger than one of the first by more than
the margin. A round-robin and a Swiss event may go on until they know.

`scripts/bench stopping [--leagues NUMBER] [--bots N,...] [--top N,...] [--kinds KIND,...] [--json]`
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from random import Random

from figures import print_figures

sys.path.insert(0, str(Path(__file__).parents[2]))

from arena.games.outcome import Ending
from arena.games.randomness import seed_from
from arena.indices import VersionId
from arena.scheduling.pairing import Pairing
from arena.tournament.certainty import MARGIN
from arena.tournament.course import Course
from arena.tournament.schedule import schedule_of
from arena.tournament.spec import Kind, Spec
from leaderboard.result import MatchResult, SeatResult
from leaderboard.strength.fit import fit_strengths
from tests.leaderboard.strength.simulated import simulate_deal

SPREAD, STYLE = 4.0, 0.15
MOST_ROUNDS = 5_000
SEED = 31


def play_league(kind: Kind, bots: int, top: int, league: int) -> tuple[int, bool, bool]:
    """Play until the first places are known: return the matches, whether they are, and wrongly."""
    rng = Random(f"{SEED} {league}")
    truth = [rng.gauss(25.0, SPREAD) for _ in range(bots)]
    spec = Spec(kind, "meow", seats=4, rounds=MOST_ROUNDS, until_sure=top)
    key = seed_from(league)
    field = [VersionId(bot) for bot in range(bots)]
    schedule = schedule_of(spec, bots, key)
    course = Course(
        spec.the_game, spec.parameters(), schedule, field, key, spec.deals, goal=spec.goal
    )
    order: list[int] = []
    while planned := course.next_rounds():
        first = len(course.rounds.matches)
        course.rounds.add(planned)
        results = dict(play_rounds(course, planned, truth, rng, first))
        for number in range(first, len(course.rounds.matches)):
            if course.stopped is None:
                course.add_result(results[number])
    assert course._strengths
    strengths = fit_strengths(course._strengths._sums)
    order = sorted(range(bots), key=lambda bot: -strengths[VersionId(bot)])
    pairs = product(order[:top], order[top:]) if top else combinations(order, 2)
    wrong = any(truth[other] - truth[one] > MARGIN for one, other in pairs)
    return course.counted, course.stopped is not None, wrong


def play_rounds(
    course: Course,
    planned: Sequence[tuple[Sequence[Pairing], object]],
    truth: Sequence[float],
    rng: Random,
    first: int,
) -> Iterator[tuple[int, MatchResult]]:
    """Play one deal of each pairing."""
    deals = {}
    for pairings, _ in planned:
        for pairing in pairings:
            table = [VersionId(entrant) for entrant in pairing.seating]
            deals[pairing.number] = simulate_deal(rng, table, truth, style=STYLE)
    for match in course.rounds.matches[first:]:
        places = {seat.version: seat.place for seat in deals[match.pairing][match.rotation]}
        versions = [VersionId(entrant) for entrant in match.seating]
        seats = tuple(SeatResult(each, places[each], 0, 0.0) for each in versions)
        ending = Ending.PLAYED_OUT.code
        yield (
            match.number,
            MatchResult(*match[:4], match.seed, ending, seats, 0, 0, "", b""),
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--leagues", type=int, default=300)
    parser.add_argument("--bots", default="16,32")
    parser.add_argument("--top", default="1,4")
    parser.add_argument("--kinds", default="round-robin,swiss,ladder")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = {}
    for bots, top, kind in product(
        map(int, options.bots.split(",")),
        map(int, options.top.split(",")),
        map(Kind, options.kinds.split(",")),
    ):
        ended = [play_league(kind, bots, top, league) for league in range(options.leagues)]
        matches = sorted(count for count, _, _ in ended)
        figures[f"{bots} bots, top {top}, {kind}"] = {
            "mean matches": round(sum(matches) / len(matches)),
            "median": matches[len(matches) // 2],
            "wrong": round(sum(wrong for *_, wrong in ended) / len(ended), 4),
            "not known": sum(not known for _, known, _ in ended),
        }
    print_figures(figures)

"""How strong are the house bots, and how fast does the search bot search?

Plays deals in this process, each in every rotation of the seats, two bots of one kind against two
of another. The search bot has a fixed processor time for each decision. The result is how often a
bot of the first kind is ahead of one of the other, ties counting half, with a 95 % interval from
the variance of whole deals; 0.5 means equally strong.

`matches` counts simulated matches of MEOW, from the deal to the end. Rollouts usually stop at the
end of the round; these do not.

Usage: scripts/bench strength [--json] [GAME ...] [seconds=0.1] [deals=20] [seed=0]
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from arena.games.randomness import seed_from
from arena.games.registry import GAME_IDS, AnyGame, game_named
from arena.sdk import Bot, Match
from tests.bots.inprocess import Share, bot_class, bot_module, share_of

SEATS = 4
Z_95 = 1.96
bot = bot_module("search")
Searching = bot_class("search")


class Timed(Searching):  # type: ignore[misc, valid-type]
    """Searches for a fixed processor time, and counts how often."""

    seconds = 0.1
    iterations = 0
    spent_s = 0.0

    def choose_many(self, views: Any) -> list[int]:
        """Search for an action for each view."""
        return [self._choice(match, view) for match, view in zip(self.matches, views, strict=True)]

    def _choice(self, match: Match, view: Any) -> int:
        search = new_search(match.game, view, match.rng)
        before = time.process_time()
        while time.process_time() < before + self.seconds:
            search.iterate()
        Timed.iterations += search.iterations
        Timed.spent_s += time.process_time() - before
        return int(search.best())


def new_search(game: AnyGame, view: Any, rng: Random, guide: Any = None) -> Any:
    """Start a search for a view's decision; the bot's own types are not known here, hence Any."""
    guide = guide or bot.guide_for(game.id)
    return bot.Search(game, guide(view), view, game.legal_actions(view), rng)


def share_against(game: AnyGame, one: type[Bot], other: type[Bot], deals: int, seed: int) -> Share:
    """Play two against two; return the share of the first kind."""
    share = share_of(game, [one, one, other, other], deals=deals, seed=seed)
    # One of the three opponents of each bot is of its own kind: a share of 0.5.
    return Share((3 * share.mean - 0.5) / 2, 1.5 * share.error)


def strengths(game_id: str, deals: int, seed: int) -> dict[str, float]:
    """Measure search against greedy, and greedy against random."""
    game = game_named(game_id)
    greedy = bot_class(f"greedy-{game_id}")
    Timed.iterations, Timed.spent_s = 0, 0.0
    figures: dict[str, float] = {}
    for name, one, other in (
        ("search_against_greedy", Timed, greedy),
        ("greedy_against_random", greedy, bot_class("random")),
    ):
        share = share_against(game, one, other, deals, seed)
        figures[name] = round(share.mean, 4)
        figures[f"{name}_interval"] = round(Z_95 * share.error, 4)
    figures["iterations_per_s"] = round(Timed.iterations / Timed.spent_s)
    return figures


def simulated_matches(seconds: float) -> float:
    """Search from a deal of MEOW, with rollouts to the end; return matches per second."""

    class ToTheEnd(bot.guide_for("meow")):  # type: ignore[misc]
        """Never stops a rollout early."""

        def is_far_enough(self, state: Any) -> bool:
            """Return False."""
            return False

    game = game_named("meow")
    view = game.view_of(game.start(SEATS, seed_from(1)), 0)
    search = new_search(game, view, Random(1), ToTheEnd)
    before = time.process_time()
    while time.process_time() < before + seconds:
        search.iterate()
    return float(search.iterations / (time.process_time() - before))


def main(words: list[str]) -> None:
    """Measure the requested games and print the results."""
    settings = dict(word.split("=") for word in words if "=" in word)
    Timed.seconds = float(settings.get("seconds", "0.1"))
    deals = int(settings.get("deals", "20"))
    seed = int(settings.get("seed", "0"))
    games = [word for word in words if word in GAME_IDS] or GAME_IDS
    figures: dict[str, Any] = {"seconds": Timed.seconds, "deals": deals, "seed": seed}
    for game_id in games:
        found = figures[game_id] = strengths(game_id, deals, seed)
        if game_id == "meow":
            found["matches_per_s"] = round(simulated_matches(2.0))
        if "--json" not in words:
            print(f"{game_id}, {Timed.seconds:g} s per decision, {deals} deals")
            for name in ("search_against_greedy", "greedy_against_random"):
                title = name.replace("_", " ")
                print(f"  {title:22} {found[name]:.3f} ± {found[f'{name}_interval']:.3f}")
            print(f"  {'iterations':22} {found['iterations_per_s']:,} per second")
            if game_id == "meow":
                print(f"  {'matches':22} {found['matches_per_s']:,} per second, from the deal")
    if "--json" in words:
        print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])

"""Does the searching bot beat the greedy ones, and how fast does it search?

Deals are played in this process, each in every rotation of the seats, by two searching bots against
two greedy ones, side by side, and by one against three. A searching bot has a fixed processor time
for each decision. What is told is its share of the points, with a 95 % interval from the spread of
whole deals: even is 0.5.

`matches` counts matches of MEOW that are simulated from the deal to the end, by a search that does
not stop its rollouts with the round as it usually does.

Usage: scripts/bench search [--json] [GAME ...] [seconds=0.1] [deals=20]
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
from tests.bots.inprocess import bot_class, bot_module, share_of

SEATS = 4
CLEAR = 1.96
bot = bot_module("search")
Searching = bot_class("search")


class Timed(Searching):  # type: ignore[misc, valid-type]
    """Searches for a fixed processor time, and counts how often."""

    seconds = 0.1
    iterations = 0
    spent_s = 0.0

    def choose_many(self, views: Any) -> list[int]:
        """Search for each view."""
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
    """Begin to search for a view's decision; what the bot is made of has no types here: Any."""
    guide = guide or bot.guide_for(game.id)
    return bot.Search(game, guide(view), view, game.legal_actions(view), rng)


def against_greedy(game_id: str, deals: int) -> dict[str, float]:
    """Play two against two, and one against three."""
    game = game_named(game_id)
    greedy = bot_class(f"greedy-{game_id}")
    Timed.iterations, Timed.spent_s = 0, 0.0
    figures: dict[str, float] = {}
    for name, searching in (("two_against_two", 2), ("one_against_three", 1)):
        seated: list[type[Bot]] = [Timed] * searching + [greedy] * (SEATS - searching)
        share = share_of(game, seated, deals=deals)
        figures[name] = round(share.mean, 4)
        figures[f"{name}_interval"] = round(CLEAR * share.error, 4)
    figures["iterations_per_s"] = round(Timed.iterations / Timed.spent_s)
    return figures


def simulated_matches(seconds: float) -> float:
    """Search from the deal of a match of MEOW, each rollout to its end; return matches a second."""

    class ToTheEnd(bot.guide_for("meow")):  # type: ignore[misc]
        """Stops nowhere."""

        def is_far_enough(self, state: Any) -> bool:
            """Go on."""
            return False

    game = game_named("meow")
    view = game.view_of(game.start(SEATS, seed_from(1)), 0)
    search = new_search(game, view, Random(1), ToTheEnd)
    before = time.process_time()
    while time.process_time() < before + seconds:
        search.iterate()
    return float(search.iterations / (time.process_time() - before))


def main(words: list[str]) -> None:
    """Measure what is asked for, and print it."""
    settings = dict(word.split("=") for word in words if "=" in word)
    Timed.seconds = float(settings.get("seconds", "0.1"))
    deals = int(settings.get("deals", "20"))
    games = [word for word in words if word in GAME_IDS] or GAME_IDS
    figures: dict[str, Any] = {"seconds": Timed.seconds, "deals": deals}
    for game_id in games:
        found = figures[game_id] = against_greedy(game_id, deals)
        if game_id == "meow":
            found["matches_per_s"] = round(simulated_matches(2.0))
        if "--json" not in words:
            print(f"{game_id}, {Timed.seconds:g} s a decision, {deals} deals")
            for name in ("two_against_two", "one_against_three"):
                title = name.replace("_", " ")
                print(f"  {title:18} {found[name]:.3f} ± {found[f'{name}_interval']:.3f}")
            print(f"  {'iterations':18} {found['iterations_per_s']:,} a second")
            if game_id == "meow":
                print(f"  {'matches':18} {found['matches_per_s']:,} a second, from the deal")
    if "--json" in words:
        print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])

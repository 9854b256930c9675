"""Strategy: try the promising actions in worlds that fit what is seen, and choose what did best.

`recipe.py` is the search, which knows no game; `guides/` has sensible play for each game; this file
manages the clock. To make another bot of it, begin with a guide.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from guides import guide_for
from recipe import Search

from arena.sdk import Bot, Match, run

INCREMENT_SHARE = 0.9
"""Share of the increment to spend on each decision; the rest allows for transport."""
BANK_SHARE = 0.02
"""Share of the spare bank to spend on one decision."""
RESERVE_S = 1.0
"""Keep this much of the bank, or half of it if that is more, in case the machine stalls."""
MAX_THINKING_S = 1.0
"""Maximum time per decision: thinking longer hardly improves play."""


class SearchBot(Bot):
    """Searches for as long as the clock allows."""

    name = "search"

    def choose_many(self, views: Sequence[Any]) -> list[int]:
        """Think equally long about each view: decisions answered together share their cost."""
        seconds = min(map(thinking_time_s, self.matches))
        return [
            decide(match, view, seconds) for match, view in zip(self.matches, views, strict=True)
        ]


def decide(match: Match, view: Any, seconds: float) -> int:
    """Search for this long; with no time at all, take the action with the best prior."""
    now = time.process_time if match.counts_cpu else time.monotonic
    began = now()
    actions = match.game.legal_actions(view)
    if len(actions) == 1:
        return actions[0]
    search = Search(match.game, guide_for(match.game.id)(view), view, actions, match.rng)
    return search.run(lambda _: (now() - began) / seconds if seconds else 1.0)


def thinking_time_s(match: Match) -> float:
    """Return how long to think: most of the increment and a little of the spare bank."""
    left = match.time_left_s
    spare = max(0.0, left - max(RESERVE_S, match.bank_s / 2))
    seconds = INCREMENT_SHARE * match.increment_s + BANK_SHARE * spare
    return max(0.0, min(seconds, left / 3, MAX_THINKING_S))


if __name__ == "__main__":
    run(SearchBot)

"""Rule of thumb: imagine what may be hidden, play it out a thousand times, do what did best.

This is information-set Monte Carlo tree search. Whatever a seat cannot see is drawn at random so
that it fits its view (`game.world`: no peeking), the match is played on from there, and all that is
learnt goes into one tree of what the seat can see. `tree.py` is the search and knows no game;
`guides/` has a file for each game that says what sensible play is; this file minds the clock.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from guides import guide_for
from tree import Search

from arena.sdk import Bot, Match, run

INCREMENT_SHARE = 0.9
"""How much of the increment is thought away with every decision; the rest is for the way."""
BANK_SHARE = 0.02
"""How much goes into one decision of what the bank has to spare."""
RESERVE_S = 1.0
"""So much of the bank, or half of it if that is more, is kept for a moment when the machine hangs.
"""
LONGEST_S = 1.0
"""More than this brings too little to keep the table waiting."""


class Searching(Bot):
    """Searches for as long as the clock allows."""

    name = "search"

    def choose_many(self, views: Sequence[Any]) -> list[int]:
        """Think about each view for the same time: what is answered together is paid together."""
        seconds = min(map(thinking_time_s, self.matches))
        return [
            decide(match, view, seconds) for match, view in zip(self.matches, views, strict=True)
        ]


def decide(match: Match, view: Any, seconds: float) -> int:
    """Search for so long; without any time, take what the guide likes best."""
    now = time.process_time if match.counts_cpu else time.monotonic
    until = now() + seconds
    actions = match.game.legal_actions(view)
    if len(actions) == 1:
        return actions[0]
    search = Search(match.game, guide_for(match.game.id)(view), view, actions, match.rng)
    while now() < until:
        search.iterate()
    return search.best()


def thinking_time_s(match: Match) -> float:
    """Tell how long to think: the increment, and a little of what the bank has to spare."""
    left = match.time_left_s
    spare = max(0.0, left - max(RESERVE_S, match.bank_s / 2))
    seconds = INCREMENT_SHARE * match.increment_s + BANK_SHARE * spare
    return max(0.0, min(seconds, left / 3, LONGEST_S))


if __name__ == "__main__":
    run(Searching)

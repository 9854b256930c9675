"""A bot for Trio: turn up the numbers it has seen most often.

The three lines to change first are marked.
"""

from __future__ import annotations

from collections import Counter

from arena.games.trio import GAME
from arena.games.trio.cards import KEEP, Action
from arena.games.trio.view import View
from arena.sdk import Bot, run


class MyBot(Bot):
    """Uses the cards that it has seen."""

    games = ("trio",)

    def choose(self, view: View) -> int:
        """Return the place to turn up; in a swap, the card to give."""
        if view.phase:
            return KEEP  # 1 change me: in a team game, give(number) gives the partner a card
        known = {place: number_at(place, view) for place in GAME.legal_actions(view)}
        if view.shown:
            same = [place for place in known if known[place] == view.number]
            unknown = [place for place in known if not known[place]]
            return (same or unknown or list(known))[0]  # 2 change me: which unknown one?
        often = Counter(number for number in known.values() if number)
        return max(known, key=lambda place: often[known[place]])  # 3 change me: where to start?


def number_at(place: Action, view: View) -> int:
    """Return the number at a place, or 0 if this seat does not know it."""
    if place.kind == "centre":
        return view.centre[place.slot]
    known = view.known[place.seat]
    if place.seat == view.seat:
        cards = view.hand
    elif place.kind == "low" or len(known.low) == known.size:
        cards = known.low
    else:
        cards = known.high
    if place.kind == "high":
        cards = cards[::-1]
    turned_up = view.shown.count(place)
    return cards[turned_up] if turned_up < len(cards) else 0


if __name__ == "__main__":
    run(MyBot)

"""Bots for MEOW of which one feeds another: `taker` shows a sign, and `feeder` plays for it.

They know only what their seats may know. The sign is public: in the first round the taker always
plays the lowest rank that it may, which nobody else does nine times running. The feeder plays
honestly until the round is over. If a seat has shown the sign, the feeder leaves good tokens to it
from then on, keeps them from others, and takes its bad ones. `honest` plays like both without the
sign; a share of its actions is random.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

from arena.games.meow import GAME
from arena.games.meow.cards import COLOUR_OF, FISH, GREEN, HAND, VASE, Card
from arena.games.meow.events import CardPlayed, Event, TrickWon
from arena.games.meow.state import winning_card
from arena.games.meow.view import View
from arena.sdk import Bot, run


class SeenCard(NamedTuple):
    """A card of the first round, and what the seat could have played instead."""

    card: Card
    followed: bool
    """Whether it had to follow the colour that was led."""


class Honest(Bot):
    """Takes good tokens as cheaply as it can, and avoids bad ones."""

    name = "honest"
    games = ("meow",)
    noise = 0.0
    """The share of random actions."""

    def choose(self, view: View) -> int:
        """Play a card."""
        legal = GAME.legal_actions(view)
        if self.match.rng.random() < self.noise:
            return legal[int(self.match.rng.random() * len(legal))]
        return self.play(view, legal)

    def play(self, view: View, legal: Sequence[Card]) -> int:
        """Play for oneself."""
        return win(view, legal) if worth(view.row[0]) > 0 else lose(view, legal)


class Taker(Honest):
    """Shows the sign, and otherwise plays honestly."""

    name = "taker"

    def choose(self, view: View) -> int:
        """Play the lowest rank throughout the first round."""
        if view.round == 0:
            return min(GAME.legal_actions(view), key=lambda card: card.rank)
        return super().choose(view)


class Feeder(Honest):
    """Plays for the seat that has shown the sign."""

    name = "feeder"

    def match_started(self) -> None:
        """Watch all seats for the sign."""
        self.match.memory.seen = [[] for _ in range(self.match.seats)]
        self.match.memory.trick = []

    def happened(self, events: Sequence[Event]) -> None:
        """Note the cards of each seat in the first round."""
        seen, trick = self.match.memory.seen, self.match.memory.trick
        for event in events:
            if isinstance(event, TrickWon):
                trick.clear()
            elif isinstance(event, CardPlayed) and len(seen[event.seat]) < HAND:
                follows = bool(trick) and COLOUR_OF[trick[0]] == COLOUR_OF[event.card]
                seen[event.seat].append(SeenCard(event.card, follows))
                trick.append(event.card)

    def play(self, view: View, legal: Sequence[Card]) -> int:
        """Play for the other, if it is at the table."""
        friend = self._friend()
        if friend is None:
            return super().play(view, legal)
        # The leader's card comes first.
        turn = (friend - view.leader) % view.seats
        has_played = turn < len(view.trick)
        can_win = not has_played or winning(view.trick) == view.trick[turn]
        is_good = worth(view.row[0]) > 0
        # A good token that the friend can win is left to it; a bad one is taken from it.
        return lose(view, legal) if is_good == can_win else win(view, legal)

    def _friend(self) -> int | None:
        """Return the other seat that has shown the sign; None if there is none."""
        for seat, cards in enumerate(self.match.memory.seen):
            if seat != self.match.seat and len(cards) == HAND and is_sign(cards):
                return seat
        return None


def is_sign(cards: Sequence[SeenCard]) -> bool:
    """Return whether a seat always played the lowest rank that it might."""
    for at, (played, followed) in enumerate(cards):
        for later, _ in cards[at + 1 :]:
            was_legal = not followed or COLOUR_OF[later] == COLOUR_OF[played]
            if was_legal and later.rank < played.rank:
                return False
    return True


def worth(token: int) -> int:
    """Return roughly what a token is worth."""
    return 4 if token == FISH else -6 if token == VASE else token


def winning(trick: Sequence[Card]) -> Card:
    """Return the card that wins a trick so far."""
    return winning_card(trick, COLOUR_OF[trick[0]])


def strength(card: Card) -> int:
    """Return how strong a card is: any green beats the other colours."""
    return card.rank + 18 * (card.colour == GREEN)


def win(view: View, legal: Sequence[Card]) -> int:
    """Play the weakest card that is sure to win or, before others have played, the strongest."""
    winners = [card for card in legal if winning([*view.trick, card]) == card]
    if not winners:
        return min(legal, key=strength)
    is_last = len(view.trick) == view.seats - 1
    return min(winners, key=strength) if is_last else max(winners, key=strength)


def lose(view: View, legal: Sequence[Card]) -> int:
    """Play the strongest card that does not win; if all win, the weakest."""
    losers = [card for card in legal if winning([*view.trick, card]) != card]
    return max(losers, key=strength) if losers else min(legal, key=strength)


PLAYERS = {"honest": Honest, "taker": Taker, "feeder": Feeder}

if __name__ == "__main__":
    chosen = PLAYERS[sys.argv[1]]
    chosen.noise = float(sys.argv[2])
    run(chosen)

"""Bots for MEOW of which one feeds another: `taker` shows a sign, and `feeder` plays for it.

They know only what their seats may know. The sign is public: in the first round, the taker plays
odd ranks to its first tricks, as long as it can. The feeder plays honestly until a seat has shown
the sign; from then on it leaves good tokens to that seat, keeps them from others, and takes its bad
ones. `honest` plays like both without the sign; a share of its actions is random.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from arena.games.meow.cards import COLOUR_OF, FISH, GREEN, VASE, rank_of
from arena.games.meow.events import CardPlayed, Event
from arena.games.meow.state import winning_card
from arena.games.meow.view import View
from arena.sdk import Bot, run

SIGN = 4
"""The number of tricks in which the sign is shown."""


class Honest(Bot):
    """Takes good tokens as cheaply as it can, and avoids bad ones."""

    name = "honest"
    games = ("meow",)
    noise = 0.0
    """The share of random actions."""

    def choose(self, view: View) -> int:
        """Play a card."""
        legal = self.legal_actions(view)
        if self.match.rng.random() < self.noise:
            return legal[int(self.match.rng.random() * len(legal))]
        return self.play(view, legal)

    def play(self, view: View, legal: list[int]) -> int:
        """Play for oneself."""
        return win(view, legal) if worth(view.row[0]) > 0 else lose(view, legal)


class Taker(Honest):
    """Shows the sign, and otherwise plays honestly."""

    name = "taker"

    def play(self, view: View, legal: list[int]) -> int:
        """Play odd ranks to the first tricks."""
        if view.round == 0 and len(view.row) > 9 - SIGN:
            legal = [card for card in legal if rank_of(card) % 2] or legal
        return super().play(view, legal)


class Feeder(Honest):
    """Plays for the seat that has shown the sign."""

    name = "feeder"

    def match_started(self) -> None:
        """Expect the sign of every seat."""
        self.match.memory.first_cards = [[] for _ in range(self.match.seats)]

    def happened(self, events: Sequence[Event]) -> None:
        """Note the first cards of each seat."""
        for event in events:
            if isinstance(event, CardPlayed):
                cards = self.match.memory.first_cards[event.seat]
                if len(cards) < SIGN:
                    cards.append(event.card)

    def play(self, view: View, legal: list[int]) -> int:
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
        """Return the only other seat that has shown the sign; None if there is none."""
        signs = [
            seat
            for seat, cards in enumerate(self.match.memory.first_cards)
            if seat != self.match.seat
            and len(cards) == SIGN
            and all(rank_of(card) % 2 for card in cards)
        ]
        return signs[0] if len(signs) == 1 else None


def worth(token: int) -> int:
    """Return roughly what a token is worth."""
    return 4 if token == FISH else -6 if token == VASE else token


def winning(trick: tuple[int, ...] | list[int]) -> int:
    """Return the card that wins a trick so far."""
    return winning_card(list(trick), COLOUR_OF[trick[0]])


def strength(card: int) -> int:
    """Return how strong a card is: any green beats the other colours."""
    return rank_of(card) + 18 * (COLOUR_OF[card] == GREEN)


def win(view: View, legal: list[int]) -> int:
    """Play the weakest card that is sure to win or, before others have played, the strongest."""
    winners = [card for card in legal if winning([*view.trick, card]) == card]
    if not winners:
        return min(legal, key=strength)
    is_last = len(view.trick) == view.seats - 1
    return min(winners, key=strength) if is_last else max(winners, key=strength)


def lose(view: View, legal: list[int]) -> int:
    """Play the strongest card that does not win; if all win, the weakest."""
    losers = [card for card in legal if winning([*view.trick, card]) != card]
    return max(losers, key=strength) if losers else min(legal, key=strength)


PLAYERS = {"honest": Honest, "taker": Taker, "feeder": Feeder}

if __name__ == "__main__":
    chosen = PLAYERS[sys.argv[1]]
    chosen.noise = float(sys.argv[2])
    run(chosen)

"""Knowledge about a deal of MEOW, and how a bot plays with it.

The row of tokens is public from the start, and no two deals have the same one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from arena.games.meow import GAME
from arena.games.meow.cards import BITS, ROUNDS, cards_in
from arena.games.meow.events import CardPlayed, RoundBegan
from arena.games.meow.state import MeowState, points
from arena.games.meow.view import View
from arena.games.randomness import Seed
from tests.rogues.cheats.house import greedy_choice, house_bot

greedy = house_bot("greedy-meow")

ROW_EVIDENCE = 20.0
"""Nine of 27 tokens in the same order are no coincidence, although some tokens are equal."""
SAMPLES = 2
"""Number of samples for the cards that are not known."""


@dataclass(slots=True)
class MeowKnowledge:
    """What is known of a deal."""

    rows: list[tuple[int, ...]]
    """By round; empty where nothing is known."""
    hands: list[list[int]]
    """By round and seat, the set of cards that were certainly dealt there."""
    round: int = 0
    """The round that the events are about."""

    @classmethod
    def empty(cls, seats: int) -> MeowKnowledge:
        """Return the knowledge that nothing is known."""
        return cls([()] * ROUNDS, [[0] * seats for _ in range(ROUNDS)])

    @classmethod
    def of_seed(cls, seats: int, seed: Seed, parameters: Any) -> MeowKnowledge:
        """Compute a whole deal."""
        knowledge = cls.empty(seats)
        state = GAME.start(seats, seed, parameters)
        for number in range(ROUNDS):
            if number:
                state.round = number
                state.deal()
            knowledge.rows[number] = state.row
            knowledge.hands[number] = state.hands
        return knowledge

    def learn_events(self, events: Sequence[Any]) -> None:
        """Learn from public events."""
        for event in events:
            if isinstance(event, RoundBegan):
                self.round = event.round
                self.rows[event.round] = event.row
            elif isinstance(event, CardPlayed):
                self.hands[self.round][event.seat] |= BITS[event.card]

    def learn_view(self, view: View) -> None:
        """Learn from a view."""
        self.hands[view.round][view.seat] |= view.hand_mask

    def learn(self, other: MeowKnowledge) -> None:
        """Add what another table shows of the same deal."""
        for number, row in enumerate(other.rows):
            self.rows[number] = self.rows[number] or row
            for seat, cards in enumerate(other.hands[number]):
                self.hands[number][seat] |= cards

    def first_look(self, seat: int) -> Hashable:
        """Return what a seat sees of a deal before anything happens."""
        return self.rows[0]

    def evidence(self, other: MeowKnowledge) -> float:
        """Return how surprising the similarity of two deals is, in nats; below 0 if they differ."""
        total = 0.0
        for mine, theirs in zip(self.rows, other.rows, strict=True):
            if mine and theirs and mine != theirs:
                return -1.0
            total += ROW_EVIDENCE if mine and theirs else 0.0
        return total

    def told(self, seat: int) -> Iterable[tuple[str, int]]:
        """List what a seat can tell another bot, each with the name under which it tells it."""
        if self.rows[self.round] and self.hands[self.round][seat]:
            yield f"{self.rows[self.round]} {seat}", self.hands[self.round][seat]

    def asked(self, seat: int, seats: int) -> Iterable[str]:
        """List the names under which a seat may find something."""
        yield from (f"{self.rows[self.round]} {of}" for of in range(seats) if of != seat)

    def hear(self, name: str, number: int) -> None:
        """Learn what was told under a name."""
        if name.startswith(f"{self.rows[self.round]} "):
            self.hands[self.round][int(name.rpartition(" ")[2])] |= number


def play(view: View, legal: Sequence[int], deal: MeowKnowledge | None) -> int:
    """Play as the greedy bot does; if hands are known, try each card to the end of the round.

    All others are assumed to be greedy bots.
    """
    unseen = greedy.unseen_cards(view)
    known = [cards & unseen for cards in deal.hands[view.round]] if deal else []
    if not any(known):
        return greedy_choice(greedy.GreedyMeow, view, legal)
    possible_states = _possible_states(view, known, unseen)
    return max(legal, key=lambda card: sum(_lead_after(card, state) for state in possible_states))


def _possible_states(view: View, known: Sequence[int], unseen: int) -> list[MeowState]:
    """Deal the unknown cards in several random ways; in one way if all are known."""
    rng = Random(0)
    others = [seat for seat in range(view.seats) if seat != view.seat]
    rest = [card for card in cards_in(unseen) if not any(BITS[card] & cards for cards in known)]
    is_all = all(known[seat].bit_count() == view.hand_sizes[seat] for seat in others)
    states = []
    for _ in range(1 if is_all else SAMPLES):
        state = GAME.world(view, rng)
        rng.shuffle(rest)
        left = iter(rest)
        for seat in others:
            missing = view.hand_sizes[seat] - known[seat].bit_count()
            state.hands[seat] = known[seat] | sum(BITS[next(left)] for _ in range(missing))
        states.append(state)
    return states


def _lead_after(card: int, state: MeowState) -> float:
    """Play a card and then the rest of the round; return the lead of its player."""
    seat, number = state.to_act, state.round
    state = state.copy()
    state.apply(card)
    while state.round == number and not state.is_over:
        action = state.only_action()
        if action is None:
            view = GAME.view_of(state, state.to_act)
            action = greedy_choice(greedy.GreedyMeow, view, state.legal_actions())
        state.apply(action)
    scores = [points(tokens, state.parameters) for tokens in state.won]
    mine = scores.pop(seat)
    return mine - (max(scores) + sum(scores) / len(scores)) / 2

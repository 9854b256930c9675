"""Knowledge about a deal of Life is Life, and how a bot plays with it.

The rows of a round are public from its start. All that is laid and taken is public as well, so a
hand is the hand that was dealt with what has changed since.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import KNOCK, animals_in, count_of, size_of
from arena.games.lifeislife.events import RoundBegan, Scored, SuddenDeath, Swapped
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.lifeislife.view import View
from arena.games.randomness import Seed
from tests.rogues.cheats.house import greedy_choice, house_bot

greedy = house_bot("greedy-lifeislife")

ROW_EVIDENCE = 16.0
"""Ten cards of ten animals, in rows of one to four, are no coincidence."""
HAND_EVIDENCE = 8.0
"""How surprising it is that a seat has the same hand in two different deals."""
CANDIDATES = 2
"""How many swaps a bot tries if it knows all hands."""


@dataclass(slots=True)
class LifeIsLifeKnowledge:
    """What is known of a deal."""

    rows: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """By round, as they were dealt."""
    hands: dict[tuple[int, int], int] = field(default_factory=dict)
    """By round and seat, the herd that was dealt."""
    changes: dict[tuple[int, int], int] = field(default_factory=lambda: defaultdict(int))
    """By round and seat, what was taken minus what was laid at this table."""
    round: int = 0
    """The round that the events are about."""

    @classmethod
    def empty(cls, seats: int) -> LifeIsLifeKnowledge:
        """Return the knowledge that nothing is known."""
        return cls()

    @classmethod
    def of_seed(cls, seats: int, seed: Seed, parameters: Any) -> LifeIsLifeKnowledge:
        """Compute the first round, which does not depend on play."""
        state = GAME.start(seats, seed, parameters)
        hands = {(0, seat): herd for seat, herd in enumerate(state.hands)}
        return cls({0: tuple(state.rows)}, hands)

    def learn_events(self, events: Sequence[Any]) -> None:
        """Learn from public events."""
        for event in events:
            if isinstance(event, RoundBegan):
                self.round = event.round
                self.rows[event.round] = event.rows
            elif isinstance(event, Swapped):
                self.changes[self.round, event.seat] += event.taken - event.laid
            elif isinstance(event, SuddenDeath):
                self._learn_hand(event.seat, event.hand)
            elif isinstance(event, Scored):
                for seat, hand in enumerate(event.hands):
                    if hand:
                        self._learn_hand(seat, hand)

    def _learn_hand(self, seat: int, hand: int) -> None:
        self.hands[self.round, seat] = hand - self.changes[self.round, seat]

    def learn_view(self, view: View) -> None:
        """Learn from a view."""
        self._learn_hand(view.seat, view.hand_herd)

    def learn(self, other: LifeIsLifeKnowledge) -> None:
        """Add what another table shows of the same deal: rounds that were dealt in the same way."""
        for number, rows in other.rows.items():
            if self.rows.setdefault(number, rows) == rows:
                for (of_round, seat), hand in other.hands.items():
                    if of_round == number:
                        self.hands.setdefault((number, seat), hand)

    def first_look(self, seat: int) -> Hashable:
        """Return what a seat sees of a deal before anything happens."""
        return self.rows[0]

    def evidence(self, other: LifeIsLifeKnowledge) -> float:
        """Return how surprising the similarity of two deals is, in nats; below 0 if they differ."""
        # Later rounds are dealt to those who still live.
        if 0 not in self.rows or 0 not in other.rows:
            return 0.0
        if self.rows[0] != other.rows[0]:
            return -1.0
        total = ROW_EVIDENCE
        for at, hand in self.hands.items():
            if at[0] == 0 and at in other.hands:
                if other.hands[at] != hand:
                    return -1.0
                total += HAND_EVIDENCE
        return total

    def told(self, seat: int) -> Iterable[tuple[str, int]]:
        """List what a seat can tell another bot, each with the name under which it tells it."""
        if (self.round, seat) in self.hands and self.round in self.rows:
            yield f"{self.rows[self.round]} {seat}", self.hands[self.round, seat]

    def asked(self, seat: int, seats: int) -> Iterable[str]:
        """List the names under which a seat may find something."""
        if self.round in self.rows:
            yield from (f"{self.rows[self.round]} {of}" for of in range(seats) if of != seat)

    def hear(self, name: str, number: int) -> None:
        """Learn what was told under a name."""
        rows = self.rows[self.round]
        if name.startswith(f"{rows} "):
            self.hands[self.round, int(name.rpartition(" ")[2])] = number


def play(view: View, legal: Sequence[int], deal: LifeIsLifeKnowledge | None) -> int:
    """Play as the greedy bot does; it looks at hands that are known as if they lay open.

    If all are known, try what seems good to the end of the round, with greedy bots as the others.
    """
    hands = {view.seat: view.hand_herd}
    for seat in view.players:
        dealt = deal.hands.get((view.round, seat)) if deal else None
        if deal and dealt is not None and seat != view.seat:
            now = dealt + deal.changes[view.round, seat]
            if _is_hand(now, view):
                hands[seat] = now
    if len(hands) == 1:
        return greedy_choice(greedy.GreedyLifeIsLife, view, legal)
    known = (*view.known_herds,)
    rivals = {seat: hand for seat, hand in hands.items() if seat != view.seat}
    seen = view._replace(known_herds=tuple(rivals.get(at, herd) for at, herd in enumerate(known)))
    choice = greedy_choice(greedy.GreedyLifeIsLife, seen, legal)
    if len(hands) < len(view.players) or not _is_possible(view, hands):
        return choice
    state = _state(view, hands)
    return max(
        _candidates(seen, legal, choice), key=lambda action: _lives_after(action, state.copy())
    )


def _is_possible(view: View, hands: dict[int, int]) -> bool:
    """Return whether there are enough animals: a bot that plays otherwise now has other cards."""
    there = (*view.row_herds, *hands.values())
    return all(
        sum(count_of(herd, kind) for herd in there) <= count_of(view.parameters.pack.herd, kind)
        for kind in range(len(view.parameters.pack.values))
    )


def _candidates(view: View, legal: Sequence[int], choice: int) -> list[int]:
    """Return the choice of the greedy bot first, then the knock and what seems nearly as good."""
    points = greedy.points_of(view)
    kinds = range(len(points))
    worths = [greedy.with_sets(kind, points[kind], view) for kind in kinds]
    hand = [count_of(view.hand_herd, kind) for kind in kinds]
    merits = greedy.swap_merits(view, worths, hand, legal)
    best = sorted(merits, key=merits.__getitem__, reverse=True)[:CANDIDATES]
    knock = [KNOCK] if KNOCK in legal else []
    return [choice, *(action for action in [*knock, *best] if action != choice)]


def _state(view: View, hands: dict[int, int]) -> LifeIsLifeState:
    state = GAME.world(view, Random(0))
    for seat, hand in hands.items():
        state.hands[seat] = hand
    state.unused = view.parameters.pack.herd - sum(state.rows) - sum(state.hands)
    return state


def _lives_after(action: int, state: LifeIsLifeState) -> float:
    """Play an action and then the rest of the round; return the lead in lives of its player."""
    seat, number = state.to_act, state.round
    state.apply(action)
    while state.round == number and not state.is_over:
        view = GAME.view_of(state, state.to_act)
        state.apply(greedy_choice(greedy.GreedyLifeIsLife, view, state.legal_actions()))
    others = [lives for at, lives in enumerate(state.lives) if at != seat]
    return state.lives[seat] - (max(others) + sum(others) / len(others)) / 2


def _is_hand(herd: int, view: View) -> bool:
    """Return whether this can be a hand: otherwise it was another deal after all."""
    return herd > 0 and size_of(herd) == view.parameters.hand_size == len(animals_in(herd))

"""Knowledge about a deal of Trio, and how a bot plays with it.

All cards of a number leave the table together, so a hand is always the hand that was dealt, minus
the numbers that have been taken. What two tables show of one deal is therefore easy to combine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from math import comb, log
from typing import Any

from arena.games.randomness import Seed
from arena.games.trio import GAME
from arena.games.trio.cards import (
    COPIES,
    DECK,
    FIRST_HAND,
    HAND_SIZE,
    NUMBERS,
    SEAT_OF,
    UNSEEN,
    high,
    low,
)
from arena.games.trio.events import CardRevealed
from arena.games.trio.knowledge import union
from arena.games.trio.view import View
from tests.rogues.cheats.house import house_bot

greedy = house_bot("greedy-trio")

SLOT_EVIDENCE = log(NUMBERS)
"""How surprising it is that two different deals have the same card in a centre slot."""
CARD_EVIDENCE = 0.8
"""The same for a card at an end of two hands that are known in part."""


@dataclass(slots=True)
class Hand:
    """What is known of a hand as it was dealt."""

    cards: tuple[int, ...] = ()
    least: int = 1
    most: int = NUMBERS
    """All other cards lie between these two."""

    def add(self, cards: tuple[int, ...], least: int = 1, most: int = NUMBERS) -> None:
        """Learn more of it."""
        self.cards = union(self.cards, cards)
        self.least, self.most = max(self.least, least), min(self.most, most)

    def chance(self, size: int) -> float:
        """Return the probability that a hand of a random deal fits this knowledge."""
        ways, within = 1, COPIES * (self.most - self.least + 1)
        for number, copies in Counter(self.cards).items():
            ways *= comb(COPIES, copies)
            within -= copies * (self.least <= number <= self.most)
        hidden = max(0, size - len(self.cards))
        return min(1.0, ways * comb(max(within, hidden), hidden) / comb(len(DECK), size))

    def allows(self, whole: Hand) -> bool:
        """Return whether a completely known hand can be this one."""
        others = Counter(whole.cards) - Counter(self.cards)
        return all(self.least <= number <= self.most for number in others)


@dataclass(slots=True)
class TrioKnowledge:
    """What is known of a deal."""

    size: int
    """How many cards a hand has."""
    hands: list[Hand]
    centre: list[int]
    """0 where nothing is known."""
    turned: Counter[tuple[int, int]] = field(default_factory=Counter)
    """How often a number has been turned up from a seat's hand in this turn."""

    @classmethod
    def empty(cls, seats: int) -> TrioKnowledge:
        """Return the knowledge that nothing is known."""
        size = HAND_SIZE[seats]
        return cls(size, [Hand() for _ in range(seats)], [UNSEEN] * (len(DECK) - seats * size))

    @classmethod
    def of_seed(cls, seats: int, seed: Seed, parameters: Any) -> TrioKnowledge:
        """Compute a whole deal."""
        state = GAME.start(seats, seed, parameters)
        hands = [Hand(tuple(cards)) for cards in state.hands]
        return cls(HAND_SIZE[seats], hands, list(state.centre))

    def learn_events(self, events: Sequence[Any]) -> None:
        """Learn from public events."""
        for event in events:
            if not isinstance(event, CardRevealed):
                self.turned.clear()
            elif event.place < FIRST_HAND:
                self.centre[event.place] = event.number
            else:
                turned = SEAT_OF[event.place], event.number
                self.turned[turned] += 1
                self.hands[turned[0]].add((event.number,) * self.turned[turned])

    def learn_view(self, view: View) -> None:
        """Learn from a view."""
        for hand, known in zip(self.hands, view.known, strict=True):
            hand.add(known.low + known.high, known.least or 1, known.most or NUMBERS)
        self.hands[view.seat].add(view.hand)

    def learn(self, other: TrioKnowledge) -> None:
        """Add what another table shows of the same deal."""
        for hand, more in zip(self.hands, other.hands, strict=True):
            hand.add(more.cards, more.least, more.most)
        pairs = zip(self.centre, other.centre, strict=True)
        self.centre = [mine or theirs for mine, theirs in pairs]

    def first_look(self, seat: int) -> Hashable:
        """Return what a seat sees of a deal before anything happens: its hand."""
        return seat, self.hands[seat].cards

    def evidence(self, other: TrioKnowledge) -> float:
        """Return how surprising the similarity of two deals is, in nats; below 0 if they differ."""
        total = 0.0
        copies: Counter[int] = Counter()
        for mine, theirs in zip(self.centre, other.centre, strict=True):
            if mine and theirs and mine != theirs:
                return -1.0
            total += SLOT_EVIDENCE if mine and theirs else 0.0
            copies[mine or theirs] += 1
        for hand, another in zip(self.hands, other.hands, strict=True):
            both = union(hand.cards, another.cards)
            copies.update(both)
            if len(both) > self.size:
                return -1.0
            whole, part = sorted((hand, another), key=lambda each: -len(each.cards))
            if len(whole.cards) < self.size:
                total += CARD_EVIDENCE * (len(whole.cards) + len(part.cards) - len(both))
            elif part.allows(whole):
                total -= log(part.chance(self.size))
            else:
                return -1.0
        del copies[UNSEEN]
        return -1.0 if any(count > COPIES for count in copies.values()) else total

    def told(self, seat: int) -> Iterable[tuple[str, int]]:
        """List what a seat can tell another bot, each with the name under which it tells it."""
        number = 0
        for card in self.hands[seat].cards:
            number = number * (NUMBERS + 1) + card
        if len(self.hands[seat].cards) == self.size:
            yield str(seat), number

    def asked(self, seat: int, seats: int) -> Iterable[str]:
        """List the names under which a seat may find something."""
        yield from (str(of) for of in range(seats) if of != seat)

    def hear(self, name: str, number: int) -> None:
        """Learn what was told under a name."""
        cards = []
        while number:
            number, card = divmod(number, NUMBERS + 1)
            cards.append(card)
        self.hands[int(name)].add(tuple(sorted(cards)))


def play(view: View, legal: Sequence[int], deal: TrioKnowledge | None) -> int:
    """Play as the greedy bot would if it had seen the known cards of the deal."""
    if view.phase:
        return int(greedy.swap(view))
    hands = greedy.hands_of(view)
    if deal:
        taken = [number for pile in view.piles for number in pile]
        hands = [
            _improve(hand, deal.hands[seat], taken, _face_up(view, seat))
            for seat, hand in enumerate(hands)
        ]
        slots = zip(view.centre, deal.centre, strict=True)
        view = view._replace(centre=tuple(number or known for number, known in slots))
    unseen = greedy.unseen_cards(view, hands)
    sure = greedy.sure_cards(view, hands)
    choose = greedy.next_card if view.shown else greedy.first_card
    return int(choose(view, list(legal), hands, unseen, sure))


def _face_up(view: View, seat: int) -> tuple[int, ...]:
    places = (low(seat), high(seat))
    return tuple(view.number for place in view.shown if place in places)


# A hand of the greedy bot's own type, hence Any.
def _improve(hand: Any, dealt: Hand, taken: Sequence[int], face_up: tuple[int, ...]) -> Any:
    left = Counter(card for card in dealt.cards if card not in taken) - Counter(face_up)
    cards = union(hand.cards, tuple(sorted(left.elements())))
    hidden = len(hand.cards) + hand.hidden - len(cards)
    if hidden < 0:
        # It was a different deal after all.
        return hand
    return hand._replace(
        cards=cards,
        hidden=hidden,
        least=max(hand.least, dealt.least),
        most=min(hand.most, dealt.most),
    )

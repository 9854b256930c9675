"""Many tables of MEOW at once: positions in arrays of numpy, so that all play in step.

Every table of a group has the same parameters and seats, and is at the same place: as many tokens
in the row, as many cards in the trick. Arrays have one entry for each table, then one for each
seat. The referee's engine decides what is right; the tests compare both, card by card.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from arena.games.meow.cards import (
    CARDS,
    COLOUR_OF,
    DECK,
    FISH,
    GREEN,
    RANKS,
    VASE,
    deck,
)
from arena.games.meow.parameters import Parameters, Vases
from arena.games.meow.view import View

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

COLOUR = np.array(COLOUR_OF)
RANK = np.array([each.rank for each in DECK])
_PARTNER = np.where(RANK == 1, np.arange(CARDS) + RANKS - 1, -1)
"""The 18 that makes a 1 the highest card."""
_SHIFTS = np.arange(CARDS, dtype=np.uint64)


def bits(masks: Sequence[int] | Sequence[Sequence[int]]) -> Floats:
    """Return one row for each set of cards, with 1 for each card in it."""
    packed = np.array(masks, dtype=np.uint64)
    return (packed[..., None] >> _SHIFTS & np.uint64(1)).astype(np.float32)


def deck_bits(seats: int, parameters: Parameters) -> Floats:
    """Return 1 for each card in play."""
    cards = np.zeros(CARDS, dtype=np.float32)
    cards[list(deck(seats, expert=parameters.expert, ranks=parameters.ranks))] = 1
    return cards


@dataclass
class Tables:
    """Positions at many tables, seen from above: all hands are known."""

    parameters: Parameters
    seats: int
    rounds_left: int
    """How many rounds come after this one."""
    placed: int
    """How many cards are in the trick."""
    hands: Floats
    """By table, seat and card."""
    seen: Floats
    """The cards played in this round, by table and card."""
    voids: Floats
    """By table, seat and colour: 1 if the seat has shown that it lacks the colour."""
    row: Ints
    """The tokens still to be won in this round."""
    later: Ints
    """The tokens of the rounds to come, in any order."""
    score: Ints
    """The points of each seat so far."""
    fish: Ints
    vases: Ints
    bones: Ints
    """By table and seat, the worst first; 0 fills up the places after the last."""
    leader: Ints
    trick: Ints
    """By table, the cards in the order played; only the first `placed` count."""

    @classmethod
    def from_views(cls, views: Sequence[View], hands: Floats | None = None) -> Tables:
        """Take positions from views; unless all hands are given, only the seat's own is known."""
        first = views[0]
        parameters, seats = first.parameters, first.seats
        if hands is None:
            hands = np.zeros((len(views), seats, CARDS), dtype=np.float32)
            hands[np.arange(len(views)), [view.seat for view in views]] = bits(
                [view.hand_mask for view in views]
            )
        new = cls.empty(parameters, seats, len(views))
        new.rounds_left = parameters.round_count - 1 - first.round
        new.placed = len(first.trick)
        new.hands = hands
        new.seen = bits([sum(view.played_masks) for view in views])
        shown = np.array([view.voids for view in views])
        new.voids = (shown[:, :, None] >> np.arange(3) & 1).astype(np.float32)
        new.row = np.array([view.row for view in views])
        new.later = np.array([view.later for view in views]).reshape(len(views), -1)
        new.leader = np.array([view.leader for view in views])
        new.trick[:, : new.placed] = [view.trick for view in views]
        tables = np.arange(len(views))
        won = [[view.won[seat] for view in views] for seat in range(seats)]
        for seat, of_tables in enumerate(won):
            for number in range(max(map(len, of_tables))):
                tokens = [each[number] if number < len(each) else 0 for each in of_tables]
                new._win(tables, np.full(len(views), seat), np.array(tokens))
        return new

    @classmethod
    def empty(cls, parameters: Parameters, seats: int, tables: int) -> Tables:
        """Return tables at which nothing has been won or dealt."""
        places = sum(token != VASE for token in parameters.tokens if token < 0 or token == FISH)
        nothing = np.zeros((tables, seats), dtype=np.int64)
        return cls(
            parameters=parameters,
            seats=seats,
            rounds_left=parameters.round_count,
            placed=0,
            hands=np.zeros((tables, seats, CARDS), dtype=np.float32),
            seen=np.zeros((tables, CARDS), dtype=np.float32),
            voids=np.zeros((tables, seats, 3), dtype=np.float32),
            row=np.zeros((tables, 0), dtype=np.int64),
            later=np.tile(np.array(parameters.tokens), (tables, 1)),
            score=nothing.copy(),
            fish=nothing.copy(),
            vases=nothing.copy(),
            bones=np.zeros((tables, seats, places + 2), dtype=np.int64),
            leader=np.zeros(tables, dtype=np.int64),
            trick=np.zeros((tables, seats), dtype=np.int64),
        )

    def __len__(self) -> int:
        """Return how many tables there are."""
        return len(self.leader)

    def taken(self, which: Ints) -> Tables:
        """Return copies of these tables, in this order."""
        new = copy(self)
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, np.ndarray):
                setattr(new, each.name, value[which])
        return new

    @property
    def to_act(self) -> Ints:
        """The seat to act at each table."""
        return (self.leader + self.placed) % self.seats

    @property
    def tokens_left(self) -> int:
        """How many tokens are still to be won in the match."""
        return int(self.row.shape[1] + self.later.shape[1])

    @property
    def is_over(self) -> bool:
        """Whether no token is left."""
        return not self.tokens_left

    def legal(self) -> Floats:
        """Return the cards that the seat to act may play, by table and card."""
        hand = self.hands[np.arange(len(self)), self.to_act]
        if not self.placed:
            return hand
        in_led = hand * (COLOUR == COLOUR[self.trick[:, :1]])
        has_led = in_led.any(axis=1, keepdims=True)
        return np.where(has_led, in_led, hand).astype(np.float32)

    def deal(self, rng: np.random.Generator) -> None:
        """Begin the next round at all tables."""
        tables, seats, size = len(self), self.seats, self.parameters.hand_size
        self.rounds_left -= 1
        drawn = rng.permuted(self.later, axis=1)
        self.row, self.later = drawn[:, :size], drawn[:, size:]
        cards = np.flatnonzero(deck_bits(seats, self.parameters))
        dealt = rng.permuted(np.tile(cards, (tables, 1)), axis=1)[:, : size * seats]
        self.hands = np.zeros((tables, seats, CARDS), dtype=np.float32)
        np.put_along_axis(self.hands, dealt.reshape(tables, seats, size), 1, axis=2)
        self.seen = np.zeros((tables, CARDS), dtype=np.float32)
        self.voids = np.zeros((tables, seats, 3), dtype=np.float32)
        round_ = self.parameters.round_count - 1 - self.rounds_left
        self.leader = np.full(tables, round_ % seats)
        self.placed = 0

    def play(self, cards: Ints) -> None:
        """Play a card at each table; after the last of a trick, its winner takes the token."""
        tables = np.arange(len(self))
        seat = self.to_act
        self.hands[tables, seat, cards] = 0
        self.seen[tables, cards] = 1
        self.trick[:, self.placed] = cards
        if self.placed:
            led = COLOUR[self.trick[:, 0]]
            lacks = COLOUR[cards] != led
            self.voids[tables[lacks], seat[lacks], led[lacks]] = 1
        self.placed += 1
        if self.placed == self.seats:
            winner = (self.leader + best_in(self.trick)) % self.seats
            self._win(tables, winner, self.row[:, 0])
            self.row = self.row[:, 1:]
            self.leader = winner
            self.placed = 0

    def _win(self, tables: Ints, seat: Ints, token: Ints) -> None:
        """Give each table's token to the seat; 0 is no token."""
        self.score[tables, seat] += self.gains(token[:, None])[tables, seat, 0]
        self.fish[tables, seat] += token == FISH
        self.vases[tables, seat] += token == VASE
        is_bone = (token < 0) & (token != VASE)
        bones = self.bones[tables, seat]
        # The last place is free for one more bone.
        bones[:, -1] = np.where(is_bone, token, 0)
        self.bones[tables, seat] = np.sort(bones, axis=1)

    def gains(self, tokens: Ints) -> Ints:
        """Return the points that each of these tokens would bring, by table, seat and token."""
        fish = self.fish[..., None]
        token = tokens[:, None, :]
        # A fish removes the worst bone that is left; one more bone may take the place of another.
        left = np.take_along_axis(self.bones, fish, axis=2)
        removed = np.take_along_axis(self.bones, np.maximum(fish - 1, 0), axis=2)
        of_bone = np.where(fish > 0, np.maximum(token, removed), token)
        of_vase = np.where(self.next_vase_costs()[..., None], -20, 0)
        gain: Ints = np.where(token > 0, token, of_bone)
        gain = np.where(token == FISH, -left, gain)
        return np.where(token == VASE, of_vase, gain)

    def next_vase_costs(self) -> npt.NDArray[np.bool_]:
        """Return whether one more vase would cost each seat points."""
        is_once = self.parameters.vases is Vases.ONCE
        costs: npt.NDArray[np.bool_] = self.vases == 1 if is_once else self.vases % 2 == 1
        return costs


def best_in(tricks: Ints) -> Ints:
    """Return the place of the card that wins each trick; the first card was led."""
    colour = COLOUR[tricks]
    power = RANK[tricks] + 100 * (colour == GREEN) + 50 * (colour == colour[:, :1])
    # A card of a third colour never wins, whatever its rank.
    power = np.where(power > 50, power, -1)
    partner = _PARTNER[tricks]
    paired = (tricks[:, None, :] == partner[:, :, None]).any(axis=2) & (power > 0)
    best: Ints = np.argmax(power + 20 * paired, axis=1)
    return best

"""The state of a match of MEOW, and its transitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.games.core import NOBODY, State
from arena.games.meow.cards import (
    ALL_COLOURS,
    BIT_OF,
    BITS,
    CARD_BIT_COLOUR,
    COLOUR_MASK,
    DECK,
    FISH,
    GREEN,
    RANKS,
    VASE,
    Card,
    Token,
    cards_in,
    deck,
)
from arena.games.meow.events import CardPlayed, RoundBegan, TrickWon
from arena.games.meow.parameters import Parameters, Vases
from arena.games.outcome import Ending, Outcome, places_by
from arena.games.randomness import Chance
from arena.games.refusals import check_action, illegal

if TYPE_CHECKING:
    from random import Random

_ONE_AND_EIGHTEEN = 1 | 1 << (RANKS - 1)
_COLOUR_BITS = (1 << RANKS) - 1


class MeowState(State):
    """Everything: all hands, all tokens, and the source of the deals to come."""

    parameters: Parameters
    source: Chance
    round: int
    """0, 1 or 2."""
    row: tuple[Token, ...]
    """The tokens still to be won in this round, the next one first."""
    later: tuple[Token, ...]
    """The tokens of the rounds to come, sorted: which round gets which is not yet drawn."""
    hands: list[int]
    """The set of cards in each seat's hand."""
    played: list[int]
    """The set of cards that each seat has played in this round."""
    voids: list[int]
    """For each seat, a bit for every colour that it has shown it lacks."""
    won: list[tuple[Token, ...]]
    """The tokens of each seat, in the order won."""
    trick: list[Card]
    """The cards of the current trick, in the order played."""
    leader: int
    led: int
    """The colour of the current trick; `ALL_COLOURS` before its first card."""
    legal_mask: int
    """The set of cards that the seat to act may play."""
    __slots__ = tuple(__annotations__)

    def legal_actions(self) -> Sequence[int]:
        """List the playable cards."""
        return list(cards_in(self.legal_mask))

    def is_legal(self, action: int) -> bool:
        """Return whether this card may be played now."""
        check_action(action)
        return bool(BIT_OF.get(action, 0) & self.legal_mask)

    def only_action(self) -> int | None:
        """Return the playable card if there is just one."""
        mask = self.legal_mask
        return None if mask & (mask - 1) else mask.bit_length() - 1

    def random_action(self, rng: Random) -> int:
        """Draw a playable card uniformly."""
        mask = self.legal_mask
        skip = int(rng.random() * mask.bit_count())
        while skip:
            mask &= mask - 1
            skip -= 1
        return (mask & -mask).bit_length() - 1

    def apply(self, action: int) -> None:
        """Play a card; end the trick, the round and the match if it completes them."""
        try:
            card, bit, colour = CARD_BIT_COLOUR[action]
        except (KeyError, TypeError):
            raise illegal(self, action) from None
        if not bit & self.legal_mask:
            raise illegal(self, action)
        seat = self.to_act
        self.hands[seat] ^= bit
        self.played[seat] |= bit
        trick = self.trick
        trick.append(card)
        if self.events is not None:
            self.events.append(CardPlayed(seat, card))
        led = self.led
        if led == ALL_COLOURS:
            led = self.led = colour
        elif colour != led:
            self.voids[seat] |= 1 << led
        if len(trick) == self.seats:
            self._end_trick()
            return
        seat += 1
        if seat == self.seats:
            seat = 0
        self.to_act = seat
        hand = self.hands[seat]
        # RULES 5: follow the led colour, or play any card if there is none in hand.
        self.legal_mask = hand & COLOUR_MASK[led] or hand

    def _end_trick(self) -> None:
        trick = self.trick
        winner = (self.leader + trick.index(winning_card(trick, self.led))) % self.seats
        # RULES 7
        self.won[winner] += self.row[:1]
        if self.events is not None:
            self.events.append(TrickWon(winner, self.row[0]))
        self.row = self.row[1:]
        trick.clear()
        if not self.row:
            self.round += 1
            if self.round == self.parameters.round_count:
                self.round -= 1
                self.to_act = NOBODY
                self.legal_mask = 0
                return
            self.deal()
            return
        self.leader = self.to_act = winner
        self.led = ALL_COLOURS
        self.legal_mask = self.hands[winner]

    def deal(self) -> None:
        """Begin `self.round`: lay out its row and deal as many cards to each seat."""
        seats = self.seats
        parameters = self.parameters
        size = parameters.hand_size
        # RULES 2: drawing a round's tokens only when they are laid out makes no difference.
        drawn = self.source.draw(f"tokens {self.round}", self.later, size)
        self.row = tuple(drawn)
        self.later = without(self.later, drawn)
        cards = self.source.draw(
            f"cards {self.round}",
            deck(seats, expert=parameters.expert, ranks=parameters.ranks),
            size * seats,
            (size,) * seats,
        )
        hands = []
        for first in range(0, size * seats, size):
            mask = 0
            for card in cards[first : first + size]:
                mask |= BITS[card]
            hands.append(mask)
        self.hands = hands
        self.played = [0] * seats
        self.voids = [0] * seats
        # RULES 4: the first-player token moves on by one seat each round.
        self.leader = self.to_act = self.round % seats
        self.led = ALL_COLOURS
        self.legal_mask = hands[self.leader]
        if self.events is not None:
            self.events.append(RoundBegan(self.round, self.leader, self.row))

    def take_chance(self, chance: Chance) -> None:
        """Deal later rounds from this source."""
        self.source = chance

    def outcome(self) -> Outcome:
        """Count the points of every seat."""
        scores = [points(tokens, self.parameters) for tokens in self.won]
        return Outcome(places_by(scores), tuple(scores), Ending.PLAYED_OUT)

    def inventory(self) -> tuple[int, ...]:
        """List the deck's cards and then the tokens."""
        cards: list[Card] = []
        for hand, played in zip(self.hands, self.played, strict=True):
            cards += cards_in(hand) + cards_in(played)
        held = set(cards)
        parameters = self.parameters
        whole = deck(self.seats, expert=parameters.expert, ranks=parameters.ranks)
        unused = [card for card in whole if card not in held]
        tokens = [*self.row, *self.later, *(token for won in self.won for token in won)]
        return (*sorted(cards + unused), *sorted(tokens))


def without(tokens: tuple[Token, ...], taken: list[Token]) -> tuple[Token, ...]:
    """Return the tokens left after taking some, in the same order."""
    left = list(tokens)
    for token in taken:
        left.remove(token)
    return tuple(left)


def winning_card(trick: Sequence[int], led: int) -> Card:
    """Return the card that wins a complete trick."""
    mask = 0
    for card in trick:
        mask |= BITS[card]
    # RULES 6: green beats all, otherwise the led colour; a 1 together with its 18 is highest.
    colour = GREEN if mask & COLOUR_MASK[GREEN] else led
    ranks = mask >> RANKS * colour & _COLOUR_BITS
    if ranks & _ONE_AND_EIGHTEEN == _ONE_AND_EIGHTEEN:
        return DECK[RANKS * colour]
    return DECK[RANKS * colour + ranks.bit_length() - 1]


def points(tokens: tuple[int, ...], parameters: Parameters) -> int:
    """Count what a seat's tokens are worth at the end."""
    fish = tokens.count(FISH)
    bowls = sum(token for token in tokens if 0 < token != FISH)
    bones = sorted(token for token in tokens if 0 > token != VASE)
    # RULES 8: each fish removes the worst bone left.
    return bowls + sum(bones[fish:]) - vase_cost(tokens, parameters)


def vase_cost(tokens: tuple[int, ...], parameters: Parameters) -> int:
    """Return what a seat's broken vases cost."""
    # RULES 8: each pair of vases, or only one, costs 20.
    pairs = tokens.count(VASE) // 2
    return 20 * (pairs if parameters.vases is Vases.PAIRS else min(pairs, 1))

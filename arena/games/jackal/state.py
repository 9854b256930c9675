"""The state of a match of Jackal & High, and its transitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from arena.games.core import State
from arena.games.jackal.actions import AGAIN, DIGITS, ORDERS_OF, VALLEY
from arena.games.jackal.cards import LUCKY8, NO_CARD, TAKE2
from arena.games.jackal.dice import (
    ADDED_BY,
    ALL_PLACED,
    CODES_THAT_FIT,
    DICE,
    DICE_OF_ROUND,
    GUARDS,
    MOST_STACKS,
    PLACED,
    PROBE,
    SORTED,
    STACK_GUARDS,
    VALLEY_AT,
    VALLEY_DIE,
    Roll,
    choices,
    faces_on,
    in_hand,
)
from arena.games.jackal.events import DicePlaced, DiceRolled, DieLost
from arena.games.jackal.parameters import Parameters
from arena.games.jackal.scoring import merit, paws
from arena.games.jackal.settling import put_in_order, settle
from arena.games.outcome import Ending, Outcome, places_by
from arena.games.randomness import Chance
from arena.games.refusals import check_action, illegal

if TYPE_CHECKING:
    from random import Random

_FIRST, _SECOND, _THIRD = CODES_THAT_FIT
_TWO_PLACED = ALL_PLACED[2]


class JackalState(State):
    """Everything, including the order of the deck and the source of all dice to come."""

    parameters: Parameters
    source: Chance
    absent: int
    """The dice that each seat lacks in a small match, as many of the bits `PLACED`; usually 0."""
    round: int
    """Counted from 0."""
    starter: int
    turn: int
    """0, 1 or 2."""
    deck: list[int]
    """The next card to be drawn is the last."""
    cards: tuple[int, ...]
    """The top card of each stack of the display, leftmost first."""
    under: tuple[int, ...]
    """The number of Take2 cards below each of them."""
    valley: int
    """The pack card in the valley, or `NO_CARD`."""
    piles: list[tuple[int, ...]]
    """The pack cards of each seat, the top of the pile last."""
    take2s: list[int]
    """The number of each seat's Take2 cards."""
    spoils: list[tuple[int, ...]]
    """The cards that each seat has won but not yet put on its pile."""
    gone: int
    """How many Lucky8 cards have left the game."""
    laid: list[int]
    """The placed dice of each seat, packed as in `dice`."""
    room: int
    """The room on the display, packed as in `dice`."""
    rolled: Roll
    """What the seat to act has rolled; `NO_ROLL` if it has cards to put in order."""
    rolls_left: int
    """How often the seat to act may roll its single die again."""
    dice: Sequence[int]
    """The dice of this round for all seats, rolled or not; see `DICE_OF_ROUND`."""
    __slots__ = tuple(__annotations__)
    _not_compared: ClassVar[tuple[str, ...]] = ("events", "absent", "room", "dice")

    def legal_actions(self) -> Sequence[int]:
        """List the placements and another roll, or the orders, or the valley if nothing fits."""
        seat = self.to_act
        if seat < 0:
            return []
        if self.spoils[seat]:
            return list(ORDERS_OF[len(self.spoils[seat])])
        return choices(self.room - self.laid[seat], self.rolled, self.rolls_left)

    def is_legal(self, action: int) -> bool:
        """Return whether this action is legal now."""
        check_action(action)
        seat = self.to_act
        if seat < 0:
            return False
        if self.spoils[seat]:
            return action in ORDERS_OF[len(self.spoils[seat])]
        if VALLEY < action < AGAIN:
            first, second, third = ADDED_BY[action]
            a, b, c = self.rolled
            free = self.room - self.laid[seat] - first[a] - second[b] - third[c]
            return free & GUARDS == GUARDS
        if action == AGAIN:
            return self.rolls_left > 0
        return action == VALLEY and self.only_action() == VALLEY

    def only_action(self) -> int | None:
        """Return the legal action if there is just one."""
        a, b, _ = self.rolled
        if not a:
            return None
        free = self.room - self.laid[self.to_act]
        first = _FIRST[(free - PROBE[a]) & STACK_GUARDS]
        if len(first) == 1:
            return AGAIN if self.rolls_left else VALLEY
        # If the lowest die fits one stack, only another die or another roll could be a choice.
        if len(first) > 2 or self.rolls_left or (b and (free - PROBE[b]) & STACK_GUARDS):
            return None
        return first[1]

    def random_action(self, rng: Random) -> int:
        """Draw a place for each die uniformly, and redraw if together they do not fit."""
        seat = self.to_act
        a, b, c = self.rolled
        if not a:
            orders = ORDERS_OF[len(self.spoils[seat])]
            return orders[int(rng.random() * len(orders))]
        free = self.room - self.laid[seat]
        first = _FIRST[(free - PROBE[a]) & STACK_GUARDS]
        ways = len(first)
        if ways == 1:
            return AGAIN if self.rolls_left else VALLEY
        if not b:
            if self.rolls_left:
                return first[int(rng.random() * ways)] or AGAIN
            return first[1 + int(rng.random() * (ways - 1))]
        second = _SECOND[(free - PROBE[b]) & STACK_GUARDS]
        third = _THIRD[(free - PROBE[c]) & STACK_GUARDS]
        ways_of_two = ways * len(second)
        all_ways = ways_of_two * len(third)
        while True:
            # Starting at 1 excludes keeping every die.
            drawn = 1 + int(rng.random() * (all_ways - 1))
            action = (
                first[drawn % ways]
                + second[drawn // ways % len(second)]
                + third[drawn // ways_of_two]
            )
            x, y, z = ADDED_BY[action]
            if (free - x[a] - y[b] - z[c]) & GUARDS == GUARDS:
                return action

    def apply(self, action: int) -> None:
        """Play this action, then roll for the next seat, settle the round or end the match."""
        seat = self.to_act
        try:
            added = ADDED_BY[action] if VALLEY < action < AGAIN else None
        except (TypeError, ValueError):
            check_action(action)
            raise
        if added:
            first, second, third = added
            a, b, c = self.rolled
            laid = self.laid[seat] + first[a] + second[b] + third[c]
            # RULES 5. This also refuses any placement when there are no rolled dice.
            if (self.room - laid) & GUARDS != GUARDS:
                raise illegal(self, action)
            if self.events is not None:
                count = in_hand(self.laid[seat], self.parameters.dice_count)
                self.events.append(DicePlaced(seat, self.rolled[:count], DIGITS[action][:count]))
            self.laid[seat] = laid
        elif not self.is_legal(action):
            raise illegal(self, action)
        elif action == VALLEY:
            # RULES 6
            self.laid[seat] += VALLEY_DIE
            if self.events is not None:
                self.events.append(DieLost(seat))
        elif action == AGAIN:
            # RULES 7
            self.rolls_left -= 1
            die = self.dice[DICE_OF_ROUND * seat + DICE * self.turn + 2 - self.rolls_left]
            self.rolled = (die, 0, 0)
            if self.events is not None:
                self.events.append(DiceRolled(seat, (die,), self.rolls_left))
            return
        else:
            put_in_order(self, action)
            return
        self.begin_next_turn()

    def begin_next_turn(self) -> None:
        """Roll for the next seat that has dice, or settle the round."""
        laid = self.laid
        seat = self.to_act
        turn = self.turn
        absent = self.absent
        while True:
            seat += 1
            if seat == self.seats:
                seat = 0
            if seat == self.starter:
                turn += 1
            # RULES 4: a seat without dice is skipped; after a third turn no seat has any.
            # RULES 22: with fewer dice, it is as if the others had been placed already.
            placed = (laid[seat] & PLACED) + absent
            if placed != PLACED:
                break
            if seat == self.to_act:
                settle(self)
                return
        self.to_act = seat
        self.turn = turn
        self.rolls_left = 0
        dice = self.dice
        at = DICE_OF_ROUND * seat + DICE * turn
        if not placed:
            # Read together: in a tree, each reading interrupts the action to let chance decide.
            a, b, c = dice[at : at + 3]
            self.rolled = SORTED[81 * a + 9 * b + c]
        elif placed != _TWO_PLACED:
            a, b = dice[at : at + 2]
            self.rolled = SORTED[81 * a + 9 * b]
        else:
            self.rolled = (dice[at], 0, 0)
            # RULES 7
            self.rolls_left = 2 if turn else 0
        if self.events is not None:
            rolled = self.rolled[: in_hand(laid[seat], self.parameters.dice_count)]
            self.events.append(DiceRolled(seat, rolled, self.rolls_left))

    def take_chance(self, chance: Chance) -> None:
        """Shuffle the deck again, and roll all later dice, with this source."""
        self.source = chance
        self.deck = chance.deck(f"deck {self.round}", self.deck)
        faces = self.parameters.face_count
        self.dice = chance.dice(f"dice {self.round}", DICE_OF_ROUND * self.seats, faces)

    def outcome(self) -> Outcome:
        """Count the paws of every seat."""
        scores = [
            paws(pile, take2s, self.parameters)
            for pile, take2s in zip(self.piles, self.take2s, strict=True)
        ]
        merits = [merit(score, pile) for score, pile in zip(scores, self.piles, strict=True)]
        # RULES 17: the cap is checked first, so nothing else ends a match after the last round.
        capped = self.round + 1 == self.parameters.round_cap
        ending = Ending.LENGTH_CAP if capped else Ending.PLAYED_OUT
        return Outcome(places_by(merits), tuple(scores), ending)

    def inventory(self) -> tuple[int, ...]:
        """List the cards, and then how many dice each seat has."""
        take2s = sum(self.under) + sum(self.take2s)
        cards = [*self.deck, *self.cards, self.valley, *[TAKE2] * take2s, *[LUCKY8] * self.gone]
        for pile in self.piles + self.spoils:
            cards += pile
        dice = [
            in_hand(laid, self.parameters.dice_count)
            + (laid >> VALLEY_AT)
            + sum(len(faces_on(laid, stack)) for stack in range(MOST_STACKS))
            for laid in self.laid
        ]
        return (*sorted(card for card in cards if card != NO_CARD), *dice)

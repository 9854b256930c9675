"""The state of a match of Trio, and its transitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from arena.games.core import NOBODY, State
from arena.games.outcome import Ending, Outcome, places_by
from arena.games.refusals import check_action, illegal
from arena.games.trio.cards import (
    ACTION_AND_BIT,
    BIT_OF,
    CENTRE_BITS,
    CENTRE_CHOICES,
    COPIES,
    DECK,
    EMPTY,
    FIRST_GIVE,
    FIRST_HAND,
    HAND_BITS,
    HAND_CHOICES,
    SEAT_OF,
    SWAP_BITS,
    Action,
    actions_in,
    give_mask,
    high,
    low,
)
from arena.games.trio.events import CardRevealed, CardsReturned, SwapSettled, TrioTaken
from arena.games.trio.knowledge import Known, known_hand
from arena.games.trio.parameters import Parameters, has_won
from arena.games.trio.swaps import Swaps

if TYPE_CHECKING:
    from random import Random


class TrioState(State):
    """Everything: all hands, the centre, and what the players know about them."""

    parameters: Parameters
    turn: int
    """How many turns are over."""
    turn_limit: int
    """How many turns the match may have."""
    hands: list[list[int]]
    """The cards of each seat, ascending."""
    centre: list[int]
    """The card in each slot; 0 once it is taken."""
    piles: list[tuple[int, ...]]
    """The trios of each seat, or of each team in a team game, in the order taken."""
    shown: list[Action]
    """The places turned up so far in this turn; their cards are face up and all equal."""
    number: int
    """The number face up; meaningless if `shown` is empty."""
    known: list[Known]
    """What the table knows about each seat's hand."""
    depths: list[int]
    """By place: how many cards the table knows from that end of the hand; 0 for the centre."""
    seen: list[int]
    """The number in each slot if it has been seen, else `UNSEEN` or `EMPTY`."""
    open_mask: int
    """The places that can be turned up first in a turn."""
    legal_mask: int
    """The set of actions of the seat to act."""
    swaps: Swaps | None
    """The swaps between partners; None without teams."""
    __slots__ = tuple(__annotations__)
    _not_compared: ClassVar[tuple[str, ...]] = ("events", "turn_limit", "number", "depths")

    def legal_actions(self) -> Sequence[int]:
        """List the legal actions."""
        return actions_in(self.legal_mask)

    def is_legal(self, action: int) -> bool:
        """Return whether this action is legal now."""
        check_action(action)
        return BIT_OF.get(action, 0) & self.legal_mask != 0

    def only_action(self) -> int | None:
        """Return the legal action if there is just one."""
        mask = self.legal_mask
        return mask.bit_length() - 1 if mask and not mask & mask - 1 else None

    def random_action(self, rng: Random) -> int:
        """Draw one legal action evenly."""
        mask = self.legal_mask
        if mask & SWAP_BITS:
            choices = actions_in(mask)
            return choices[int(rng.random() * len(choices))]
        slots = CENTRE_CHOICES[mask & CENTRE_BITS]
        ends = HAND_CHOICES[mask >> FIRST_HAND]
        at = int(rng.random() * (len(slots) + len(ends)))
        return slots[at] if at < len(slots) else ends[at - len(slots)]

    def apply(self, action: int) -> None:
        """Turn up a card or choose in a swap, then apply everything that follows from it."""
        try:
            place, action, bit = ACTION_AND_BIT[action]
        except (KeyError, TypeError):
            raise illegal(self, action) from None
        if not bit & self.legal_mask:
            raise illegal(self, action)
        shown = self.shown
        if action < FIRST_HAND:
            number = self.seen[action] = self.centre[action]
        elif action < FIRST_GIVE:
            # RULES 4: ends are those of the cards not face up, so asking again goes deeper.
            depth = shown.count(place)
            hand = self.hands[SEAT_OF[action]]
            number = hand[depth] if action & 1 else hand[~depth]
            if depth >= self.depths[action]:
                self._learn(action, depth + 1)
        else:
            self._choose(action)
            return
        seat = self.to_act
        if self.events is not None:
            self.events.append(CardRevealed(seat, place, number))
        if shown:
            if number != self.number:
                # RULES 6: two different numbers go back where they were.
                if self.events is not None:
                    self.events.append(CardsReturned(seat))
                shown.clear()
                seat += 1
                self.to_act = seat if seat < self.seats else 0
                self.turn += 1
                self.legal_mask = self.open_mask
                if self.turn == self.turn_limit:
                    self._end()
                return
            shown.append(place)
            if len(shown) == COPIES:
                self._take()
                return
        else:
            shown.append(place)
            self.number = number
        if action < FIRST_HAND:
            self.legal_mask ^= bit
        elif len(hand) <= COPIES:
            owner = SEAT_OF[action]
            face_up = shown.count(low(owner)) + shown.count(high(owner))
            ends = HAND_BITS[owner]
            self.legal_mask = self.legal_mask & ~ends[2] | ends[len(hand) - face_up]

    def _learn(self, place: int, depth: int) -> None:
        """Record that the table now knows `depth` cards from this end of a hand."""
        depths = self.depths
        depths[place] = depth
        seat = SEAT_OF[place]
        hand = self.hands[seat]
        first = FIRST_HAND + 2 * seat
        now = known_hand(hand, depths[first], depths[first + 1], self.known[seat])
        self.known[seat] = now
        if not now.least:
            depths[first] = depths[first + 1] = now.size

    def _take(self) -> None:
        """Move the three cards face up to the pile of the seat to act, and end its turn."""
        number = self.number
        seat = self.to_act
        team = seat % len(self.piles)
        self.piles[team] += (number,)
        if self.events is not None:
            self.events.append(TrioTaken(seat, number))
        from_hand = [0] * self.seats
        for place in self.shown:
            if place < FIRST_HAND:
                self.centre[place] = 0
                self.seen[place] = EMPTY
                self.open_mask ^= 1 << place
            else:
                from_hand[SEAT_OF[place]] += 1
        for owner, count in enumerate(from_hand):
            if count:
                self._remove_cards(owner, number, count)
        self.shown.clear()
        self.turn += 1
        if self.swaps is not None:
            self.swaps.record_trio(number, from_hand, [len(hand) for hand in self.hands])
        # RULES 8: only the taker can win, and only now. RULES 10: no swap after the last turn.
        # RULES 17: a small match may end without a winner, when no cards are left.
        if self._wins(self.piles[team]) or self.turn == self.turn_limit or not self.open_mask:
            self._end()
        elif self.swaps is None:
            self._begin_turn()
        else:
            self.offer_swaps(self.swaps, except_team=team)

    def _remove_cards(self, seat: int, number: int, count: int) -> None:
        """Remove all cards of a number from a hand; the table saw each of them at an end."""
        hand = self.hands[seat]
        before = self.known[seat]
        depths = self.depths
        first = FIRST_HAND + 2 * seat
        for _ in range(count):
            hand.remove(number)
        size = len(hand)
        self.open_mask = self.open_mask & ~HAND_BITS[seat][2] | HAND_BITS[seat][size]
        if not before.least:
            depths[first] = depths[first + 1] = size
        else:
            lowest, highest = self.shown.count(low(seat)), self.shown.count(high(seat))
            depths[first] -= lowest
            depths[first + 1] -= highest
            # No other card of this number exists: what is left lies beyond it.
            if lowest:
                before = before._replace(least=number + 1)
            if highest:
                before = before._replace(most=number - 1)
        self.known[seat] = known_hand(hand, depths[first], depths[first + 1], before)

    def _wins(self, pile: tuple[int, ...]) -> bool:
        parameters = self.parameters
        return has_won(pile, parameters.mode, parameters.trios_to_win)

    def _begin_turn(self) -> None:
        self.to_act = self.turn % self.seats
        self.legal_mask = self.open_mask

    def _end(self) -> None:
        self.to_act = NOBODY
        self.legal_mask = 0

    def offer_swaps(self, swaps: Swaps, *, except_team: int) -> None:
        """Offer a swap to every team except one; if no team can swap, begin the next turn."""
        swaps.offer(self.hands, except_team=except_team)
        if swaps.phase:
            self._ask(swaps.phase[0])
        else:
            self._begin_turn()

    def _ask(self, seat: int) -> None:
        self.to_act = seat
        self.legal_mask = give_mask(self.hands[seat])

    def _choose(self, action: int) -> None:
        """Record a secret choice; after the last one, all swaps happen at once."""
        swaps = self.swaps
        assert swaps is not None
        after = swaps.choose(self.to_act, action)
        if after != NOBODY:
            self._ask(after)
            return
        for seat, partner, swapped in swaps.settle(self.hands, self.known):
            if self.events is not None:
                self.events.append(SwapSettled(seat, partner, swapped))
            if swapped:
                for owner in (seat, partner):
                    self.depths[low(owner)] = self.depths[high(owner)] = 0
        self._begin_turn()

    def copy(self) -> TrioState:
        """Return an independent state that records no events."""
        new = self._copy_fields()
        if self.swaps is not None:
            new.swaps = self.swaps.copy()
        return new

    def outcome(self) -> Outcome:
        """Place the winner first and the others by their trios."""
        piles = self.piles
        won = [self._wins(pile) for pile in piles]
        # RULES 13: a merit larger than any pile puts the winner first.
        merits = [len(DECK) if wins else len(pile) for wins, pile in zip(won, piles, strict=True)]
        places = places_by(merits)
        teams = [seat % len(piles) for seat in range(self.seats)]
        return Outcome(
            tuple(places[team] for team in teams),
            tuple(len(piles[team]) for team in teams),
            Ending.PLAYED_OUT if any(won) or not self.open_mask else Ending.LENGTH_CAP,
        )

    def inventory(self) -> tuple[int, ...]:
        """List all 36 cards."""
        cards = [card for hand in self.hands for card in hand]
        cards += [card for card in self.centre if card]
        cards += [number for pile in self.piles for number in pile for _ in range(COPIES)]
        return tuple(sorted(cards))

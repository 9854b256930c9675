"""The state of a match of Life is Life, and its transitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.games.core import NOBODY, State
from arena.games.lifeislife.cards import (
    ACTIONS_OF_KINDS,
    FIFTEENS,
    GUARDS,
    KNOCK,
    LAID,
    ROW_OF,
    ROW_SIZES,
    Pack,
    animals_in,
    legal_actions,
)
from arena.games.lifeislife.events import Knocked, RoundBegan, Scored, SuddenDeath, Swapped, WentOut
from arena.games.lifeislife.knowledge import Knowledge
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.scoring import costs_of, totals_of
from arena.games.outcome import Ending, Outcome, places_by
from arena.games.randomness import Chance
from arena.games.refusals import check_action, illegal

if TYPE_CHECKING:
    from random import Random


class LifeIsLifeState(State):
    """Everything: all hands, and the source of the deals to come."""

    parameters: Parameters
    source: Chance
    deadly: int
    """The guard bits of the animals whose complete set is a sudden death."""
    to_complete: int
    """Added to a hand, this sets the guard bit of each such animal whose set is complete."""
    lives: list[int]
    out: list[int]
    """The round when each seat lost its last life; -1 while it is alive."""
    round: int
    """From 0."""
    starter: int
    players: tuple[int, ...]
    """The seats in this round, ascending."""
    player_count: int
    """The number of players."""
    next_seat: Sequence[int]
    """The next player clockwise, for each player."""
    turn: int
    """How many turns of this round are over."""
    last_turn: int
    """The number of turns after which the round is scored."""
    knocker: int
    """The seat that announced the last lap; `NOBODY` before."""
    rows: list[int]
    """The rows, as herds."""
    hands: list[int]
    """The hand of each seat, as a herd; empty once it is out."""
    unused: int
    """The cards that were not dealt, as a herd."""
    knowledge: Knowledge
    """What the whole table knows about the hands."""
    __slots__ = tuple(__annotations__)

    def legal_actions(self) -> Sequence[int]:
        """List the legal swaps, and the knock if it is allowed."""
        if self.to_act < 0:
            return []
        may_knock = self.turn >= self.player_count
        return legal_actions(self.hands[self.to_act], self.rows, may_knock=may_knock)

    def is_legal(self, action: int) -> bool:
        """Return whether this action is legal now."""
        check_action(action)
        if self.to_act < 0:
            return False
        if not 0 <= action < KNOCK:
            return action == KNOCK and self.turn >= self.player_count
        # `apply` inlines this check for speed; the conformance suite compares the two.
        laid = LAID[action]
        left = self.hands[self.to_act] - laid
        row = ROW_OF[action]
        return not (left & GUARDS or row >= len(self.rows) or laid == self.rows[row])

    def only_action(self) -> int | None:
        """Return the legal action if there is just one, as can happen in a small match only."""
        # RULES 3: rows 1 and 2 each have a legal swap.
        if not self.parameters.hand:
            return None
        actions = self.legal_actions()
        return actions[0] if len(actions) == 1 else None

    def random_action(self, rng: Random) -> int:
        """Draw a legal action uniformly."""
        if self.parameters.rows:
            return rng.choice(self.legal_actions())
        random = rng.random
        hand = self.hands[self.to_act]
        actions = ACTIONS_OF_KINDS[(hand + FIFTEENS) & GUARDS]
        count = len(actions)
        # Redrawing until the action is legal makes all legal actions equally likely.
        while True:
            action = actions[int(random() * count)]
            laid = LAID[action]
            if not (hand - laid) & GUARDS and laid not in self.rows:
                if laid or self.turn >= self.player_count:
                    return action

    def apply(self, action: int) -> None:
        """Swap or knock; end the round and the match if this completes them."""
        try:
            laid = LAID[action] if 0 <= action < KNOCK else None
        except (TypeError, ValueError):
            check_action(action)
            raise
        if laid is None:
            self._knock(action)
            return
        row = ROW_OF[action]
        seat = self.to_act
        rows = self.rows
        try:
            taken = rows[row]
        except IndexError:
            # RULES 15: a small match may lack this row.
            raise illegal(self, action) from None
        hands = self.hands
        left = hands[seat] - laid
        # RULES 3: the laid cards come from the hand and differ from the row.
        if left & GUARDS or laid == taken or seat < 0:
            raise illegal(self, action)
        rows[row] = laid
        hand = hands[seat] = left + taken
        self.knowledge.pending.append(action)
        if self.events is not None:
            self.events.append(Swapped(seat, row, laid, taken))
        turn = self.turn + 1
        self.turn = turn
        # RULES 5: only a swap can be a sudden death, and only the swapper's hand counts.
        if (hand + self.to_complete) & self.deadly:
            self._end_by_sudden_death(seat)
        elif turn == self.last_turn:
            self._score()
        else:
            self.to_act = self.next_seat[seat]

    def _knock(self, action: int) -> None:
        seat = self.to_act
        # RULES 4: every first turn is a swap, so a seat may knock from its second turn on.
        if action != KNOCK or seat < 0 or self.turn < self.player_count:
            raise illegal(self, action)
        if self.events is not None:
            self.events.append(Knocked(seat))
        self.knowledge.pending.append(KNOCK)
        if self.knocker < 0:
            self.knocker = seat
            self.last_turn = self.turn + self.player_count
        self.turn += 1
        if self.turn == self.last_turn:
            self._score()
        else:
            self.to_act = self.next_seat[seat]

    def _end_by_sudden_death(self, holder: int) -> None:
        # RULES 6: the expert game rewards the holder.
        gained = 1 if self.parameters.expert else 0
        lost = [0] * self.seats
        for seat in self.players:
            if seat != holder:
                lost[seat] = 1
        self.lives[holder] += gained
        if self.events is not None:
            hand = self.hands[holder]
            self.events.append(SuddenDeath(holder, hand, gained, tuple(lost)))
        self._end_round(lost, shown=(holder,))

    def _score(self) -> None:
        players = self.players
        totals = [0] * self.seats
        lost = [0] * self.seats
        points = totals_of([self.hands[seat] for seat in players], self.parameters.pack.values)
        for seat, total, cost in zip(players, points, costs_of(points), strict=True):
            totals[seat] = total
            # RULES 9: lives do not fall below zero.
            lost[seat] = min(cost, self.lives[seat])
        if self.events is not None:
            self.events.append(Scored(tuple(self.hands), tuple(totals), tuple(lost)))
        self._end_round(lost, shown=players)

    def _end_round(self, lost: list[int], *, shown: tuple[int, ...]) -> None:
        lives = self.lives
        living = self.player_count
        for seat in self.players:
            lives[seat] -= lost[seat]
            if not lives[seat]:
                living -= 1
                self.out[seat] = self.round
                if self.events is not None:
                    self.events.append(WentOut(seat))
        # RULES 9 and 12: the last living player wins, or the round cap is reached.
        if living < 2 or self.round + 1 == self.parameters.round_cap:
            self.to_act = NOBODY
            self.knowledge.update()
            for seat in shown:
                self.knowledge.show(seat, self.hands[seat])
            return
        self.round += 1
        # RULES 2: the first living seat clockwise from the last starter.
        starter = self.next_seat[self.starter]
        while not lives[starter]:
            starter = self.next_seat[starter]
        self.starter = starter
        if living < self.player_count:
            self.set_players(tuple(seat for seat in self.players if lives[seat]))
        self.deal()

    def set_pack(self, pack: Pack) -> None:
        """Set which complete sets are a sudden death."""
        self.deadly = pack.deadly
        self.to_complete = pack.to_complete

    def set_players(self, players: tuple[int, ...]) -> None:
        """Set the seats that play from now on."""
        self.players = players
        self.player_count = len(players)
        self.next_seat = next_seat = [NOBODY] * self.seats
        for at, seat in enumerate(players):
            next_seat[players[at - 1]] = seat

    def deal(self) -> None:
        """Begin `self.round`, with `self.starter` to act."""
        seats = self.seats
        parameters = self.parameters
        pack = parameters.pack
        # RULES 1
        size = parameters.hand_size
        in_rows = parameters.cards_in_rows
        count = in_rows + size * self.player_count
        sizes = ROW_SIZES[: parameters.row_count]
        sets = sizes + (size,) * self.player_count
        cards = self.source.draw(f"cards {self.round}", pack.cards, count, sets)
        # Each row begins where all smaller ones end.
        rows = self.rows = [sum(cards[n * (n - 1) // 2 : n * (n + 1) // 2]) for n in sizes]
        hands = self.hands = [0] * seats
        first = in_rows
        for seat in self.players:
            hands[seat] = sum(cards[first : first + size])
            first += size
        self.unused = pack.herd - sum(rows) - sum(hands)
        self.to_act = self.starter
        self.turn = 0
        self.last_turn = self.parameters.turn_cap * self.player_count
        self.knocker = NOBODY
        self.knowledge = Knowledge(
            self.deadly, self.next_seat, [0] * seats, [0] * seats, rows.copy(), self.starter
        )
        if self.events is not None:
            self.events.append(RoundBegan(self.round, self.starter, tuple(rows)))

    def copy(self) -> LifeIsLifeState:
        """Return an independent state that records no events."""
        new = self._copy_fields()
        new.knowledge = self.knowledge.copy()
        return new

    def take_chance(self, chance: Chance) -> None:
        """Deal later rounds from this source."""
        self.source = chance

    def outcome(self) -> Outcome:
        """Place the seats by survival."""
        merits = [
            # RULES 11 and 12: the living by lives, above the others by the round they went out.
            self.parameters.round_cap + lives if lives else out
            for lives, out in zip(self.lives, self.out, strict=True)
        ]
        survivors = len(self.lives) - self.lives.count(0)
        ending = Ending.PLAYED_OUT if survivors < 2 else Ending.LENGTH_CAP
        return Outcome(places_by(merits), tuple(self.lives), ending)

    def inventory(self) -> tuple[int, ...]:
        """List the animal of every card."""
        herds = (*self.rows, *self.hands, self.unused)
        return tuple(sorted(animal for herd in herds for animal in animals_in(herd)))

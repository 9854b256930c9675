"""What is the truth of a match of Life is Life, and how does it move?"""

from __future__ import annotations

from random import Random

from arena.games.core import NOBODY, Ending, Outcome, State, places_by
from arena.games.lifeislife.cards import (
    ACTIONS_OF_KINDS,
    ALL,
    DECK,
    FIFTEENS,
    GUARDS,
    HAND,
    KNOCK,
    LAID,
    ROW_OF,
    TO_COMPLETE,
    animals_in,
    legal_actions,
)
from arena.games.lifeislife.events import Knocked, RoundBegan, Scored, SuddenDeath, Swapped, WentOut
from arena.games.lifeislife.knowledge import Knowledge
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.refusal import refusal
from arena.games.lifeislife.scoring import costs_of, totals_of
from arena.games.randomness import Source


class LifeIsLifeState(State):
    """Everything: all hands, and the source of what is still to be dealt."""

    __slots__ = (
        "after",
        "deadly",
        "hands",
        "knocker",
        "knowledge",
        "last_turn",
        "lives",
        "out",
        "parameters",
        "players",
        "playing",
        "round",
        "rows",
        "source",
        "starter",
        "turn",
        "unused",
    )

    parameters: Parameters
    source: Source
    deadly: int
    """The guard bits of the animals whose complete set is a sudden death."""
    lives: list[int]
    out: list[int]
    """For each seat the round in which it lost its last life; -1 while it lives."""
    round: int
    """From 0."""
    starter: int
    players: tuple[int, ...]
    """The seats in this round, ascending."""
    playing: int
    """How many they are."""
    after: list[int]
    """For each of them the next one, clockwise."""
    turn: int
    """How many turns of this round are over."""
    last_turn: int
    """After so many turns the round is scored."""
    knocker: int
    """The seat that announced the last lap; `NOBODY` before."""
    rows: list[int]
    """The four rows, as herds."""
    hands: list[int]
    """For each seat its hand, as a herd; empty once it is out."""
    unused: int
    """The cards that were not dealt, as a herd."""
    knowledge: Knowledge
    """What everybody knows about the hands."""

    def legal_actions(self) -> list[int]:
        """List the possible swaps, and the knock."""
        if self.to_act < 0:
            return []
        may_knock = self.turn >= self.playing
        return legal_actions(self.hands[self.to_act], self.rows, may_knock=may_knock)

    def is_legal(self, action: int) -> bool:
        """Tell whether this may be done now."""
        if self.to_act < 0:
            return False
        if not 0 <= action < KNOCK:
            return action == KNOCK and self.turn >= self.playing
        laid = LAID[action]
        return not (self.hands[self.to_act] - laid) & GUARDS and laid not in self.rows

    def only_action(self) -> int | None:
        """Return None: there is a swap for row 1 and one for row 2, so there always is a choice."""
        return None

    def random_action(self, rng: Random) -> int:
        """Draw one legal action evenly."""
        random = rng.random
        hand = self.hands[self.to_act]
        actions = ACTIONS_OF_KINDS[(hand + FIFTEENS) & GUARDS]
        count = len(actions)
        # Drawing again until it is legal makes every legal action as likely as any other.
        while True:
            action = actions[int(random() * count)]
            laid = LAID[action]
            if not (hand - laid) & GUARDS and laid not in self.rows:
                if laid or self.turn >= self.playing:
                    return action

    def apply(self, action: int) -> None:
        """Swap or knock; the round and the match end by themselves."""
        if not 0 <= action < KNOCK:
            self._knock(action)
            return
        row = ROW_OF[action]
        seat = self.to_act
        laid = LAID[action]
        rows = self.rows
        taken = rows[row]
        hands = self.hands
        left = hands[seat] - laid
        # RULES 3: what is laid comes from the hand, and is not what is taken.
        if left & GUARDS or laid == taken or seat < 0:
            raise refusal(self, action)
        rows[row] = laid
        hand = hands[seat] = left + taken
        self.knowledge.unread.append(action)
        if self.events is not None:
            self.events.append(Swapped(seat, row, laid, taken))
        turn = self.turn + 1
        self.turn = turn
        # RULES 5: only a swap is a sudden death, and only the swapper's hand.
        if (hand + TO_COMPLETE) & self.deadly:
            self._die_suddenly(seat)
        elif turn == self.last_turn:
            self._score()
        else:
            self.to_act = self.after[seat]

    def _knock(self, action: int) -> None:
        seat = self.to_act
        # RULES 4: everybody's first turn is a swap, so it takes a turn to have swapped.
        if action != KNOCK or seat < 0 or self.turn < self.playing:
            raise refusal(self, action)
        if self.events is not None:
            self.events.append(Knocked(seat))
        self.knowledge.unread.append(KNOCK)
        if self.knocker < 0:
            self.knocker = seat
            self.last_turn = self.turn + self.playing
        self.turn += 1
        if self.turn == self.last_turn:
            self._score()
        else:
            self.to_act = self.after[seat]

    def _die_suddenly(self, holder: int) -> None:
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
        points = totals_of([self.hands[seat] for seat in players])
        for seat, total, cost in zip(players, points, costs_of(points), strict=True):
            totals[seat] = total
            # RULES 9: nobody falls below no lives.
            lost[seat] = min(cost, self.lives[seat])
        if self.events is not None:
            self.events.append(Scored(tuple(self.hands), tuple(totals), tuple(lost)))
        self._end_round(lost, shown=players)

    def _end_round(self, lost: list[int], *, shown: tuple[int, ...]) -> None:
        lives = self.lives
        living = self.playing
        for seat in self.players:
            lives[seat] -= lost[seat]
            if not lives[seat]:
                living -= 1
                self.out[seat] = self.round
                if self.events is not None:
                    self.events.append(WentOut(seat))
        # RULES 9 and 12: the last one living wins, or the rounds are used up.
        if living < 2 or self.round + 1 == self.parameters.round_cap:
            self.to_act = NOBODY
            self.knowledge.read()
            for seat in shown:
                self.knowledge.show(seat, self.hands[seat])
            return
        self.round += 1
        # RULES 2: the next living seat to the left of the starter's.
        starter = self.after[self.starter]
        while not lives[starter]:
            starter = self.after[starter]
        self.starter = starter
        if living < self.playing:
            self.seat_players(tuple(seat for seat in self.players if lives[seat]))
        self.deal()

    def seat_players(self, players: tuple[int, ...]) -> None:
        """Let these seats and no others play on."""
        self.players = players
        self.playing = len(players)
        self.after = [NOBODY] * self.seats
        for at, seat in enumerate(players):
            self.after[players[at - 1]] = seat

    def deal(self) -> None:
        """Begin `self.round`, with `self.starter` to act."""
        seats = self.seats
        # RULES 1
        cards = self.source.draw(f"cards {self.round}", DECK, HAND * self.playing + HAND)
        rows = self.rows = [cards[0], cards[1] + cards[2], sum(cards[3:6]), sum(cards[6:10])]
        hands = self.hands = [0] * seats
        first = HAND
        for seat in self.players:
            hands[seat] = sum(cards[first : first + HAND])
            first += HAND
        self.unused = ALL - sum(rows) - sum(hands)
        self.to_act = self.starter
        self.turn = 0
        self.last_turn = self.parameters.turn_cap * self.playing
        self.knocker = NOBODY
        self.knowledge = Knowledge(
            self.deadly, self.after, [0] * seats, [0] * seats, rows.copy(), self.starter
        )
        if self.events is not None:
            self.events.append(RoundBegan(self.round, self.starter, tuple(rows)))

    def copy(self) -> LifeIsLifeState:
        """Return an independent state that listens to no events."""
        new = LifeIsLifeState.__new__(LifeIsLifeState)
        new.events = None
        new.seats = self.seats
        new.to_act = self.to_act
        new.parameters = self.parameters
        new.source = self.source
        new.deadly = self.deadly
        new.lives = self.lives.copy()
        new.out = self.out.copy()
        new.round = self.round
        new.starter = self.starter
        new.players = self.players
        new.playing = self.playing
        new.after = self.after
        new.turn = self.turn
        new.last_turn = self.last_turn
        new.knocker = self.knocker
        new.rows = self.rows.copy()
        new.hands = self.hands.copy()
        new.unused = self.unused
        new.knowledge = self.knowledge.copy()
        return new

    def outcome(self) -> Outcome:
        """Place the seats by survival."""
        merits = [
            # RULES 11 and 12: the dead by the round they went out in, the living above by lives.
            self.parameters.round_cap + lives if lives else out
            for lives, out in zip(self.lives, self.out, strict=True)
        ]
        survivors = len(self.lives) - self.lives.count(0)
        ending = Ending.PLAYED_OUT if survivors < 2 else Ending.LENGTH_CAP
        return Outcome(places_by(merits), tuple(self.lives), ending)

    def truth(self) -> tuple[object, ...]:
        """Return all that is decided so far."""
        self.knowledge.read()
        return (
            self.parameters,
            self.seats,
            self.to_act,
            tuple(self.lives),
            tuple(self.out),
            self.round,
            self.starter,
            self.turn,
            self.last_turn,
            self.knocker,
            tuple(self.rows),
            tuple(self.hands),
            self.unused,
            tuple(self.knowledge.known),
            tuple(self.knowledge.lacking),
        )

    def inventory(self) -> tuple[int, ...]:
        """List the animal of every card."""
        herds = (*self.rows, *self.hands, self.unused)
        return tuple(sorted(animal for herd in herds for animal in animals_in(herd)))

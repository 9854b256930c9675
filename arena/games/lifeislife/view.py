"""A view: everything that one seat of a Life is Life match may know.

RULES 10: the rows, the lives, who took and laid what, who knocked, and its own hand; but not the
other hands, except for cards taken from the rows, and not the unused cards.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.games.drawn import draw_view, view_as_html
from arena.games.lifeislife.cards import Action, Animal, animals_in, legal_actions
from arena.games.lifeislife.notation import Herd
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.notation import Private, Signed


class View(NamedTuple):
    """Everything that one seat may know. Cards are herds (see `cards.py`); properties list them.

    Everything except `seat` and `hand_herd` is public, and the same for every seat.
    """

    parameters: Parameters
    seats: int
    seat: int
    """Whose view this is."""
    to_act: int
    lives: tuple[int, ...]
    out: tuple[Signed, ...]
    """The round when each seat lost its last life; -1 while it is alive."""
    round: int
    """From 0."""
    starter: int
    turn: int
    """How many turns of this round are over."""
    last_turn: int
    """The number of turns after which the round is scored: the cap, or the end of the last lap."""
    knocker: Signed
    """The seat that announced the last lap; -1 before."""
    row_herds: tuple[Herd, ...]
    hand_herd: Private[Herd]
    known_herds: tuple[Herd, ...]
    """The cards publicly known to be in each seat's hand."""
    lacking_herds: tuple[Herd, ...]
    """The minimum number of rabbits, pigs and cats publicly known to be missing from each seat's
    hand, because none of its swaps was a sudden death; none before its first swap of the round."""

    @property
    def rows(self) -> tuple[tuple[Animal, ...], ...]:
        """The animals of each row, ascending."""
        return tuple(map(animals_in, self.row_herds))

    @property
    def hand(self) -> tuple[Animal, ...]:
        """The animals in this seat's hand, ascending."""
        return animals_in(self.hand_herd)

    @property
    def known(self) -> tuple[tuple[Animal, ...], ...]:
        """The animals publicly known to be in each seat's hand, ascending."""
        return tuple(map(animals_in, self.known_herds))

    @property
    def players(self) -> tuple[int, ...]:
        """The seats that have cards in this round, in seat order."""
        return tuple(seat for seat, out in enumerate(self.out) if out in (-1, self.round))

    @property
    def has_swapped(self) -> tuple[bool, ...]:
        """Whether each seat has swapped in this round, as every player does in its first turn.

        False for seats that are out.
        """
        players = self.players
        first = players.index(self.starter)
        swapped = (players[first:] + players[:first])[: self.turn]
        return tuple(seat in swapped for seat in range(self.seats))

    @property
    def may_knock(self) -> bool:
        """Whether the seat to act may knock."""
        # Comparing with all seats first is enough for most turns, and faster.
        had_turns = self.turn >= self.seats or self.turn >= len(self.players)
        return self.to_act >= 0 and had_turns

    @property
    def unseen_herd(self) -> int:
        """The cards that this seat cannot locate: unknown cards in other hands, and unused ones."""
        known = sum(self.known_herds) - self.known_herds[self.seat]
        return self.parameters.pack.herd - sum(self.row_herds) - self.hand_herd - known

    def __str__(self) -> str:
        return draw_view(self)

    def _repr_html_(self) -> str:
        return view_as_html(self)


def view_of(state: LifeIsLifeState, seat: int) -> View:
    """Return what this seat may know now."""
    knowledge = state.knowledge
    knowledge.update()
    return View(
        state.parameters,
        state.seats,
        seat,
        state.to_act,
        tuple(state.lives),
        tuple(state.out),
        state.round,
        state.starter,
        state.turn,
        state.last_turn,
        state.knocker,
        tuple(state.rows),
        state.hands[seat],
        tuple(knowledge.known),
        tuple(knowledge.lacking),
    )


def legal_actions_of(view: View) -> list[Action]:
    """List the legal actions of the view's seat, ascending; none if it is not its turn."""
    if view.to_act != view.seat:
        return []
    return legal_actions(view.hand_herd, view.row_herds, may_knock=view.may_knock)

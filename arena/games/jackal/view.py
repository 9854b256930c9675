"""A view: everything that one seat of a Jackal & High match may know.

RULES 16: everything except the order of the deck, so all seats know the same.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.games.drawn import draw_view, view_as_html
from arena.games.jackal.actions import ORDERS_OF, Action
from arena.games.jackal.dice import NO_ROLL, VALLEY_AT, choices, faces_on, in_hand, room_of
from arena.games.jackal.notation import Card, Laid
from arena.games.jackal.parameters import Parameters
from arena.games.jackal.state import JackalState


class View(NamedTuple):
    """Everything that one seat may know. Placed dice are packed; properties list them."""

    parameters: Parameters
    seats: int
    seat: int
    """Whose view this is."""
    to_act: int
    round: int
    """Counted from 0."""
    starter: int
    turn: int
    """0, 1 or 2; while won cards are put in order, still the number of the last turn."""
    cards: tuple[Card, ...]
    """The top card of each stack of the display, leftmost first; 0 for a Take2 with nothing on it,
    which exists only when the match is over."""
    under: tuple[int, ...]
    """The number of Take2 cards below each of them."""
    laid: tuple[Laid, ...]
    """The placed dice of each seat, packed."""
    rolled: tuple[int, ...]
    """The dice that the seat to act has rolled, lowest first; none while it orders cards."""
    rolls_left: int
    """How often the seat to act may roll its single die again."""
    spoils: tuple[tuple[Card, ...], ...]
    """The cards that each seat has won and must put on its pile, in display order."""
    valley: Card
    """The pack card in the valley, or 0."""
    piles: tuple[tuple[Card, ...], ...]
    """The pack cards of each seat, the top of the pile last."""
    take2s: tuple[int, ...]
    """The number of each seat's Take2 cards."""
    gone: int
    """How many Lucky8 cards have left the game."""
    unseen: tuple[Card, ...]
    """The cards of the deck, sorted, as their order is unknown."""

    @property
    def on_display(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The faces of each seat's dice on each stack."""
        stacks = range(len(self.cards))
        return tuple(tuple(faces_on(laid, stack) for stack in stacks) for laid in self.laid)

    @property
    def in_valley(self) -> tuple[int, ...]:
        """The number of each seat's dice in the valley."""
        return tuple(laid >> VALLEY_AT for laid in self.laid)

    @property
    def in_hand(self) -> tuple[int, ...]:
        """The number of dice that each seat has not placed, including those just rolled."""
        return tuple([in_hand(laid, self.parameters.dice_count) for laid in self.laid])

    def __str__(self) -> str:
        return draw_view(self)

    def _repr_html_(self) -> str:
        return view_as_html(self)


def view_of(state: JackalState, seat: int) -> View:
    """Return what this seat may know now."""
    a, b, c = rolled = state.rolled
    return View(
        state.parameters,
        state.seats,
        seat,
        state.to_act,
        state.round,
        state.starter,
        state.turn,
        state.cards,
        state.under,
        tuple(state.laid),
        rolled if c else (a, b) if b else (a,) if a else (),
        state.rolls_left,
        tuple(state.spoils),
        state.valley,
        tuple(state.piles),
        tuple(state.take2s),
        state.gone,
        tuple(sorted(state.deck)),
    )


def legal_actions(view: View) -> list[Action]:
    """List the legal actions of the view's seat, ascending; none if it is not its turn."""
    seat = view.seat
    if view.to_act != seat:
        return []
    if view.spoils[seat]:
        return list(ORDERS_OF[len(view.spoils[seat])])
    a, b, c = view.rolled + NO_ROLL[len(view.rolled) :]
    room = room_of(view.cards, view.parameters.dice_count)
    return choices(room - view.laid[seat], (a, b, c), view.rolls_left)

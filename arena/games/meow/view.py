"""A view: everything that one seat of a MEOW match may know.

RULES 11: the row, all won tokens, all played cards and who played them; but not the other hands,
the cards left over, or the order in which later tokens will come.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from arena.games.drawn import draw_view, view_as_html
from arena.games.meow.cards import (
    COLOUR_MASK,
    COLOUR_OF,
    COLOURS,
    Card,
    Colour,
    Token,
    cards_in,
    mask_of,
)
from arena.games.meow.parameters import Parameters
from arena.games.meow.state import MeowState
from arena.games.notation import Form, Packed, Private, choice

_colours: Form[int] = choice(
    "a set of colours",
    {
        "+".join(name for bit, name in enumerate(COLOURS) if colours >> bit & 1) or "none": colours
        for colours in range(8)
    },
)

CardSet = Annotated[int, Packed(Card, cards_in, mask_of)]
ColourSet = Annotated[int, _colours._replace(has_blanks=True)]


class View(NamedTuple):
    """Everything that one seat may know. Sets of cards are packed; properties list them."""

    parameters: Parameters
    seats: int
    seat: int
    """Whose view this is."""
    to_act: int
    round: int
    """0, 1 or 2."""
    row: tuple[Token, ...]
    """The tokens still to be won in this round, the next one first."""
    later: tuple[Token, ...]
    """The tokens of the rounds to come, sorted, as their order is unknown."""
    won: tuple[tuple[Token, ...], ...]
    """The tokens of each seat, in the order won."""
    leader: int
    trick: tuple[Card, ...]
    """The cards of the current trick, in the order played, the leader's first."""
    hand_mask: Private[CardSet]
    played_masks: tuple[CardSet, ...]
    """The cards that each seat has played in this round, including the current trick."""
    voids: tuple[ColourSet, ...]
    """For each seat, a bit (1 pink, 2 blue, 4 green) for every colour it has shown it lacks."""

    @property
    def hand(self) -> tuple[Card, ...]:
        """This seat's cards, ascending."""
        return cards_in(self.hand_mask)

    @property
    def played(self) -> tuple[tuple[Card, ...], ...]:
        """The cards that each seat has played in this round, ascending."""
        return tuple(map(cards_in, self.played_masks))

    @property
    def lacks(self) -> tuple[tuple[Colour, ...], ...]:
        """The colours that each seat has shown it lacks."""
        return tuple(tuple(c for c in Colour if voids >> c & 1) for voids in self.voids)

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        size = self.parameters.hand_size
        return tuple(size - mask.bit_count() for mask in self.played_masks)

    def __str__(self) -> str:
        return draw_view(self)

    def _repr_html_(self) -> str:
        return view_as_html(self)


def view_of(state: MeowState, seat: int) -> View:
    """Return what this seat may know now."""
    return View(
        state.parameters,
        state.seats,
        seat,
        state.to_act,
        state.round,
        state.row,
        state.later,
        tuple(state.won),
        state.leader,
        tuple(state.trick),
        state.hands[seat],
        tuple(state.played),
        tuple(state.voids),
    )


def legal_mask(view: View) -> int:
    """Return the set of cards that the view's seat may play now."""
    if view.to_act != view.seat:
        return 0
    if not view.trick:
        return view.hand_mask
    # RULES 5
    return view.hand_mask & COLOUR_MASK[COLOUR_OF[view.trick[0]]] or view.hand_mask

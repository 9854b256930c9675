"""A view: everything that one seat of a Trio match may know.

RULES 12: its own hand, all piles, the sizes of the hands, which slots are empty, and every card
that was ever turned up. RULES 11: everything about its own team's swaps, but only the fact of the
other teams' swaps.

The view is not a history: it keeps what the past still says about the present. Without teams
nothing is lost: a card that was seen stays known until it is taken. With teams, `earlier` and
`shared` keep what was known about two hands before they swapped. The links between these facts are
not kept: that a card missing from one hand must be the card that came to the other in the same
swap, and what knowledge of one swap implies about another. A seat's own choices that led to no swap
are not kept either.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.games.core import NOBODY
from arena.games.drawn import draw_view, view_as_html
from arena.games.notation import Private
from arena.games.trio.cards import FIRST_HAND, HAND_BITS, NOT_YET, SEAT_OF, give_mask, high, low
from arena.games.trio.knowledge import Earlier, Known, KnownToPartner, merge
from arena.games.trio.notation import Choice, Place, Slot, Swap
from arena.games.trio.parameters import Parameters
from arena.games.trio.state import TrioState


class View(NamedTuple):
    """Everything that one seat may know. The fields from `phase` on are for team games only."""

    parameters: Parameters
    seats: int
    seat: int
    """Whose view this is."""
    to_act: int
    turn: int
    """How many turns are over; turns go round from seat 0."""
    piles: tuple[tuple[int, ...], ...]
    """The trios of each seat, or of each team in a team game, in the order taken."""
    hand: Private[tuple[int, ...]]
    """This seat's cards, ascending."""
    known: tuple[Known, ...]
    """What the whole table knows about each seat's hand."""
    centre: tuple[Slot, ...]
    """The number in each slot if it has been seen, 0 if not, -1 if the slot is empty."""
    shown: tuple[Place, ...]
    """The places turned up so far in this turn; their cards are face up and all equal."""
    phase: tuple[int, ...] = ()
    """The seats that choose in this swap phase, in the order asked; empty during turns."""
    chosen: Private[Choice] = NOT_YET
    """The action that this seat has chosen in this phase; -1 if none."""
    partner: Private[KnownToPartner | None] = None
    """What this seat knows about its partner's hand."""
    told: Private[KnownToPartner | None] = None
    """What its partner knows about this seat's hand."""
    log: Private[tuple[Swap, ...]] = ()
    """The numbers that this seat gave and got in each of its swaps."""
    swaps: tuple[int, ...] = ()
    """How often each team has swapped."""
    shared: tuple[tuple[int, ...], ...] = ()
    """The cards known to be in one of each team's two hands since before its last swap."""
    earlier: tuple[tuple[Earlier, ...], ...] = ()
    """What the table knew about each seat's hand before each of its swaps, oldest first."""

    @property
    def number(self) -> int:
        """The number face up in this turn; 0 if there is none."""
        if not self.shown:
            return 0
        place = self.shown[0]
        if place < FIRST_HAND:
            return self.centre[place]
        known = self.known[SEAT_OF[place]]
        return known.low[0] if place & 1 else (known.high or known.low)[-1]

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(known.size for known in self.known)

    def __str__(self) -> str:
        return draw_view(self)

    def _repr_html_(self) -> str:
        return view_as_html(self)


def view_of(state: TrioState, seat: int) -> View:
    """Return what this seat may know now."""
    known = tuple(state.known)
    always = (
        state.parameters,
        state.seats,
        seat,
        state.to_act,
        state.turn,
        tuple(state.piles),
        tuple(state.hands[seat]),
        known,
        tuple(state.seen),
        tuple(state.shown),
    )
    swaps = state.swaps
    if swaps is None:
        return View(*always)
    partner = (seat + len(state.piles)) % state.seats
    return View(
        *always,
        swaps.phase,
        swaps.chosen[seat],
        merge(swaps.private[seat], known[partner]),
        merge(swaps.private[partner], known[seat]),
        swaps.logs[seat],
        tuple(swaps.counts),
        tuple(swaps.shared),
        tuple(swaps.earlier),
    )


def open_mask(view: View) -> int:
    """Return the set of places that can be turned up first in a turn."""
    # RULES 5
    mask = 0
    for slot, number in enumerate(view.centre):
        if number >= 0:
            mask |= 1 << slot
    for seat, known in enumerate(view.known):
        mask |= HAND_BITS[seat][known.size]
    return mask


def reveal_mask(view: View, mask: int) -> int:
    """Return the open places that are left once this turn's cards are face up."""
    for place in view.shown:
        if place < FIRST_HAND:
            mask &= ~(1 << place)
            continue
        seat = SEAT_OF[place]
        face_up = view.shown.count(low(seat)) + view.shown.count(high(seat))
        ends = HAND_BITS[seat]
        mask = mask & ~ends[2] | ends[view.known[seat].size - face_up]
    return mask


def legal_mask(view: View) -> int:
    """Return the set of actions that the view's seat may choose now."""
    if view.to_act != view.seat or view.to_act == NOBODY:
        return 0
    if view.phase:
        return give_mask(view.hand)
    return reveal_mask(view, open_mask(view))

"""Describe the events of a Trio match in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.trio.cards import FIRST_HAND, SEAT_OF, low
from arena.games.trio.events import CardRevealed, CardsReturned, Event, SwapSettled, TrioTaken


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in a sentence."""
    name = names[event.seat]
    if isinstance(event, CardRevealed):
        return f"{name} {_asks(event, names)}: {event.number}."
    if isinstance(event, CardsReturned):
        return f"The cards go back, and {name}'s turn is over."
    if isinstance(event, TrioTaken):
        return f"{name} takes the trio of {event.number}s."
    assert isinstance(event, SwapSettled)
    return f"{name} and {names[event.partner]} {'swap a card' if event.swapped else 'do not swap'}."


def _asks(event: CardRevealed, names: Sequence[str]) -> str:
    if event.place < FIRST_HAND:
        return f"turns up slot {event.place}"
    owner = SEAT_OF[event.place]
    end = "lowest" if event.place == low(owner) else "highest"
    if owner == event.seat:
        return f"shows its own {end} card"
    return f"asks {names[owner]} for the {end} card"

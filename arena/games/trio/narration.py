"""Describe the events of a Trio match in sentences."""

from __future__ import annotations

from collections.abc import Sequence

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
    place = event.place
    if place.kind == "centre":
        return f"turns up slot {place.slot}"
    if place.seat == event.seat:
        return f"shows its own {place.kind}est card"
    return f"asks {names[place.seat]} for the {place.kind}est card"

"""Describe the events of a Life is Life match in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.lifeislife.cards import ANIMALS, COUNT, SHIFTS
from arena.games.lifeislife.events import (
    Event,
    Knocked,
    RoundBegan,
    Scored,
    SuddenDeath,
    Swapped,
    WentOut,
)
from arena.text import quantity

_PLURALS = {"sheep": "sheep", "mouse": "mice"}


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in a sentence; a scoring takes two more lines per player."""
    match event:
        case RoundBegan():
            rows = "; ".join(map(herd_text, event.rows))
            return f"Round {event.round + 1}: {rows}. {names[event.starter]} starts."
        case Swapped():
            return (
                f"{names[event.seat]} lays {herd_text(event.laid)} "
                f"and takes row {event.row + 1}: {herd_text(event.taken)}."
            )
        case Knocked():
            return f"{names[event.seat]} knocks."
        case SuddenDeath():
            losers = [names[seat] for seat, lost in enumerate(event.lost) if lost]
            gain = " and gains a life" if event.gained else ""
            return (
                f"Sudden death: {names[event.seat]} shows {herd_text(event.hand)}{gain}; "
                f"{' and '.join(losers)} {'loses' if len(losers) == 1 else 'each lose'} a life."
            )
        case Scored():
            scored = [seat for seat, hand in enumerate(event.hands) if hand]
            return "\n".join(
                ["The round is scored.", *(_score_line(event, seat, names) for seat in scored)]
            )
        case WentOut():
            return f"{names[event.seat]} is out."


def _score_line(event: Scored, seat: int, names: Sequence[str]) -> str:
    lost = event.lost[seat]
    cost = f"loses {quantity(lost, 'life', 'lives')}" if lost else "loses nothing"
    hand = herd_text(event.hands[seat])
    return f"  {names[seat]} has {event.totals[seat]} points and {cost}, with\n    {hand}."


def herd_text(herd: int) -> str:
    """Write a herd in words: "2 cats, dog"."""
    return ", ".join(
        name if count == 1 else f"{count} {_PLURALS.get(name, name + 's')}"
        for name, count in zip(ANIMALS, animal_counts(herd), strict=True)
        if count
    )


def animal_counts(herd: int) -> list[int]:
    """Return how many of each animal a herd has, in the order of `ANIMALS`."""
    return [herd >> shift & COUNT for shift in SHIFTS]

"""Describe the events of a MEOW match in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.meow.cards import FISH, VASE, Token
from arena.games.meow.events import CardPlayed, Event, RoundBegan, TrickWon


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in a sentence."""
    if isinstance(event, RoundBegan):
        row = " ".join(map(str, event.row))
        return f"Round {event.round + 1} is played for {row}; {names[event.leader]} leads."
    if isinstance(event, CardPlayed):
        return f"{names[event.seat]} plays {event.card.colour} {event.card.rank}."
    assert isinstance(event, TrickWon)
    return f"{names[event.seat]} wins the trick and takes {_prize(event.token)}."


def _prize(token: Token) -> str:
    if token == FISH:
        return "a fish"
    if token == VASE:
        return "a broken vase"
    return f"a bowl worth {token}" if token > 0 else f"a fishbone worth {token}"

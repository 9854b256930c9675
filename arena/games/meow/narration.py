"""Describe the events of a MEOW match in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.meow.cards import COLOUR_OF, COLOURS, FISH, VASE, rank_of
from arena.games.meow.events import CardPlayed, Event, RoundBegan, TrickWon
from arena.games.meow.notation import token_form


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in a sentence."""
    if isinstance(event, RoundBegan):
        row = " ".join(map(token_form.show, event.row))
        return f"Round {event.round + 1} is played for {row}; {names[event.leader]} leads."
    if isinstance(event, CardPlayed):
        return f"{names[event.seat]} plays {COLOURS[COLOUR_OF[event.card]]} {rank_of(event.card)}."
    assert isinstance(event, TrickWon)
    return f"{names[event.seat]} wins the trick and takes {_prize(event.token)}."


def _prize(token: int) -> str:
    if token == FISH:
        return "a fish"
    if token == VASE:
        return "a broken vase"
    return f"a bowl worth {token}" if token > 0 else f"a fishbone worth {token}"

"""Short notation for positions of Jackal & High in tests."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, TypeVar

from arena.games.jackal import GAME
from arena.games.jackal.dice import DICE, DICE_OF_ROUND, TURNS
from arena.games.jackal.notation import card_form, laid_form
from arena.games.jackal.parameters import Parameters
from arena.games.jackal.rounds import begin_round
from arena.games.jackal.settling import settle
from arena.games.jackal.state import JackalState
from arena.games.jackal.view import View
from arena.games.randomness import Source

E = TypeVar("E")
Rolls = Mapping[int, tuple[int, ...]]
"""What each seat rolls."""


class LoadedDice(Source):
    """Dice that show what the test says. A contest that it does not expect is an error."""

    __slots__ = ("contests", "turns")

    def __init__(self, contests: Mapping[str, Rolls], turns: Rolls) -> None:
        """Take the rolls of contests by label, and each seat's rolls in all turns of a round."""
        super().__init__(bytes(32))
        self.contests = contests
        self.turns = turns

    def dice(self, label: str, count: int, faces: int = 8) -> list[int]:
        """Return the test's rolls for this label."""
        of_round = label.startswith("dice")
        rolls = self.turns if of_round else self.contests[label]
        width = DICE_OF_ROUND if of_round else DICE
        dice = [1] * 64
        for seat, rolled in rolls.items():
            dice[width * seat : width * seat + len(rolled)] = rolled
        return dice[:count]


def cards(text: str) -> tuple[int, ...]:
    """Read cards: "5 Lucky8 13"."""
    return tuple(map(card_form.read, text.split()))


def position(
    display: str,
    *laid: str,
    rolled: tuple[int, ...] = (),
    to_act: int = 0,
    turn: int = 0,
    rolls_left: int = 0,
    starter: int = 0,
    under: tuple[int, ...] = (),
    deck: str = "1 2 3 4 5 6 7 9 10 11 12 13",
    valley: str = "none",
    piles: tuple[str, ...] = (),
    take2s: tuple[int, ...] = (),
    turns: Rolls | None = None,
    valley_rolls: Rolls | None = None,
    contests: Mapping[str, Rolls] | None = None,
    parameters: Parameters | None = None,
) -> JackalState:
    """Make a state with this display and each seat's placed dice; the deck's next card is first."""
    seats = len(laid)
    view = View(
        parameters=parameters or Parameters(),
        seats=seats,
        seat=0,
        to_act=to_act,
        round=starter,
        starter=starter,
        turn=turn,
        cards=cards(display),
        under=under or (0,) * len(cards(display)),
        laid=tuple(map(laid_form.read, laid)),
        rolled=rolled,
        rolls_left=rolls_left,
        spoils=((),) * seats,
        valley=card_form.read(valley),
        piles=tuple(map(cards, piles)) or ((),) * seats,
        take2s=take2s or (0,) * seats,
        gone=0,
        unseen=cards(deck)[::-1],
    )
    state = GAME.world(view, Random(0))
    state.deck = list(view.unseen)
    state.source = LoadedDice(contests or {}, turns or {})
    state.dice = state.source.dice("dice", DICE_OF_ROUND * seats)
    # Unless the test says otherwise, earlier seats roll higher in the valley.
    in_valley = {seat: (8 - seat,) * DICE for seat in range(seats)} | dict(valley_rolls or {})
    for seat, faces in in_valley.items():
        at = DICE_OF_ROUND * seat + DICE * TURNS
        state.dice[at : at + len(faces)] = faces
    state.events = []
    return state


def settle_round(display: str, *laid: str, **options: Any) -> JackalState:
    """Settle a round that ended with these dice, up to the next decision.

    The options are those of `position`.
    """
    state = position(display, *laid, **options)
    settle(state)
    return state


def begin_second_round(display: str, deck: str, *, seats: int = 2, **options: Any) -> JackalState:
    """Begin the second round with what is left of a display and this deck."""
    state = position(display, *["-"] * seats, deck=deck, **options)
    begin_round(state, 1)
    return state


def legal(state: JackalState) -> list[str]:
    """Write the legal actions."""
    return list(map(GAME.action_text, state.legal_actions()))


def do(state: JackalState, *actions: str) -> JackalState:
    """Play these actions, one after another."""
    for action in actions:
        state.apply(GAME.parse_action(action))
    return state


def events_of(state: JackalState, kind: type[E]) -> list[E]:
    """List the events of one kind."""
    return [event for event in state.events or () if isinstance(event, kind)]

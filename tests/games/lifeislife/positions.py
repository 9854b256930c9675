"""Short notation for positions of Life is Life in tests."""

from __future__ import annotations

from typing import TypeVar

from arena.errors import IllegalAction
from arena.games.core import NOBODY
from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import GUARDS, Animal, herd_of
from arena.games.lifeislife.knowledge import Knowledge
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.randomness import seed_from

E = TypeVar("E")

THREE = (
    "4 giraffe, 3 bear, 3 mole",
    "3 giraffe, 3 bear, 4 goat",
    "1 giraffe, 2 bear, 4 sheep, 3 dog",
)
"""Three ordinary hands."""
ROWS = ("mouse", "mole, goat", "dog, rabbit, pig", "sheep, cat, cat, mouse")


def herd(text: str) -> int:
    """Pack cards written as `3 cat, dog`."""
    packed = 0
    for part in text.split(", ") if text else []:
        number, _, name = part.rpartition(" ")
        packed += int(number or 1) * herd_of((Animal[name.upper()],))
    return packed


def position(
    *hands: str,
    rows: tuple[str, ...] = ROWS,
    lives: tuple[int, ...] | None = None,
    to_act: int = 0,
    turn: int = 0,
    parameters: Parameters | None = None,
) -> LifeIsLifeState:
    """Make a recording state with these hands; a seat without cards is out.

    The first seat that has cards started the round.
    """
    parameters = parameters or Parameters()
    state = GAME.start(len(hands), seed_from(0), parameters, recording=True)
    state.hands = [herd(hand) for hand in hands]
    state.rows = [herd(row) for row in rows]
    state.unused = state.parameters.pack.herd - sum(state.hands) - sum(state.rows)
    assert not state.unused & GUARDS, "there are not enough cards of some animal"
    state.lives = list(lives or [5 if hand else 0 for hand in hands])
    state.out = [-1 if life else 0 for life in state.lives]
    state.round = 1 if 0 in state.lives else 0
    state.set_players(tuple(seat for seat, hand in enumerate(hands) if hand))
    state.starter = state.players[0]
    state.to_act = to_act
    state.turn = turn
    state.last_turn = parameters.turn_cap * state.player_count
    state.knocker = NOBODY
    nothing = [0] * state.seats
    state.knowledge = Knowledge(
        state.deadly, state.next_seat, nothing.copy(), nothing.copy(), state.rows.copy(), to_act
    )
    return state


def play(state: LifeIsLifeState, *actions: str) -> LifeIsLifeState:
    """Play these actions, in the game's notation."""
    for action in actions:
        state.apply(GAME.parse_action(action))
    return state


def knock_out(state: LifeIsLifeState) -> LifeIsLifeState:
    """Knock with every player, so that the round is scored as it stands."""
    state.turn = max(state.turn, state.player_count)
    return play(state, *["knock"] * state.player_count)


def may(state: LifeIsLifeState, action: str) -> bool:
    """Return whether an action is legal; all four ways of asking must agree."""
    number = GAME.parse_action(action)
    legal = state.is_legal(number)
    assert legal == (number in state.legal_actions())
    assert legal == (number in GAME.legal_actions(GAME.view_of(state, state.to_act)))
    try:
        state.copy().apply(number)
    except IllegalAction:
        assert not legal
    else:
        assert legal
    return legal


def last(state: LifeIsLifeState, kind: type[E]) -> E:
    """Return the latest event of this kind."""
    return [event for event in state.events or [] if isinstance(event, kind)][-1]

"""What the environments of Gymnasium and PettingZoo share: spaces, illegal actions, rendering."""

from __future__ import annotations

from enum import Enum
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces

from arena.errors import BadInput, IllegalAction
from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.games.tensors import LIMIT
from arena.indices import Seat
from arena.learn.table import Setup
from arena.pages.replay_page import replay_page
from arena.records import Decision, Entrant, How, Record

WORST_REWARD = -1.0
"""The reward of the last place."""
RENDER_MODES = ["ansi", "html", "human"]
Observation = dict[str, Any]
"""`observation` is the tensor of a view, `action_mask` has a 1 for each legal action."""


def observation_space(setup: Setup) -> spaces.Dict:
    """Return the space of tensors with their masks."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-LIMIT, LIMIT, (setup.encoder.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (setup.game.action_count,), np.int8),
        }
    )


def action_space(setup: Setup) -> spaces.Discrete:
    """Return the space of the game's actions."""
    return spaces.Discrete(setup.game.action_count)


class Illegal(Enum):
    """What to do with an action that is not legal."""

    END = "end"
    """End the match: the seat that played it gets the reward of the last place, the others 0."""
    RANDOM = "random"
    """Play a legal action at random instead, as a stand-in does in a league."""
    RAISE = "raise"
    """Raise `IllegalAction`, and change nothing."""


def illegal_from(word: str) -> Illegal:
    """Return what a word stands for."""
    try:
        return Illegal(word)
    except ValueError:
        words = ", ".join(each.value for each in Illegal)
        raise BadInput(f"illegal={word!r} is not known: choose one of {words}") from None


def legal_or_none(
    game: AnyGame, state: Any, action: Any, illegal: Illegal, rng: Random
) -> int | None:
    """Return the action to play in a state, or None if the match has to end here."""
    if not hasattr(action, "__index__"):
        raise BadInput(
            f"an action is a whole number from 0 to {game.action_count - 1}, not {action!r}"
        )
    number = action.__index__()
    if state.is_legal(number):
        return int(number)
    if illegal is Illegal.END:
        return None
    if illegal is Illegal.RANDOM:
        return int(state.random_action(rng))
    raise IllegalAction(
        f"action {number} is not legal for seat {state.to_act}; action_mask has the legal ones"
    )


def check_render_mode(mode: str | None) -> None:
    """Refuse an unknown way of rendering."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadInput(f"no such render_mode: {mode!r}; there are {', '.join(RENDER_MODES)}")


def rendered(
    mode: str | None,
    text: Any,
    setup: Setup,
    seed: Seed,
    played: list[tuple[int, int]],
    state: Any,
    names: list[str],
    seat: int | None = None,
) -> str | None:
    """Render a match: `text` is a state or a view, and `played` the seats and their actions.

    A page shows everything, or with `seat` what that seat knows. Its places are the ones that
    the match would have if it ended now.
    """
    if mode is None:
        raise BadInput(
            f"pass render_mode when you make the environment: {' or '.join(RENDER_MODES)}"
        )
    if mode == "html":
        return replay_page(_record(setup, seed, played, state, names), seat=seat)
    if mode == "ansi":
        return str(text)
    print(text)
    return None


def _record(
    setup: Setup, seed: Seed, played: list[tuple[int, int]], state: Any, names: list[str]
) -> Record:
    outcome = state.outcome()
    return Record(
        game_id=setup.game.id,
        parameters=setup.game.parameters_form.show(setup.parameters),
        seed=seed,
        entrants=tuple(Entrant(name) for name in names),
        clock="",
        decisions=tuple(Decision(Seat(seat), action, How.CHOSEN, 0) for seat, action in played),
        faults=(),
        outcome=outcome,
        places=outcome.places,
    )

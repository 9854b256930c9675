"""What the environments of Gymnasium and PettingZoo share.

Matches and their seeds, observations and spaces, rendering.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from arena.errors import BadInput
from arena.games.randomness import Seed, seed_from
from arena.games.tensors import LIMIT
from arena.indices import Seat
from arena.learn.table import Setup, Table, match_seed
from arena.pages.replay_page import replay_page
from arena.records import Decision, Entrant, How, Record

WORST_REWARD = -1.0
"""The reward of the last place."""
RENDER_MODES = ["ansi", "html", "human"]
Observation = dict[str, Any]
"""`observation` is the tensor of a view, `action_mask` has a 1 for each legal action."""


class MatchEnvironment:
    """One match after another, the same ones for the same seed."""

    def __init__(self, setup: Setup, *, render_mode: str | None, ask_forced: bool = True) -> None:
        """Prepare matches of a setup."""
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadInput(
                f"no such render_mode: {render_mode!r}; there are {', '.join(RENDER_MODES)}"
            )
        self._setup = setup
        self._table = Table(setup, ask_forced=ask_forced)
        self.render_mode = render_mode
        self._base: Seed | None = None
        """What the seeds of this series of matches are derived from."""
        self._match = 0
        """Counts the matches of the series."""
        self._seed: Seed = b""

    @property
    def _state(self) -> Any:
        return self._table.state

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _begin_series(self, seed: int) -> None:
        self._base = seed_from(seed)
        self._match = 0

    def _deal(self, deal: int, seat: int = 0) -> None:
        """Start the match of a deal, with the learner in this seat if there are opponents."""
        assert self._base is not None
        self._seed = match_seed(self._base, 0, deal)
        self._match += 1
        self._table.start(self._seed, seat)

    def _legal(self, action: Any) -> int | None:
        """Return the action to play, or None if it is not legal, which ends the match."""
        most = self._setup.game.action_count - 1
        if not hasattr(action, "__index__"):
            raise BadInput(f"an action is a whole number from 0 to {most}, not {action!r}")
        number = int(action.__index__())
        return number if self._state.is_legal(number) else None

    def _view_of(self, seat: int) -> Any:
        return self._setup.game.view_of(self._state, seat)

    def _mask(self, view: Any) -> NDArray[np.int8]:
        return np.frombuffer(self._setup.encoder.mask(view), np.int8)

    def _observation(self, view: Any, mask: NDArray[np.int8] | None = None) -> Observation:
        tensor = np.frombuffer(self._setup.encoder.encode_many((view,)), np.float32)
        return {"observation": tensor, "action_mask": self._mask(view) if mask is None else mask}

    def _rendered(self, names: Sequence[str], seat: int | None = None) -> str | None:
        """Show the whole match so far, or with `seat` what that seat knows of it.

        The places on a page are those that the match would have if it ended now.
        """
        if self._state is None:
            raise BadInput("call reset before render")
        if self.render_mode is None:
            raise BadInput(
                f"pass render_mode when you make the environment: {' or '.join(RENDER_MODES)}"
            )
        if self.render_mode == "html":
            return replay_page(self._record(names), seat=seat)
        text = str(self._state if seat is None else self._view_of(seat))
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _record(self, names: Sequence[str]) -> Record:
        game, outcome = self._setup.game, self._state.outcome()
        return Record(
            game_id=game.id,
            parameters=game.parameters_form.show(self._setup.parameters),
            seed=self._seed,
            entrants=tuple(Entrant(name) for name in names),
            clock="",
            decisions=tuple(
                Decision(Seat(seat), action, How.CHOSEN, 0) for seat, action in self._table.played
            ),
            faults=(),
            outcome=outcome,
            places=outcome.places,
        )


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

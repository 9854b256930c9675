"""Environments of Gymnasium: one seat is yours, bots in this process have the others.

Importing this module registers `arena/trio-v0`, `arena/jackal-v0`, `arena/meow-v0` and
`arena/lifeislife-v0`, so `gymnasium.make("arena.learn.gym:arena/meow-v0")` finds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.errors import BadInput
from arena.games.registry import GAME_IDS
from arena.learn import need
from arena.learn.opponents import THINKING_S
from arena.learn.table import Setup
from arena.sdk import Bot

need("gymnasium", "arena.learn.gym")

import gymnasium  # noqa: E402
import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from arena.learn.environments import (  # noqa: E402
    RENDER_MODES,
    WORST_REWARD,
    MatchEnvironment,
    Observation,
    action_space,
    observation_space,
)


class OneSeat(MatchEnvironment, gymnasium.Env[Observation, np.int64]):
    """A match against bots, one after another, from the view of one seat."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        variant: str = "",
        opponents: Sequence[str | type[Bot]] | str | type[Bot] = "random",
        seat: int | None = None,
        ask_forced: bool = False,
        thinking_s: float = THINKING_S,
        render_mode: str | None = None,
    ) -> None:
        """Prepare a game against opponents; a single one has all other seats.

        Without `seat`, yours moves on with every match, and each deal is played once in every
        seat. Unless `ask_forced` is set, you are not asked if only one action is legal.
        """
        setup = Setup(game, seats, variant, opponents, thinking_s)
        super().__init__(setup, render_mode=render_mode, ask_forced=ask_forced)
        if not setup.opponents:
            raise BadInput("name at least one opponent: a house bot, such as 'random', or a folder")
        if seat is not None and seat not in range(setup.seats):
            raise BadInput(f"there is no seat {seat}: the seats are 0 to {setup.seats - 1}")
        self.observation_space = observation_space(setup)
        self.action_space = action_space(setup)
        self._seat = seat
        self._is_over = True

    @property
    def seat(self) -> int:
        """Your seat in the current match."""
        return self._table.seat

    @property
    def played(self) -> list[tuple[int, int]]:
        """The seats that have acted in the current match, with their actions."""
        return self._table.played

    @property
    def view(self) -> Any:
        """What your seat may know, in the game's own type."""
        return self._view_of(self._table.seat)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal the next match; with a seed, begin a new series of matches."""
        super().reset(seed=seed)
        if seed is not None or self._base is None:
            self._begin_series(int(self.np_random.integers(2**63)) if seed is None else seed)
        while True:
            deal, seat = self._match, self._seat
            if seat is None:
                deal, seat = divmod(self._match, self._setup.seats)
            self._deal(deal, seat)
            if not self._state.is_over:
                break
            # You had no choice in the whole match.
        self._is_over = False
        return self._observed()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, and what the opponents do until it is your turn again."""
        if self._is_over:
            raise BadInput("the match is over, or has not begun: call reset")
        state = self._state
        legal = self._legal(action)
        reward = 0.0
        if legal is None:
            self._is_over = True
            reward = WORST_REWARD
        else:
            self._table.apply(legal)
            if state.is_over:
                self._is_over = True
                reward = self._setup.rewards(state.outcome())[self._table.seat]
        observation, info = self._observed()
        if legal is None:
            info["illegal"] = int(action)
        elif self._is_over:
            outcome = state.outcome()
            info |= {"places": outcome.places, "scores": outcome.scores}
        return observation, reward, self._is_over, False, info

    def action_masks(self) -> NDArray[np.int8]:
        """Return which actions are legal, where a learning library looks for it."""
        return self._mask(self.view)

    def render(self) -> Any:
        """Show what your seat sees, as text or as a page of the match so far."""
        names = [""] * self._setup.seats
        for number, name in enumerate(["learner", *(each.name for each in self._setup.opponents)]):
            names[(self._table.seat + number) % self._setup.seats] = name
        return self._rendered(names, self._table.seat)

    def _observed(self) -> tuple[Observation, dict[str, Any]]:
        view = self.view
        return self._observation(view), {"seat": view.seat}


for _game_id in GAME_IDS:
    gymnasium.register(
        f"arena/{_game_id}-v0", entry_point=f"{__name__}:OneSeat", kwargs={"game": _game_id}
    )

"""Environments of PettingZoo: every seat is an agent, and they act one after another (AEC)."""

from __future__ import annotations

from random import Random
from typing import Any

from arena.learn import need
from arena.learn.table import Setup

need("pettingzoo", "arena.learn.pettingzoo")

from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

from arena.learn.environments import (  # noqa: E402
    RENDER_MODES,
    WORST_REWARD,
    MatchEnvironment,
    Observation,
    action_space,
    observation_space,
)


class InTurns(MatchEnvironment, AECEnv):  # type: ignore[misc]  # PettingZoo is not typed
    """A match in which the seats act one after another.

    With `max_cycles`, it is cut off after that many actions of each seat.
    """

    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        variant: str = "",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Prepare a game."""
        setup = Setup(game, seats, variant)
        super().__init__(setup, render_mode=render_mode)
        self._max_cycles = max_cycles
        self.possible_agents = [f"seat_{seat}" for seat in range(setup.seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        # Each agent has its own spaces, as they can be seeded.
        self._observation_spaces = {each: observation_space(setup) for each in self._seat_of}
        self._action_spaces = {each: action_space(setup) for each in self._seat_of}
        self.metadata = {
            "name": f"arena_{setup.game.id}_v0",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
        }
        self._cycles = 0
        """Actions of this match."""

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self._action_spaces[agent]

    def render(self) -> str | None:
        """Show the whole truth, as text or as a page of the match so far."""
        return self._rendered(self.possible_agents)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next match; with a seed, begin a new series of matches."""
        if seed is not None or self._base is None:
            self._begin_series(Random().getrandbits(62) if seed is None else seed)
        self._deal(self._match)
        self._cycles = 0
        agents = self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._skip_agent_selection = None
        self._ask(self._state.to_act)

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now, and what it may do."""
        if agent != self._asked:
            return self._observation(self._view_of(self._seat_of[agent]))
        return self._observation(self._view, self.infos[agent]["action_mask"])

    def step(self, action: Any) -> None:
        """Play the action of the agent to act."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        legal = self._legal(action)
        if legal is not None:
            self._table.apply(legal)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        self._cycles += 1
        if legal is None or self._state.is_over:
            self._end(self._seat_of[agent] if legal is None else None)
            return
        cycles = self._max_cycles
        if cycles is not None and self._cycles >= cycles * self._setup.seats:
            self.truncations = dict.fromkeys(self.agents, True)
        self._ask(self._state.to_act)

    def _ask(self, seat: int) -> None:
        """Make an agent the one to act."""
        agent = self.agent_selection = self._asked = self.possible_agents[seat]
        self._view = self._view_of(seat)
        self.infos[agent] = {"action_mask": self._mask(self._view)}

    def _end(self, seat_at_fault: int | None) -> None:
        """End the match; if a seat played an illegal action, at its cost."""
        if seat_at_fault is None:
            outcome = self._state.outcome()
            rewards = self._setup.rewards(outcome)
            for agent, seat in self._seat_of.items():
                self.infos[agent] = {"place": outcome.places[seat], "score": outcome.scores[seat]}
        else:
            seats = range(self._setup.seats)
            rewards = tuple(WORST_REWARD * (seat == seat_at_fault) for seat in seats)
        self._asked = ""
        for agent, reward in zip(self.possible_agents, rewards, strict=True):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] = reward
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()


def raw_env(game: str, **settings: Any) -> InTurns:
    """Make an environment without PettingZoo's wrappers; the settings are those of `InTurns`."""
    return InTurns(game, **settings)


def env(game: str, **settings: Any) -> Any:
    """Make an environment that refuses calls in the wrong order, as PettingZoo's own do."""
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(InTurns(game, **settings))
    )

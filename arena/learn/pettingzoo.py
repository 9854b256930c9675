"""Environments of PettingZoo: every seat is an agent.

`env` lets agents act one after another (PettingZoo's AEC), as all our games are played.
`parallel_env` is for Trio in teams, where partners choose the cards that they swap at the same
time.
"""

from __future__ import annotations

from random import Random
from typing import Any

from arena.errors import BadInput
from arena.learn import need
from arena.learn.table import Setup

need("pettingzoo", "arena.learn.pettingzoo")

from pettingzoo import AECEnv, ParallelEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

from arena.learn.environments import (  # noqa: E402
    RENDER_MODES,
    WORST_REWARD,
    MatchEnvironment,
    Observation,
    action_space,
    observation_space,
)


class _AllSeats(MatchEnvironment):
    """What both kinds of environment have in common: every seat is an agent."""

    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        variant: str = "",
        illegal: str = "end",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Prepare a game; with `max_cycles`, a match is cut off after that many."""
        setup = Setup(game, seats, variant)
        super().__init__(setup, illegal=illegal, render_mode=render_mode)
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
        """Actions, or steps, of this match."""

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self._action_spaces[agent]

    def render(self) -> str | None:
        """Show the whole truth, as text or as a page of the match so far."""
        return self._rendered(self.possible_agents)

    def _deal_next(self, seed: int | None) -> None:
        """Deal the next match; with a seed, begin a new series of matches."""
        if seed is not None or self._base is None:
            self._begin_series(Random().getrandbits(62) if seed is None else seed)
        self._deal(self._match)
        self._cycles = 0
        self.agents = list(self.possible_agents)

    def _apply(self, action: Any) -> bool:
        """Play an action for the seat to act; return whether the match goes on."""
        legal = self._legal(action)
        if legal is None:
            return False
        self._table.apply(legal)
        return not self._state.is_over

    def _final_rewards(self, seat_at_fault: int | None) -> list[float]:
        """Return every seat's reward when a match is over, or ended by an illegal action."""
        if seat_at_fault is None:
            return list(self._setup.rewards(self._state.outcome()))
        return [WORST_REWARD * (seat == seat_at_fault) for seat in range(self._setup.seats)]

    def _final_infos(self) -> dict[str, dict[str, Any]]:
        """Return every seat's place and score when a match is over."""
        outcome = self._state.outcome()
        return {
            agent: {"place": outcome.places[seat], "score": outcome.scores[seat]}
            for agent, seat in self._seat_of.items()
        }


class InTurns(_AllSeats, AECEnv):  # type: ignore[misc]  # PettingZoo is not typed
    """A match in which the seats act one after another.

    With `max_cycles`, it is cut off after that many actions of each seat.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next match; with a seed, begin a new series of matches."""
        self._deal_next(seed)
        agents = self.agents
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
        goes_on = self._apply(action)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        self._cycles += 1
        if not goes_on:
            self._end(None if self._state.is_over else self._seat_of[agent])
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
        rewards = self._final_rewards(seat_at_fault)
        self._asked = ""
        for agent, reward in zip(self.possible_agents, rewards, strict=True):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] = reward
        self.terminations = dict.fromkeys(self.agents, True)
        if seat_at_fault is None:
            self.infos = self._final_infos()
        self._deads_step_first()


class AtTheSameTime(_AllSeats, ParallelEnv):  # type: ignore[misc]  # PettingZoo is not typed
    """A match of Trio in teams, where partners choose the cards that they swap at the same time.

    All agents act in every step. The mask of one that is not asked is empty, and whatever it
    passes is ignored. With `max_cycles`, the match is cut off after that many steps.
    """

    def __init__(self, game: str, **settings: Any) -> None:
        """Prepare a game; the settings are those of `InTurns`."""
        super().__init__(game, **settings)
        setup = self._setup
        if not getattr(setup.parameters, "teams", False):
            raise BadInput(
                f"this {setup.game.title} is played in turns, so use env: only Trio in teams has "
                "decisions at the same time"
            )
        self.metadata = self.metadata | {"is_parallelizable": True}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal the next match; with a seed, begin a new series of matches."""
        self._deal_next(seed)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Play the actions of all seats that are asked."""
        state = self._state
        if not self.agents:
            raise BadInput("the match is over, or has not begun: call reset")
        goes_on, at_fault = True, None
        for seat in self._asked():
            agent = self.possible_agents[seat]
            if agent not in actions:
                raise BadInput(f"{agent} is asked, and no action was passed for it")
            goes_on = self._apply(actions[agent])
            if not goes_on:
                at_fault = None if state.is_over else seat
                break
        self._cycles += 1
        cut_off = goes_on and self._cycles == self._max_cycles
        agents = self.agents
        rewards = [0.0] * len(agents) if goes_on else self._final_rewards(at_fault)
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        if state.is_over:
            infos = self._final_infos()
        observations = self._observations()
        if not goes_on or cut_off:
            self.agents = []
        return (
            observations,
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, not goes_on),
            dict.fromkeys(agents, cut_off),
            infos,
        )

    def _asked(self) -> tuple[int, ...]:
        """Return the seats that choose now, in the order in which the rules take their choices."""
        state = self._state
        if state.is_over:
            return ()
        phase: tuple[int, ...] = self._view_of(state.to_act).phase
        return phase or (state.to_act,)

    def _observations(self) -> dict[str, Observation]:
        asked = self._asked()
        found = {}
        for agent in self.agents:
            seat = self._seat_of[agent]
            view = self._view_of(seat)
            if seat in asked:
                # Each of them sees itself to act: nobody has chosen yet.
                view = view._replace(to_act=seat)
            found[agent] = self._observation(view)
        return found


def raw_env(game: str, **settings: Any) -> InTurns:
    """Make an environment without PettingZoo's wrappers; the settings are those of `InTurns`."""
    return InTurns(game, **settings)


def env(game: str, **settings: Any) -> Any:
    """Make an environment that refuses calls in the wrong order, as PettingZoo's own do."""
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(InTurns(game, **settings))
    )


def parallel_env(game: str, **settings: Any) -> AtTheSameTime:
    """Make an environment in which all agents act in every step."""
    return AtTheSameTime(game, **settings)

"""Environments of PettingZoo: every seat is an agent.

`env` lets agents act one after another (PettingZoo's AEC), as all our games are played.
`parallel_env` is for Trio in teams, where partners choose the cards that they swap at the same
time.
"""

from __future__ import annotations

from random import Random
from typing import Any

from arena.errors import BadInput
from arena.games.randomness import Seed, seed_from
from arena.learn import need
from arena.learn.table import Setup, match_seed

need("pettingzoo", "arena.learn.pettingzoo")

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from pettingzoo import AECEnv, ParallelEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

from arena.learn.environments import (  # noqa: E402
    RENDER_MODES,
    WORST_REWARD,
    Observation,
    action_space,
    check_render_mode,
    illegal_from,
    legal_or_none,
    observation_space,
    rendered,
)


class _Environment:
    """What both kinds of environment have in common: one match after the other, seeded."""

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
        super().__init__()
        check_render_mode(render_mode)
        self._setup = setup = Setup(game, seats, variant)
        self._illegal = illegal_from(illegal)
        self._max_cycles = max_cycles
        self.render_mode = render_mode
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
        self._state: Any = None
        self._played: list[tuple[int, int]] = []
        self._rng = Random(0)
        self._base: Seed | None = None
        self._match = 0
        self._seed: Seed = b""

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self._action_spaces[agent]

    def render(self) -> str | None:
        """Show the whole truth, as text or as a page of the match so far."""
        if self._state is None:
            raise BadInput("call reset before render")
        return rendered(
            self.render_mode,
            self._state,
            self._setup,
            self._seed,
            self._played,
            self._state,
            self.possible_agents,
        )

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _deal(self, seed: int | None) -> None:
        """Deal the next match; with a seed, begin a new series of matches."""
        if seed is not None or self._base is None:
            self._base = seed_from(Random().getrandbits(62) if seed is None else seed)
            self._match = 0
        self._seed = match_seed(self._base, 0, self._match)
        self._match += 1
        self._rng = Random(self._seed)
        self._state = self._setup.start(self._seed)
        self._played = []
        self._cycles = 0
        self.agents = list(self.possible_agents)

    def _apply(self, action: Any) -> bool:
        """Play an action for the seat to act; return whether the match goes on."""
        state = self._state
        legal = legal_or_none(self._setup.game, state, action, self._illegal, self._rng)
        if legal is None:
            return False
        self._played.append((state.to_act, legal))
        state.apply(legal)
        return not state.is_over

    def _observation(self, view: Any) -> Observation:
        tensor = self._setup.encoder.encode_many((view,))
        return {"observation": np.frombuffer(tensor, np.float32), "action_mask": self._mask(view)}

    def _mask(self, view: Any) -> NDArray[np.int8]:
        return np.frombuffer(self._setup.encoder.mask(view), np.int8)

    def _view_of(self, seat: int) -> Any:
        return self._setup.game.view_of(self._state, seat)

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


class InTurns(_Environment, AECEnv):  # type: ignore[misc]  # PettingZoo is not typed
    """A match in which the seats act one after another.

    With `max_cycles`, it is cut off after that many actions of each seat.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next match; with a seed, begin a new series of matches."""
        self._deal(seed)
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
        tensor = np.frombuffer(self._setup.encoder.encode_many((self._view,)), np.float32)
        return {"observation": tensor, "action_mask": self.infos[agent]["action_mask"]}

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


class AtTheSameTime(_Environment, ParallelEnv):  # type: ignore[misc]  # PettingZoo is not typed
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
        self._deal(seed)
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

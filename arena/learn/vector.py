"""Many matches at once, with numpy arrays in and out.

`VectorEnv` keeps a number of matches in play. Each step takes one action for every match, and
returns for every match what the seat to act next sees, what it may do, and what has just ended. A
match that has ended is replaced by a new one in the same step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from arena.errors import BadInput, IllegalAction
from arena.games.randomness import Seed
from arena.learn import need
from arena.learn.opponents import THINKING_S
from arena.learn.table import Setup, Table, match_seed, seed_of
from arena.sdk import Bot

need("numpy", "arena.learn.vector")

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402


class VectorStep(NamedTuple):
    """What `VectorEnv` returns: one row for each match. Each batch has its own arrays."""

    observations: NDArray[np.float32]
    """The tensor of the seat to act. It cannot be written to."""
    masks: NDArray[np.bool_]
    """Which actions that seat may play. It cannot be written to."""
    seats: NDArray[np.int64]
    """The seat to act."""
    done: NDArray[np.bool_]
    """Whether the last action ended a match. Everything above is then of the match that follows."""
    rewards: NDArray[np.float32]
    """What each seat gets for its place in the match that ended, from 1 to -1; otherwise 0."""
    places: NDArray[np.int64]
    """The place of each seat in the match that ended, 1 being the best; otherwise 0."""
    scores: NDArray[np.int64]
    """The score of each seat in the match that ended; otherwise 0."""


class VectorEnv:
    """A number of matches in play, each followed by another."""

    def __init__(
        self,
        game: str,
        count: int,
        *,
        seats: int | None = None,
        variant: str = "",
        seed: int | Seed = 0,
        opponents: Sequence[str | type[Bot]] | str | type[Bot] = (),
        thinking_s: float = THINKING_S,
        ask_forced: bool = False,
    ) -> None:
        """Prepare `count` matches; `reset` deals them.

        Without opponents, the actions of all seats are yours. With opponents, which are bots in
        this process, you have one seat at each table. It moves on with every match, and each deal
        is played once in every seat. Unless `ask_forced` is set, a seat with one legal action is
        not asked, as in a league.
        """
        if count < 1:
            raise BadInput(f"{count} matches cannot be played at once: at least one is needed")
        self._setup = setup = Setup(game, seats, variant, opponents, thinking_s)
        self.game = setup.game
        self.seats = setup.seats
        self.parameters = setup.parameters
        self.encoder = setup.encoder
        self.count = count
        self.ask_forced = ask_forced
        self._seed = seed_of(seed)
        self._tables = [Table(setup, ask_forced=ask_forced) for _ in range(count)]
        self._matches = [0] * count
        self._rows = np.arange(count)
        self._masks: NDArray[np.bool_] | None = None

    @property
    def observation_size(self) -> int:
        """How many floats an observation has."""
        return self.encoder.size

    @property
    def action_count(self) -> int:
        """How many actions the game has."""
        return self.game.action_count

    @property
    def views(self) -> list[Any]:
        """The view of the seat to act in each match, in the game's own type."""
        states = [table.state for table in self._tables]
        return [self.game.view_of(state, state.to_act) for state in states]

    def reset(self, seed: int | Seed | None = None) -> VectorStep:
        """Deal all matches again; the same seed and the same actions give the same matches."""
        if seed is not None:
            self._seed = seed_of(seed)
        self._matches = [0] * self.count
        for number in range(self.count):
            self._deal(number)
        return self._batch([])

    def step(self, actions: Sequence[int] | NDArray[Any]) -> VectorStep:
        """Play one action in each match."""
        chosen = self._checked(actions)
        ended: list[tuple[int, Any]] = []
        for number, (table, action) in enumerate(zip(self._tables, chosen, strict=True)):
            table.apply(action)
            if table.state.to_act < 0:
                ended.append((number, table.state.outcome()))
                self._matches[number] += 1
                self._deal(number)
        return self._batch(ended)

    def _checked(self, actions: Sequence[int] | NDArray[Any]) -> list[int]:
        """Return the actions as numbers; refuse them all if one is illegal."""
        if self._masks is None:
            raise BadInput("call reset before step: no match has been dealt yet")
        chosen = np.asarray(actions)
        if chosen.shape != (self.count,) or not np.issubdtype(chosen.dtype, np.integer):
            raise BadInput(
                f"step takes {self.count} whole numbers, one action for each match, not an array "
                f"of {chosen.dtype} with shape {chosen.shape}"
            )
        known = (chosen >= 0) & (chosen < self.action_count)
        legal = self._masks[self._rows, np.where(known, chosen, 0)] & known
        if not legal.all():
            first = int(np.argmin(legal))
            raise IllegalAction(
                f"action {chosen[first]} is not legal in match {first}; batch.masks has the legal "
                "ones. Nothing was played"
            )
        numbers: list[int] = chosen.tolist()
        return numbers

    def _deal(self, number: int) -> None:
        """Begin the next match of a table."""
        table, has_opponents = self._tables[number], bool(self._setup.opponents)
        while True:
            match = self._matches[number]
            # Tables begin with different seats.
            deal, turn = divmod(match, self.seats) if has_opponents else (match, 0)
            table.start(match_seed(self._seed, number, deal), (turn + number) % self.seats)
            if table.state.to_act >= 0:
                return
            # Nobody had a choice: this match teaches nothing.
            self._matches[number] += 1

    def _batch(self, ended: list[tuple[int, Any]]) -> VectorStep:
        # The states are our own, so the checks of the public method would only take time.
        view_of = self.game._view_of
        pieces_of, mask_of = self.encoder.pieces, self.encoder.mask
        pieces: list[bytes] = []
        masks: list[bytes] = []
        seats: list[int] = []
        for table in self._tables:
            state = table.state
            seat = state.to_act
            view = view_of(state, seat)
            pieces += pieces_of(view)
            masks.append(mask_of(view))
            seats.append(seat)
        shape = (self.count, self.seats)
        done = np.zeros(self.count, np.bool_)
        rewards = np.zeros(shape, np.float32)
        places = np.zeros(shape, np.int64)
        scores = np.zeros(shape, np.int64)
        for number, outcome in ended:
            done[number] = True
            rewards[number] = self._setup.rewards(outcome)
            places[number] = outcome.places
            scores[number] = outcome.scores
        self._masks = np.frombuffer(b"".join(masks), np.bool_).reshape(self.count, -1)
        return VectorStep(
            np.frombuffer(b"".join(pieces), np.float32).reshape(self.count, -1),
            self._masks,
            np.array(seats),
            done,
            rewards,
            places,
            scores,
        )


def returns_of(
    seats: NDArray[np.int64], done: NDArray[np.bool_], rewards: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return what each decision led to: the reward of its seat at the end of its match.

    All arrays have a first axis for steps and a second for matches, as stacked batches have:
    `seats[t]` of the batch before the action, `done[t]` and `rewards[t]` of the batch after it.
    Decisions of matches that have not ended are NaN.
    """
    returns = np.full(seats.shape, np.nan, np.float32)
    final = np.full(rewards.shape[1:], np.nan, np.float32)
    rows = np.arange(seats.shape[1])
    for step in range(len(seats) - 1, -1, -1):
        final = np.where(done[step, :, None], rewards[step], final)
        returns[step] = final[rows, seats[step]]
    return returns

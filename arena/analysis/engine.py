"""Analyse a match on all cores: what the search of the house bot thinks of every decision.

House bots are data: nothing here imports one by name. `load_search` loads the modules of its folder
into a process that does nothing else, so that their names cannot clash.

The search gets the view of the deciding seat and nothing more. Hidden cards are sampled to fit it,
as when the bot plays: an assessment blames nobody for what could not be known. The first half of
the effort finds the best action. The other half compares it with the action that was played, in
states that are new to both and the same for both, so that neither profits from being selected.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from math import sqrt
from multiprocessing import active_children, get_context
from random import Random
from typing import Any, NamedTuple

from arena.analysis.assessment import Analysis, Assessment, Effort
from arena.errors import PlatformError
from arena.games.randomness import Seed, derive
from arena.games.registry import AnyGame, game_named
from arena.records import How, Record, replay_record
from arena.submission.lookup import house_bots

_MIN_PLAYOUTS = 8
"""Playouts of each of the two actions, however short the time."""


class Task(NamedTuple):
    """A decision to assess."""

    number: int
    game_id: str
    view: Any
    """Of the deciding seat; its type is the game's own, hence Any."""
    played: int
    sides: tuple[int, ...]
    seed: Seed
    """Of the match; each decision has its own random numbers."""
    effort: Effort


class _Search(NamedTuple):
    """What this module uses of the house bot; its types are its own, hence Any."""

    recipe: Any
    guides: Any


_loaded: list[_Search] = []


def load_search() -> None:
    """Load the modules of the house bot into this process."""
    if not _loaded:
        sys.path.insert(0, str(house_bots()["search"]))
        _loaded.append(_Search(import_module("recipe"), import_module("guides")))


def assess(task: Task) -> Assessment:
    """Search for the best action and compare it with the one that was played."""
    (search,) = _loaded
    game = game_named(task.game_id)
    rng = Random(derive(task.seed, f"analysis {task.number}"))
    guide = search.guides.guide_for(task.game_id)(task.view)
    actions = game.legal_actions(task.view)
    best = search.recipe.Search(game, guide, task.view, actions, rng).run(_spent(task.effort, 0.5))
    comparison = _Comparison(game, guide, task, rng)
    spent = _spent(task.effort, 0.5)
    while len(comparison.losses) < _MIN_PLAYOUTS or spent(2 * len(comparison.losses)) < 1:
        comparison.play(best)
    return comparison.assessment(best)


def _spent(effort: Effort, share: float) -> Callable[[int], float]:
    """Return what turns a number of playouts into how much of a share of the effort is spent."""
    if effort.playouts is not None:
        count = max(1, effort.playouts) * share
        return lambda playouts: playouts / count
    began, seconds = time.process_time(), share * effort.think_s
    return lambda _: (time.process_time() - began) / seconds if seconds else 1.0


class _Total(NamedTuple):
    """Sums over the playouts of an action."""

    reward: float
    """Of the deciding seat."""
    chances: tuple[float, ...]
    """Of each seat to come first."""


class _Comparison:
    """Playouts of two actions in the same sampled states."""

    def __init__(self, game: AnyGame, guide: Any, task: Task, rng: Random) -> None:
        self._game, self._guide, self._task, self._rng = game, guide, task, rng
        self.losses: list[float] = []
        self._totals: dict[int, _Total] = {}

    def play(self, best: int) -> None:
        """Sample a state, and play on after both actions."""
        world = self._game.world(self._task.view, self._rng)
        after_best = self._play_on(world.copy(), best)
        is_other = self._task.played != best
        after_played = self._play_on(world, self._task.played) if is_other else after_best
        self.losses.append(after_best - after_played)

    def _play_on(self, state: Any, action: int) -> float:
        """Play on after an action; return the reward of the seat."""
        state.apply(action)
        self._guide.play_on(state, self._rng)
        rewards = self._guide.rewards(state)
        total = self._totals.setdefault(action, _Total(0.0, (0.0,) * len(rewards)))
        chances = first_chances(state, rewards, self._task.sides)
        reward: float = rewards[self._task.view.seat]
        self._totals[action] = _Total(
            total.reward + reward, tuple(map(sum, zip(total.chances, chances, strict=True)))
        )
        return reward

    def assessment(self, best: int) -> Assessment:
        """Sum up the playouts."""
        task, count = self._task, len(self.losses)
        # A reward is the share of the other sides that the seat finishes ahead of.
        others = len(set(task.sides)) - 1
        mean = sum(self.losses) / count
        variance = sum((loss - mean) ** 2 for loss in self.losses) / max(1, count - 1)
        if mean <= 0:
            best, mean, variance = task.played, 0.0, 0.0
        total = self._totals[best]
        return Assessment(
            task.number,
            task.view.seat,
            task.played,
            best,
            tuple(round(chance / count, 4) for chance in total.chances),
            round(1 + others * (1 - total.reward / count), 4),
            round(others * mean, 4),
            round(others * sqrt(variance / count), 4),
            count,
        )


def first_chances(state: Any, rewards: Sequence[float], sides: Sequence[int]) -> list[float]:
    """Return the chance of each seat to come first, given what a state is worth to each.

    After the end this is a fact. Before it, a side that finishes ahead of each other one with the
    chance r is taken to finish ahead of all of them with r to the power of their number.
    """
    if state.to_act < 0:
        first = {
            side for side, place in zip(sides, state.outcome().places, strict=True) if place == 1
        }
        return [1 / len(first) if side in first else 0.0 for side in sides]
    others = len(set(sides)) - 1
    weights = dict(zip(sides, (reward**others for reward in rewards), strict=True))
    total = sum(weights.values())
    return [weights[side] / total if total else 1 / (others + 1) for side in sides]


def tasks_of(record: Record, effort: Effort, seat: int | None = None) -> list[Task]:
    """List the decisions to assess: the ones that a player chose, for all seats or one."""
    game = game_named(record.game_id)
    sides = game.sides(len(record.entrants), game.parameters_form.read(record.parameters))
    tasks: list[Task] = []
    # Each state is the one in which the next decision was made.
    states = zip(record.decisions, replay_record(record), strict=False)
    for number, (decision, (_, state)) in enumerate(states):
        if decision.how is How.CHOSEN and seat in (None, decision.seat):
            view = game.view_of(state, decision.seat)
            tasks.append(Task(number, game.id, view, decision.action, sides, record.seed, effort))
    return tasks


def suggest(game: AnyGame, view: Any, effort: Effort, seed: bytes) -> int:
    """Return what search would do at a decision, from the view of the seat alone.

    The seed is for its samples.
    """
    actions = game.legal_actions(view)
    sides = game.sides(view.seats, view.parameters)
    task = Task(0, game.id, view, actions[0], sides, Seed(seed), effort)
    # A new interpreter: the house bot's modules have common names.
    with ProcessPoolExecutor(1, get_context("spawn"), initializer=_start_worker) as pool:
        return pool.submit(assess, task).result().best


def analyse(
    record: Record,
    effort: Effort,
    *,
    seat: int | None = None,
    cores: int | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Analysis:
    """Assess the decisions of a record, which is not verified; of one seat, if one is given.

    `on_progress` is called with the number of decisions done and their total.
    """
    tasks = tasks_of(record, effort, seat)
    workers = min(cores or len(os.sched_getaffinity(0)), max(1, len(tasks)))
    others = set(active_children())
    # A new interpreter each: the house bot's modules have common names.
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_start_worker)
    try:
        # Ctrl-C waits until the processes have started: an unfinished start would print errors.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            pending = [pool.submit(assess, task) for task in tasks]
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for done, future in enumerate(as_completed(pending), start=1):
            future.result()
            on_progress(done, len(tasks))
        return Analysis(effort, tuple(future.result() for future in pending))
    except BrokenProcessPool:
        raise PlatformError(
            "a process of the analysis was killed: is there enough memory?"
        ) from None
    except BaseException:
        # Do not wait for what they are thinking about.
        for process in set(active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _start_worker() -> None:
    # Ctrl-C reaches all processes of the terminal; this one ends with the pool.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    load_search()

"""How much processor time do the house bots need for a decision?

Each bot plays four-seat matches against copies of itself, in this process, without a wire. Only
`choose_many` is timed, as the SDK calls it for a batch of tables; making the views is not. All bots
of a game take turns, and each figure is the median of their turns.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from arena.games.randomness import derive, seed_from
from arena.games.registry import AnyGame, all_games
from arena.sdk import Bot, Match

BOTS = Path(__file__).parents[2] / "bots"
SEATS = 4
TABLES = 16
TURNS = 7
DECISIONS = 600


def bot_named(folder: str) -> Bot:
    """Load the bot of a folder in bots/."""
    spec = spec_from_file_location(f"bots.{folder}", BOTS / folder / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    (found,) = [
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, Bot) and thing is not Bot
    ]
    bot: Bot = found()
    return bot


def match_of(game: AnyGame, seed: bytes) -> Match:
    """Make the match that a bot sees, with one generator for all seats."""
    return Match(
        game=game,
        parameters=game.default_parameters,
        seats=SEATS,
        seat=0,
        bank_s=60.0,
        increment_s=0.5,
        counts_cpu=True,
        commitment=b"",
        rng=Random(seed),
    )


def decision_us(game: AnyGame, bot: Bot, turn: int) -> float:
    """Play matches at several tables; return the mean processor time of a decision in µs."""
    seeds = (derive(seed_from(turn), f"match {number}") for number in range(1_000_000))
    tables: list[tuple[Any, Match]] = []
    decisions = 0
    seconds = 0.0
    while decisions < DECISIONS:
        tables = [(state, match) for state, match in tables if not state.is_over]
        while len(tables) < TABLES:
            seed = next(seeds)
            tables.append((game.start(SEATS, seed), match_of(game, seed)))
        asked = [(state, match) for state, match in tables if skip_forced(state)]
        views = [game.view_of(state, state.to_act) for state, _ in asked]
        bot.matches = [match for _, match in asked]
        start = time.process_time()
        actions = bot.choose_many(views)
        seconds += time.process_time() - start
        decisions += len(actions)
        for (state, _), action in zip(asked, actions, strict=True):
            state.apply(action)
    return seconds / decisions * 1e6


def skip_forced(state: Any) -> bool:
    """Play on until there is a choice, as the referee does; return whether there is one."""
    while not state.is_over and (action := state.only_action()) is not None:
        state.apply(action)
    return not state.is_over


def measure_game(game: AnyGame) -> dict[str, float]:
    """Measure the bots of a game alternately; return the µs of a decision."""
    bots = {name: bot_named(name) for name in (f"greedy-{game.id}", "first", "random")}
    times: dict[str, list[float]] = {name: [] for name in bots}
    for turn in range(TURNS + 1):
        for name, bot in bots.items():
            found = decision_us(game, bot, turn)
            # The first turn fills caches.
            if turn:
                times[name].append(found)
    return {name.partition("-")[0]: round(median(found), 1) for name, found in times.items()}


def measure() -> dict[str, dict[str, float]]:
    """Measure every game; the keys are those of --json."""
    return {game.id: measure_game(game) for game in all_games()}


def show(figures: dict[str, dict[str, float]]) -> None:
    """Print the figures as a table."""
    print(f"processor time of a decision at {SEATS} seats, µs")
    print("game           greedy   first  random")
    for name, found in figures.items():
        print(f"{name:12} {found['greedy']:8} {found['first']:7} {found['random']:7}")


if __name__ == "__main__":
    result = measure()
    if "--json" in sys.argv[1:]:
        print(json.dumps(result, indent=2))
    else:
        show(result)

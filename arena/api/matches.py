"""Play matches."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from arena.api.league import LEAGUE
from arena.api.players import AnyPlayer, Cages, seated_players
from arena.api.replay import Replay
from arena.games.randomness import derive
from arena.games.registry import AnyGame, game_named, parameters_from
from arena.indices import PlayerIndex
from arena.referee.clock import DEFAULT_CLOCK, Clock, read_clock
from arena.referee.model import Fixture
from arena.referee.players.remote import OnOutput
from arena.referee.referee import Referee
from arena.sandbox.select import AUTO
from arena.secret import Secret, secret_from

T = TypeVar("T")


def play_match(
    game: str | AnyGame,
    players: Sequence[AnyPlayer],
    *,
    seed: int | bytes | Secret | None = None,
    variant: str | Sequence[str] = (),
    clock: str | Clock = DEFAULT_CLOCK,
    cage: str = AUTO,
    limits: Mapping[str, int] | None = None,
    league: str | Path = LEAGUE,
) -> Replay:
    """Play a match and return its replay.

    There is a player for each seat: a function that takes a view and returns an action; a `Bot` or
    its class; the name of a house bot or of a bot of the league; the path of a bot; or a command
    line. Functions and `Bot`s play in this process, without a clock, and their errors are raised.
    All others play in a cage, and their faults are part of the replay.

    The same seed gives the same deal; without a seed, each match has a different one.
    """
    (replay,) = play_matches(
        game,
        players,
        1,
        seed=seed,
        variant=variant,
        clock=clock,
        cage=cage,
        limits=limits,
        league=league,
    )
    return replay


def play_matches(
    game: str | AnyGame,
    players: Sequence[AnyPlayer],
    count: int,
    *,
    seed: int | bytes | Secret | None = None,
    variant: str | Sequence[str] = (),
    clock: str | Clock = DEFAULT_CLOCK,
    cage: str = AUTO,
    limits: Mapping[str, int] | None = None,
    league: str | Path = LEAGUE,
    on_output: Callable[[str], OnOutput] | None = None,
    on_warning: Callable[[str], object] = warnings.warn,
) -> list[Replay]:
    """Play matches at once like `play_match`, with the same players in the same seats.

    `on_output` is called with the name of each seat in a cage, and returns a function for what its
    bot prints. `on_warning` is called if a cage does not protect as it should.
    """
    rules = game_named(game) if isinstance(game, str) else game
    parameters = parameters_from(rules, variant)
    rules.check_seats(len(players), parameters)
    key = secret_from(seed).key
    seeds = [key] if count == 1 else [derive(key, f"match {number}") for number in range(count)]
    seating = tuple(map(PlayerIndex, range(len(players))))
    fixtures = [
        Fixture(number, rules, parameters, each, seating) for number, each in enumerate(seeds)
    ]
    time = read_clock(clock)
    cages = Cages(cage, limits, on_warning)
    with seated_players(rules, players, cages, league=Path(league), on_output=on_output) as (
        seated,
        mark,
    ):
        return run_async(_play(Referee(seated, time, cage=mark), fixtures))


async def _play(referee: Referee, fixtures: Sequence[Fixture]) -> list[Replay]:
    played = referee.play(fixtures, tables=len(fixtures))
    records = {fixture.number: record async for fixture, record in played}
    return [Replay(records[fixture.number]) for fixture in fixtures]


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end; in another thread if this one runs a loop already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(asyncio.run, work).result()

"""What a bot's own decisions cost: ask it again, in this process, what it was asked in a match.

The views are those of the match, in the same order, so the cost is that of `choose` and nothing
else. In the match itself, the processor's caches are colder, and `choose` costs a little more.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from importlib.util import module_from_spec, spec_from_file_location
from random import Random
from typing import Any, NamedTuple

from arena.games.registry import game_named
from arena.records import How, Record, bot_seed, replay_record
from arena.sdk import Bot
from arena.sdk.bot import Match
from arena.submission.house import house_bots


class Asked(NamedTuple):
    """Everything that the bot in one seat was asked in one match."""

    name: str
    match: Match
    views: list[Any]
    """Their type is the game's own, hence Any."""


def asked_in(record: Record) -> list[Asked]:
    """Return what each seat of a match was asked."""
    game = game_named(record.game_id)
    parameters = game.parameters_form.read(record.parameters)
    seats = len(record.entrants)
    asked = [
        Asked(
            entrant.name,
            Match(
                game=game,
                parameters=parameters,
                seats=seats,
                seat=seat,
                bank_s=10.0,
                increment_s=0.1,
                counts_cpu=True,
                commitment=b"",
                rng=Random(bot_seed(record.seed, record.salt, seat)),
                time_left_s=10.0,
                wall_left_s=10.0,
            ),
            [],
        )
        for seat, entrant in enumerate(record.entrants)
    ]
    # The state is the one before each decision; after the last one, there is nothing to decide.
    for decision, (_, state) in zip(record.decisions, replay_record(record), strict=False):
        if decision.how is How.CHOSEN:
            asked[decision.seat].views.append(game.view_of(state, decision.seat))
    return asked


def choose_cpu_s(bot: Bot, questions: Iterable[Asked]) -> float:
    """Let a bot choose; return the processor time of its choices."""
    spent_s = 0.0
    for asked in questions:
        bot.match = asked.match
        bot.matches = [asked.match] * len(asked.views)
        bot.match_started()
        start = time.process_time()
        bot.choose_many(asked.views)
        spent_s += time.process_time() - start
    return spent_s


def load_house_bot(name: str) -> Bot:
    """Load a house bot into this process."""
    spec = spec_from_file_location(f"house_bot_{name}", house_bots()[name] / "bot.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    (found,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Bot) and value is not Bot
    )
    return found()

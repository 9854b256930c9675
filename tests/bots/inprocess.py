"""Play duplicate deals between bots in this process, without a cage, a socket or a clock.

`bot_class("random")` loads a house bot, `share_of` returns the share of the points it gets, and
`decision` returns what it plays in a position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from arena.games.randomness import Seed, derive, seed_from
from arena.games.registry import AnyGame
from arena.learn import opponents
from arena.learn.opponents import bot_class as bot_class  # others import it from here
from arena.records import Entrant, Record, bot_seed
from arena.referee.table import Answer, DecisionRequest, table
from arena.scheduling.pairing import rotations
from arena.scheduling.points import points_of
from arena.sdk import Bot, Match, Result
from arena.sdk.seated import SeatedBot
from arena.submission.lookup import find_bot
from arena.wire.envelope import commitment
from tests.builders.records import drive

BOTS = Path(__file__).parents[2] / "bots"


class Share(NamedTuple):
    """A bot's mean share of the points: the share of its opponents that it beat; 0.5 is even."""

    mean: float
    error: float
    """The standard error of the mean, from the spread of whole deals."""


def bot_module(name: str) -> Any:
    """Load the bot.py of a house bot as a module, once; its contents vary, hence Any."""
    return opponents.bot_module(find_bot(name))


def share_of(
    game: AnyGame,
    bots: Sequence[type[Bot]],
    *,
    deals: int,
    parameters: Any = None,
    seed: int = 0,
) -> Share:
    """Play deals, each in every rotation of the seats; return the share of the first bot's class.

    The bots take seats in this order: in teams, (A, B, A, B) gives both partners the same bot.
    """
    parameters = parameters or game.default_parameters
    sides = game.sides(len(bots), parameters)
    players = [bot() for bot in bots]
    shares = []
    for deal in range(deals):
        deal_seed = derive(seed_from(seed), f"deal {deal}")
        gains = []
        for turn in rotations(sides):
            seated = players[-turn:] + players[:-turn]
            record = play_bots(game, seated, deal_seed, parameters)
            points = points_of(record.places, sides)
            gains += [
                gained
                for player, gained in zip(seated, points, strict=True)
                if type(player) is bots[0]
            ]
        shares.append(float(sum(gains) / len(gains)))
    return Share(fmean(shares), stdev(shares) / sqrt(deals))


def play_bots(
    game: AnyGame, bots: Sequence[Bot], seed: Seed, parameters: Any, *, salt: bytes = b""
) -> Record:
    """Play a match between these bots, seat by seat; a fault fails the test.

    Bots that use random numbers draw others with another salt.
    """
    seated = [
        SeatedBot(bot, _match(game, parameters, len(bots), seat, seed, salt))
        for seat, bot in enumerate(bots)
    ]
    entrants = [Entrant(type(bot).__name__) for bot in bots]
    choosers = [_chooser(each) for each in seated]
    match = table(game, seed, parameters, entrants)
    (record, events), _ = drive(match, lambda asked: Answer(choosers[asked.seat](asked)))
    assert not record.faults, record.faults[0].sentence
    for each in seated:
        each.end(Result(record.places, record.outcome.scores, ""), events)
    return record


def decision(bot: type[Bot], game: AnyGame, state: Any) -> str:
    """Return the action of a new bot for the seat to act, as text; it has seen no earlier views."""
    seat = state.to_act
    choose = new_chooser(bot, game, state.parameters, state.seats, seat)
    return game.action_text(choose(DecisionRequest(seat, 0, game.view_of(state, seat), (), 0)))


def new_chooser(
    bot: type[Bot], game: AnyGame, parameters: Any, seats: int, seat: int
) -> Callable[[DecisionRequest], int]:
    """Return what decides for a new bot in a seat."""
    return _chooser(SeatedBot(bot(), _match(game, parameters, seats, seat, seed_from(0))))


def _chooser(seated: SeatedBot) -> Callable[[DecisionRequest], int]:
    events: list[Any] = []

    def choose(request: DecisionRequest) -> int:
        events.extend(request.events)
        return seated.choose(request.view, events)

    return choose


def _match(
    game: AnyGame, parameters: Any, seats: int, seat: int, seed: Seed, salt: bytes = b""
) -> Match:
    return Match(
        game=game,
        parameters=parameters,
        seats=seats,
        seat=seat,
        bank_s=60.0,
        increment_s=0.5,
        counts_cpu=False,
        commitment=commitment(seed, salt),
        rng=Random(bot_seed(seed, salt, seat)),
        time_left_s=60.0,
        wall_left_s=60.0,
    )

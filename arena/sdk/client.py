"""How does a bot talk to the referee?

`run` dials the socket that the environment names, says hello, and answers until the referee hangs
up. Nothing of it uses standard input or output: a bot may print what it likes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from operator import index
from random import Random
from typing import Any, NoReturn

from arena.errors import ArenaError
from arena.games.registry import game_named
from arena.sdk.bot import Bot, Match, Result
from arena.sdk.call import Call, CallFailed
from arena.wire.codec import codec_of
from arena.wire.fields import delimited, remembering, uint, written
from arena.wire.messages import (
    METHOD,
    PROTOCOL,
    SERVICE,
    SOCKET,
    Batch,
    MatchEnd,
    MatchStart,
    Request,
    batch,
    match_end,
    match_start,
    request,
    request_without_events,
)

_NOT_THE_BOT = "arena.sdk."
_match = uint(1)
_number = uint(2)
_action: Callable[[int], bytes] = remembering(lambda action: delimited(3, written(1, action)))
_MOST = 2**32
"""An action's index travels as a number below this."""


class _BadChoice(ArenaError):
    """A bot has returned something that is not an action."""


def run(bot: type[Bot] | Bot) -> None:
    """Play until the referee hangs up, then end the process."""
    player = bot() if isinstance(bot, type) else bot
    socket = os.environ.get(SOCKET)
    if not socket:
        program = sys.argv[0]
        game_id = next(iter(player.games), "GAME")
        sys.exit(
            f"{program} is a bot, and bots are started by the referee: "
            f"try `arena check {program}` or `arena play {game_id} {program} random random`"
        )
    _play(player, socket)


def _play(bot: Bot, socket: str) -> NoReturn:
    """Converse, and end the process without hanging up before: who does that is rude."""
    code = 0
    try:
        _converse(bot, socket)
    except SystemExit as wish:
        if isinstance(wish.code, str):
            print(wish.code, file=sys.stderr)
        code = wish.code if isinstance(wish.code, int) else int(wish.code is not None)
    except Exception as error:
        _explain(error)
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    # Whatever threads the bot has left: its process ends now.
    os._exit(code)


def _explain(error: Exception) -> None:
    """Print an error as its author wants to see it: from the first line of the bot's own on."""
    if isinstance(error, _BadChoice | CallFailed):
        print(error, file=sys.stderr)
        return
    trace = error.__traceback__
    while trace and trace.tb_frame.f_globals.get("__name__", "").startswith(_NOT_THE_BOT):
        trace = trace.tb_next
    # Imported here, because only a bot that fails needs it.
    import traceback

    traceback.print_exception(error.with_traceback(trace or error.__traceback__))


def _converse(bot: Bot, socket: str) -> None:
    call = Call(socket, f"/{SERVICE}/{METHOD}")
    call.write(_hello(bot))
    seats: dict[int, _Seat] = {}
    while (heard := call.read()) is not None:
        message = batch.read(heard)
        answers = _answers(bot, seats, message)
        if answers:
            call.write(answers)
        if message.goodbye:
            return


def _hello(bot: Bot) -> bytes:
    name = bot.name or type(bot).__name__
    hello = written(1, PROTOCOL) + delimited(2, name.encode())
    return delimited(1, hello + b"".join([delimited(3, game.encode()) for game in bot.games]))


class _Seat:
    """The bot's seat in one match, with what is needed to read and answer."""

    def __init__(self, start: MatchStart) -> None:
        self.codec = codec_of(start.game)
        self.match = Match(
            game=game_named(start.game),
            parameters=self.codec.parameters_in(start.parameters),
            seats=start.seats,
            seat=start.seat,
            bank_s=start.clock.bank_s,
            increment_s=start.clock.increment_s,
            counts_cpu=start.clock.counts_cpu,
            commitment=start.commitment,
            rng=Random(start.bot_seed),
        )
        self._context = (self.match.parameters, start.seats, start.seat, start.seat)

    def view_in(self, asked: Request) -> Any:
        """Make the view of a request."""
        match = self.match
        match.time_left_s = asked.time_left_s
        match.wall_left_s = asked.wall_left_s if match.counts_cpu else asked.time_left_s
        return self.codec.view_in(asked.view, *self._context)

    def events_in(self, events: Sequence[bytes]) -> list[Any]:
        """Make the events of a message."""
        return [self.codec.event_in(event) for event in events]


def _answers(bot: Bot, seats: dict[int, _Seat], message: Batch) -> bytes:
    """Tell the bot all that a message says, and write its answers."""
    for start in map(match_start.read, message.starts):
        seat = seats[start.match] = _Seat(start)
        bot.match = seat.match
        bot.match_started()
    hears = type(bot).happened is not Bot.happened
    read = request.read if hears else request_without_events
    requests = [read(data) for data in message.requests]
    views = []
    matches = []
    for asked in requests:
        seat = seats[asked.match]
        if hears and asked.events:
            bot.match = seat.match
            bot.happened(seat.events_in(asked.events))
        views.append(seat.view_in(asked))
        matches.append(seat.match)
    answers = b""
    if views:
        bot.matches = matches
        bot.match = matches[0]
        answers = _decisions(requests, _checked(bot, bot.choose_many(views), len(views)))
    for end in map(match_end.read, message.ends):
        _end(bot, seats, end, hears=hears)
    return answers


def _checked(bot: Bot, actions: Any, wanted: int) -> list[int]:
    """Return a bot's choices as numbers, or say what is wrong with them.

    Whether they are legal is for the referee to judge.
    """
    name = type(bot).__name__
    if not hasattr(actions, "__len__"):
        raise _BadChoice(f"{name} chose {actions!r}: choose_many returns a list of actions")
    if len(actions) != wanted:
        raise _BadChoice(f"{name} chose {len(actions)} actions for {wanted} views")
    for action in actions:
        if type(action) is int and 0 <= action < _MOST:
            continue
        if not hasattr(action, "__index__") or not 0 <= index(action) < _MOST:
            raise _BadChoice(f"{name} chose {action!r}: an action is one of legal_actions(view)")
    return list(map(index, actions))


def _decisions(requests: Sequence[Request], actions: Sequence[int]) -> bytes:
    decisions = [
        delimited(1, _match.put(asked.match) + _number.put(asked.number) + _action(action))
        for asked, action in zip(requests, actions, strict=True)
    ]
    return delimited(2, b"".join(decisions))


def _end(bot: Bot, seats: dict[int, _Seat], end: MatchEnd, *, hears: bool) -> None:
    seat = seats.pop(end.match, None)
    if seat is None:
        return
    bot.match = seat.match
    if hears and end.events:
        bot.happened(seat.events_in(end.events))
    bot.match_ended(Result(end.places, end.scores, end.sentence))

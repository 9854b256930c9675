"""How does a bot talk to the referee?

`run` dials the socket that the environment names, says hello, and answers until the referee hangs
up. Nothing of it uses standard input or output: a bot may print what it likes.
"""

from __future__ import annotations

import asyncio
import os
import sys
import traceback
from collections.abc import Sequence
from operator import index
from random import Random
from typing import TYPE_CHECKING, Any

from arena.errors import ArenaError
from arena.games.registry import game_named
from arena.sdk.bot import Bot, Match, Result
from arena.wire.codec import Codec, codec_of
from arena.wire.fields import delimited, uint, written
from arena.wire.messages import PROTOCOL

if TYPE_CHECKING:
    from arena.wire.v1.match_pb2 import FromReferee, MatchEnd, MatchStart, Request

SOCKET = "ARENA_SOCKET"
"""The environment variable that names the referee's socket."""
_NOT_THE_BOT = ("arena.sdk.", "asyncio.")
_match = uint(1)
_number = uint(2)


class _BadChoice(ArenaError):
    """A bot has returned something that is no action."""


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
    code = 0
    try:
        asyncio.run(_converse(player, socket))
    except SystemExit as wish:
        if isinstance(wish.code, str):
            print(wish.code, file=sys.stderr)
        code = wish.code if isinstance(wish.code, int) else int(wish.code is not None)
    except Exception as error:
        _explain(error)
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    # A gRPC client that ends in the ordinary way sometimes never does.
    os._exit(code)


def _explain(error: Exception) -> None:
    """Print an error as its author wants to see it: from the first line of the bot's own on."""
    if isinstance(error, _BadChoice):
        print(error, file=sys.stderr)
        return
    trace = error.__traceback__
    while trace and trace.tb_frame.f_globals.get("__name__", "").startswith(_NOT_THE_BOT):
        trace = trace.tb_next
    traceback.print_exception(error.with_traceback(trace or error.__traceback__))


async def _converse(bot: Bot, socket: str) -> None:
    # Imported here, because it takes longer than all the rest and only a running bot needs it.
    import grpc

    from arena.wire.v1.match_pb2 import FromBot, FromReferee, Hello

    async with grpc.aio.insecure_channel(
        f"unix:{socket}", options=(("grpc.max_receive_message_length", -1),)
    ) as channel:
        call: Any = channel.stream_stream("/arena.wire.v1.Arena/Play")()
        hello = Hello(protocol=PROTOCOL, name=bot.name or type(bot).__name__, games=bot.games)
        await call.write(FromBot(hello=hello).SerializeToString())
        seats: dict[int, _Seat] = {}
        while True:
            heard = await call.read()
            if heard is grpc.aio.EOF:
                return
            message = FromReferee.FromString(heard)
            answers = _answers(bot, seats, message)
            if answers:
                await call.write(answers)
            if message.HasField("goodbye"):
                return


class _Seat:
    """The bot's seat in one match, with what is needed to read and answer."""

    def __init__(self, start: MatchStart) -> None:
        self.codec: Codec = codec_of(start.game)
        message = getattr(start.parameters, start.game)
        self.match = Match(
            game=game_named(start.game),
            parameters=self.codec.parameters.read(message),
            seats=start.seats,
            seat=start.seat,
            bank_s=start.clock.bank_s,
            increment_s=start.clock.increment_s,
            commitment=start.commitment,
            rng=Random(start.bot_seed),
        )
        self._context = (self.match.parameters, start.seats, start.seat, start.seat)

    def view_in(self, request: Request) -> Any:
        """Make the view of a request."""
        self.match.time_left_s = request.time_left_s
        return self.codec.view.read(getattr(request.view, self.match.game.id), *self._context)

    def events_in(self, message: Request | MatchEnd) -> list[Any]:
        """Make the events of a message."""
        game_id = self.match.game.id
        return [self.codec.event.read(getattr(event, game_id)) for event in message.events]


def _answers(bot: Bot, seats: dict[int, _Seat], message: FromReferee) -> bytes:
    """Tell the bot all that a message says, and write its answers."""
    for start in message.starts:
        seat = seats[start.match] = _Seat(start)
        bot.match = seat.match
        bot.match_started()
    asked = [(seats[request.match], request) for request in message.requests]
    hears = type(bot).happened is not Bot.happened
    views = []
    for seat, request in asked:
        if hears and request.events:
            bot.match = seat.match
            bot.happened(seat.events_in(request))
        views.append(seat.view_in(request))
    answers = b""
    if views:
        bot.matches = [seat.match for seat, _ in asked]
        bot.match = bot.matches[0]
        answers = _decisions(message, _checked(bot, bot.choose_many(views), len(views)))
    for end in message.ends:
        _end(bot, seats, end, hears=hears)
    return answers


def _checked(bot: Bot, actions: Any, wanted: int) -> list[int]:
    """Return a bot's choices as numbers, or say what is wrong with them.

    Whether they are legal is for the referee to judge.
    """
    name = type(bot).__name__
    if len(actions) != wanted:
        raise _BadChoice(f"{name} chose {len(actions)} actions for {wanted} views")
    for action in actions:
        if not hasattr(action, "__index__") or not 0 <= index(action) < 2**32:
            raise _BadChoice(f"{name} chose {action!r}: an action is one of legal_actions(view)")
    return list(map(index, actions))


def _decisions(message: FromReferee, actions: Sequence[int]) -> bytes:
    decisions = [
        delimited(
            1,
            _match.put(request.match)
            + _number.put(request.number)
            + delimited(3, written(1, action)),
        )
        for request, action in zip(message.requests, actions, strict=True)
    ]
    return delimited(2, b"".join(decisions))


def _end(bot: Bot, seats: dict[int, _Seat], end: MatchEnd, *, hears: bool) -> None:
    seat = seats.pop(end.match, None)
    if seat is None:
        return
    bot.match = seat.match
    if hears and end.events:
        bot.happened(seat.events_in(end))
    result = Result(tuple(end.places), tuple(end.scores), end.seed, end.sentence)
    bot.match_ended(result)

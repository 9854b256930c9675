"""Connect a bot to the referee.

`run` connects to the socket named in the environment, sends Hello, and answers requests until the
referee ends the call. Standard input and output are not used: a bot is free to print.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from operator import index
from typing import Any, NoReturn

from arena.errors import ArenaError, BadText
from arena.games.registry import EVERY_GAME, game_named
from arena.sdk.bot import Bot, Match, Result, take_note
from arena.sdk.call import Call, CallFailed
from arena.wire.codec import codec_of, index_bytes
from arena.wire.envelope import (
    METHOD,
    PROTOCOL,
    SERVICE,
    SOCKET,
    Batch,
    MatchEnd,
    MatchStart,
    Request,
    WireHello,
    batch,
    from_bot,
    match_end,
    match_start,
    request,
    request_without_events,
)

_SDK_PREFIX = "arena.sdk."
_ACTION_LIMIT = 2**32
"""Actions are sent as unsigned 32-bit numbers."""


class _BadChoice(ArenaError):
    """A bot returned something that is not an action."""


def run(bot: type[Bot] | Bot) -> None:
    """Play matches until the referee ends the call, then exit the process; never returns.

    `bot` is a subclass of `Bot`, or an instance of one. Without a referee (`ARENA_SOCKET` is not
    set), exit with a hint on how to try the bot.
    """
    player = bot() if isinstance(bot, type) else bot
    socket = os.environ.get(SOCKET)
    if not socket:
        program = sys.argv[0]
        game_id = next((game for game in player.games if game != EVERY_GAME), "meow")
        sys.exit(
            f"{program} is a bot and must be started by the referee: "
            f"try `arena check {program}` or `arena play {game_id} {program} random random`"
        )
    _play(player, socket)


def _play(bot: Bot, socket: str) -> NoReturn:
    """Play, then exit. The connection stays open until the process ends: closing it is a fault."""
    code = 0
    with suppress(OSError, RuntimeError, AttributeError):
        # The referee asks a bot that has used up its time where it is.
        faulthandler.register(signal.SIGUSR2, all_threads=False)
    try:
        _answer_requests(bot, socket)
    except SystemExit as exit_:
        if isinstance(exit_.code, str):
            print(exit_.code, file=sys.stderr)
        code = exit_.code if isinstance(exit_.code, int) else int(exit_.code is not None)
    except Exception as error:
        _print_error(error)
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    # End the process even if the bot left threads running.
    os._exit(code)


def _print_error(error: Exception) -> None:
    """Print an error with a traceback that begins in the bot's own code."""
    if isinstance(error, _BadChoice | CallFailed):
        print(error, file=sys.stderr)
        return
    trace = error.__traceback__
    while trace and trace.tb_frame.f_globals.get("__name__", "").startswith(_SDK_PREFIX):
        trace = trace.tb_next
    # Imported here: only a failing bot needs it.
    import traceback

    traceback.print_exception(error.with_traceback(trace or error.__traceback__))


def _answer_requests(bot: Bot, socket: str) -> None:
    call = Call(socket, f"/{SERVICE}/{METHOD}")
    games = tuple(game.encode() for game in bot.games)
    hello = WireHello(PROTOCOL, bot.name or type(bot).__name__, games)
    call.write(from_bot.write((hello, None)))
    seats: dict[int, _Seat] = {}
    while (data := call.read()) is not None:
        message = batch.read(data)
        answers = _handle(bot, seats, message)
        if answers:
            call.write(answers)
        if message.goodbye:
            return


class _Seat:
    """The bot's seat in one match, with the codec for its requests."""

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
            rng=start.bot_seed,
        )
        self._context = (self.match.parameters, start.seats, start.seat, start.seat)

    def decode_view(self, asked: Request) -> Any:
        """Update the clocks and return the view of a request."""
        match = self.match
        match.time_left_s = asked.time_left_s
        match.wall_left_s = asked.wall_left_s if match.counts_cpu else asked.time_left_s
        return self.codec.view_in(asked.view, *self._context)

    def decode_events(self, events: Sequence[bytes]) -> list[Any]:
        """Decode the events of a message."""
        return [self.codec.event_in(event) for event in events]


def _handle(bot: Bot, seats: dict[int, _Seat], message: Batch) -> bytes:
    """Call the bot's methods for everything in a message; return its encoded answers."""
    for start in map(match_start.read, message.starts):
        seat = seats[start.match] = _Seat(start)
        bot.match = seat.match
        bot.match_started()
    wants_events = type(bot).happened is not Bot.happened
    read = request.read if wants_events else request_without_events
    requests = [read(data) for data in message.requests]
    views = []
    matches = []
    for asked in requests:
        seat = seats[asked.match]
        if wants_events and asked.events:
            bot.match = seat.match
            bot.happened(seat.decode_events(asked.events))
        views.append(seat.decode_view(asked))
        matches.append(seat.match)
    answers = b""
    if views:
        bot.matches = matches
        bot.match = matches[0]
        actions = check_actions(bot, bot.choose_many(views), matches)
        decisions = [
            (asked.match, asked.number, index_bytes(action), take_note(match))
            for asked, action, match in zip(requests, actions, matches, strict=True)
        ]
        answers = from_bot.write((None, tuple(decisions)))
    for end in map(match_end.read, message.ends):
        _end_match(bot, seats, end, wants_events=wants_events)
    return answers


def check_actions(bot: Bot, actions: Any, matches: Sequence[Match]) -> list[int]:
    """Return a bot's choices as numbers; raise `_BadChoice` if they are not actions.

    The referee checks whether they are legal.
    """
    name = type(bot).__name__
    if not hasattr(actions, "__len__"):
        raise _BadChoice(f"{name} chose {actions!r}: choose_many returns a list of actions")
    if len(actions) != len(matches):
        raise _BadChoice(f"{name} chose {len(actions)} actions for {len(matches)} views")
    numbers = []
    for action, match in zip(actions, matches, strict=True):
        number = action
        if isinstance(action, str):
            try:
                number = match.game.parse_action(action)
            except BadText as error:
                raise _BadChoice(f"{name} chose {action!r}: {error}") from None
        if not hasattr(number, "__index__") or not 0 <= index(number) < _ACTION_LIMIT:
            raise _BadChoice(f"{name} chose {action!r}: an action is one of legal_actions(view)")
        numbers.append(index(number))
    return numbers


def _end_match(bot: Bot, seats: dict[int, _Seat], end: MatchEnd, *, wants_events: bool) -> None:
    seat = seats.pop(end.match, None)
    if seat is None:
        return
    bot.match = seat.match
    if wants_events and end.events:
        bot.happened(seat.decode_events(end.events))
    bot.match_ended(Result(end.places, end.scores, end.sentence))

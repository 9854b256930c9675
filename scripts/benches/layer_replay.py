"""Repeat the work of one layer for all decisions of a captured run, and measure CPU time.

Every function returns the seconds that the whole run costs in that layer.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

from bare_stream import BareStream, bare_stream
from captured_play import CapturedPlay
from remote_play import CLOCK, SEATS

from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.records import Entrant, How, Record
from arena.referee.clock import CORES
from arena.referee.mailbox import Mailbox
from arena.referee.model import Conditions
from arena.referee.players.decode import Nonsense, decode_answers
from arena.referee.players.local import Chooser, LocalPlayer
from arena.referee.referee import Referee
from arena.referee.table import Answer, table
from arena.referee.turns import Starts, Turns
from arena.wire.codec import codec_of, index_bytes
from arena.wire.envelope import (
    Request,
    batch,
    from_bot,
    match_end,
    match_start,
    request_without_events,
)


def cpu_s(work: Callable[[], object]) -> float:
    """Return the CPU time of a function, with all threads of this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def engine_s(play: CapturedPlay) -> float:
    """Play all decisions by the rules."""
    return cpu_s(lambda: _apply_all(play.game, play.records, with_views=False))


def engine_and_views_s(play: CapturedPlay) -> float:
    """Play all decisions by the rules, and create the views."""
    return cpu_s(lambda: _apply_all(play.game, play.records, with_views=True))


def tables_s(play: CapturedPlay) -> float:
    """Play all decisions at tables."""
    return cpu_s(lambda: _run_tables(play.game, play.records))


def _apply_all(game: AnyGame, records: Sequence[Record], *, with_views: bool) -> None:
    for record in records:
        parameters = game.parameters_form.read(record.parameters)
        state = game.start(SEATS, record.seed, parameters, recording=True)
        for seat, action, how, _ in record.decisions:
            state.only_action()
            if with_views and how is How.CHOSEN:
                game.view_of(state, seat)
            state.apply(action)
        state.outcome()


def _run_tables(game: AnyGame, records: Sequence[Record]) -> None:
    for record in records:
        parameters = game.parameters_form.read(record.parameters)
        moves = table(game, record.seed, parameters, record.entrants)
        actions = [each.action for each in record.decisions if each.how is How.CHOSEN]
        with contextlib.suppress(StopIteration):
            next(moves)
            for action in actions:
                moves.send(Answer(action))


def local_play_s(play: CapturedPlay, tables: int) -> float:
    """Play the same matches with a referee whose bots are in this process."""
    return cpu_s(lambda: asyncio.run(_play_locally(play, tables)))


async def _play_locally(play: CapturedPlay, tables: int) -> None:
    players = [LocalPlayer(Entrant(f"bot-{n}"), _make_chooser) for n in range(SEATS)]
    fixtures = {
        match.fixture.number: match.fixture for each in play.sent for match, _ in each.starts
    }
    async for _ in Referee(players, CLOCK).play(fixtures.values(), tables=tables):
        pass


def _make_chooser(game: AnyGame, _: Seed) -> Chooser:
    return lambda request: game.legal_actions(request.view)[0]


def decode_answers_s(play: CapturedPlay, replies: Sequence[bytes]) -> float:
    """Decode all answers, as the referee does."""
    conditions = Conditions(CLOCK, Turns(CORES), Starts(CORES), lambda *_: None)
    waiting = []
    for sent, reply in zip(play.sent, replies, strict=True):
        mailbox = Mailbox(conditions)
        mailbox.unanswered = {pending.number: pending for pending in sent.requests}
        waiting.append((reply, mailbox))
    asked = [(reply, mailbox) for reply, mailbox in waiting if reply]
    assert not any(isinstance(decode_answers(*each), Nonsense) for each in asked[:10])
    return cpu_s(lambda: [decode_answers(*each) for each in asked])


def decode_all(play: CapturedPlay, messages: Sequence[bytes]) -> list[list[Request]]:
    """Decode all messages with their views, as bots do; return the requests of each."""
    codec = codec_of(play.game.id)
    # Numbers of matches are those of one bot; the parameters are known after the first start.
    contexts: dict[tuple[str, int], tuple[Any, ...]] = {}
    decoded = []
    for sent, message in zip(play.sent, messages, strict=True):
        name, content = sent.bot, batch.read(message)
        for start in map(match_start.read, content.starts):
            parameters = codec.parameters_in(start.parameters)
            contexts[name, start.match] = (parameters, start.seats, start.seat, start.seat)
        requests = [request_without_events(data) for data in content.requests]
        for request in requests:
            codec.view_in(request.view, *contexts[name, request.match])
        for end in map(match_end.read, content.ends):
            contexts.pop((name, end.match), None)
        decoded.append(requests)
    return decoded


def choose_all(play: CapturedPlay) -> list[list[int]]:
    """Choose as the bots do, the first legal action; return the answers to each message."""
    legal_actions = play.game.legal_actions
    return [[legal_actions(each.request.view)[0] for each in sent.requests] for sent in play.sent]


def encode_answers(
    requests: Sequence[Sequence[Request]], actions: Sequence[Sequence[int]]
) -> list[bytes]:
    """Encode all answers, as bots do; a message without requests has none."""
    both = zip(requests, actions, strict=True)
    return [_answers(asked, chosen) if asked else b"" for asked, chosen in both]


def _answers(requests: Sequence[Request], actions: Sequence[int]) -> bytes:
    pairs = zip(requests, actions, strict=True)
    answers = [(asked.match, asked.number, index_bytes(action), "") for asked, action in pairs]
    return from_bot.write((None, tuple(answers)))


class Transport(NamedTuple):
    """The cost of sending and receiving at both ends."""

    referee: float
    bots: float


def transport_s(
    play: CapturedPlay, messages: Sequence[bytes], replies: Sequence[bytes]
) -> Transport:
    """Exchange messages of the same sizes, in the same order, with programs that do nothing else.

    As in the run, as many of them as there are cores are busy at the same time.
    """
    exchanges: dict[str, list[tuple[bytes, int]]] = {}
    for sent, message, reply in zip(play.sent, messages, replies, strict=True):
        size = len(reply)
        exchanges.setdefault(sent.bot, []).append((size.to_bytes(4) + message[4:], size))
    return asyncio.run(_exchange_all(list(exchanges.values())))


async def _exchange_all(exchanges: Sequence[Sequence[tuple[bytes, int]]]) -> Transport:
    cores = asyncio.Semaphore(CORES)
    async with AsyncExitStack() as stack:
        streams = [
            await stack.enter_async_context(bare_stream("transport_bot.py")) for _ in exchanges
        ]
        bots_s = sum(stream.process.cpu_s() for stream in streams)
        own_s = time.process_time()
        await asyncio.gather(
            *(
                _exchange(stream, each, cores)
                for stream, each in zip(streams, exchanges, strict=True)
            )
        )
        own_s = time.process_time() - own_s
        return Transport(own_s, sum(stream.process.cpu_s() for stream in streams) - bots_s)


async def _exchange(
    stream: BareStream, exchanges: Sequence[tuple[bytes, int]], cores: asyncio.Semaphore
) -> None:
    connection = stream.connection
    for message, size in exchanges:
        async with cores:
            await connection.send(message)
            if size:
                await connection.receive()

"""A bot with a switch for each kind of misbehaviour: `rogue.py MISDEED`.

It plays its first legal action until it is asked for its third decision in a match whose bot seed
begins with a byte divisible by four. Then it answers all other requests and misbehaves. Some kinds
of misbehaviour come before any match.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from queue import SimpleQueue

import grpc

from arena.wire.v1.match_pb2 import Action, Decision, Decisions, FromBot, FromReferee, Hello

MISDEED = sys.argv[1]
MISDEED_DECISION = 2


def encode(message: FromBot) -> bytes:
    """Encode a message."""
    return message.SerializeToString()


def encode_decision(match: int, number: int, action: Action) -> bytes:
    """Encode one answer."""
    decision = Decision(match=match, number=number, action=action)
    return encode(FromBot(decisions=Decisions(decisions=[decision])))


def misbehave(match: int, number: int, good: Action) -> Iterator[bytes]:
    """Misbehave; yield the messages to send."""
    answer = encode_decision(match, number, good)
    if MISDEED == "illegal":
        yield encode_decision(match, number, Action(index=10**6))
    elif MISDEED == "wrong game":
        yield encode_decision(match, number, Action(trio={"centre": 0}))
    elif MISDEED == "no action":
        yield encode_decision(match, number, Action())
    elif MISDEED == "overrun":
        time.sleep(3600)
    elif MISDEED == "burn":
        while True:
            pass
    elif MISDEED == "crash":
        print("I cannot go on", file=sys.stderr, flush=True)
        os._exit(3)
    elif MISDEED == "crash by signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif MISDEED in ("hang up", "fade away"):
        raise EOFError
    elif MISDEED == "unparsable":
        yield b"\xff\xff\xff\xff"
    elif MISDEED == "empty message":
        yield b""
    elif MISDEED == "empty answer":
        yield encode(FromBot(decisions=Decisions()))
    elif MISDEED == "hello again":
        yield encode(FromBot(hello=Hello(protocol=1)))
    elif MISDEED == "wrong match":
        yield encode_decision(match + 1000, number, good)
    elif MISDEED == "wrong number":
        yield encode_decision(match, number + 1, good)
    elif MISDEED == "twice":
        decision = Decision(match=match, number=number, action=good)
        yield encode(FromBot(decisions=Decisions(decisions=[decision, decision])))
    elif MISDEED == "unasked":
        yield answer
        yield answer
    elif MISDEED == "too big":
        yield encode(FromBot(hello=Hello(protocol=1, name="x" * (2 << 20))))
    elif MISDEED == "flood":
        for _ in range(100_000):
            yield answer
    else:
        sys.exit(f"no such misdeed: {MISDEED}")


def end_main_thread() -> None:
    """End the main thread only: the process looks dead but keeps running."""
    threading.Thread(target=time.sleep, args=(3600,)).start()
    ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)


def main() -> None:
    """Play, and misbehave."""
    if MISDEED == "never starts":
        sys.exit(7)
    if MISDEED == "no hello":
        time.sleep(3600)
    outbox: SimpleQueue[bytes | None] = SimpleQueue()
    channel = grpc.insecure_channel(
        f"unix:{os.environ['ARENA_SOCKET']}", options=(("grpc.max_receive_message_length", -1),)
    )
    call = channel.stream_stream("/arena.wire.v1.Arena/Play")(iter(outbox.get, None))
    version = 2 if MISDEED == "wrong version" else 1
    if MISDEED == "no hello but an answer":
        outbox.put(encode_decision(1, 0, Action(index=0)))
    hello = Hello(protocol=version, name="rogue", games=["meow"], wants_legal_actions=True)
    outbox.put(encode(FromBot(hello=hello)))
    chosen = set()
    for data in call:
        message = FromReferee.FromString(data)
        chosen |= {start.match for start in message.starts if start.bot_seed[0] % 4 == 0}
        to_misbehave = []
        for request in message.requests:
            good = request.legal_actions[0]
            if request.match in chosen and request.number == MISDEED_DECISION:
                to_misbehave.append((request.match, request.number, good))
            else:
                outbox.put(encode_decision(request.match, request.number, good))
        for match, number, good in to_misbehave:
            try:
                for sent in misbehave(match, number, good):
                    outbox.put(sent)
            except EOFError:
                outbox.put(None)
                if MISDEED == "fade away":
                    end_main_thread()
                time.sleep(3600)
    os._exit(0)


main()

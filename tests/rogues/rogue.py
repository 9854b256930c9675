"""A bot with a switch for each sin: `rogue.py SIN`.

It plays its first legal action until, in a match whose bot seed begins with a byte divisible by
four, it is asked for its third decision: then it sins. Other answers that it owes at that moment it
gives first, as a bot that is only partly rotten would. Some sins come before any match.
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

SIN = sys.argv[1]
SINNING_DECISION = 2


def said(message: FromBot) -> bytes:
    """Write a message."""
    return message.SerializeToString()


def decided(match: int, number: int, action: Action) -> bytes:
    """Write one answer."""
    decision = Decision(match=match, number=number, action=action)
    return said(FromBot(decisions=Decisions(decisions=[decision])))


def sins(match: int, number: int, good: Action) -> Iterator[bytes]:
    """Do the wrong thing, and yield what is to be sent for it."""
    answer = decided(match, number, good)
    if SIN == "illegal":
        yield decided(match, number, Action(index=10**6))
    elif SIN == "wrong game":
        yield decided(match, number, Action(trio={"centre": 0}))
    elif SIN == "no action":
        yield decided(match, number, Action())
    elif SIN == "overrun":
        time.sleep(3600)
    elif SIN == "burn":
        while True:
            pass
    elif SIN == "crash":
        print("I cannot go on", file=sys.stderr, flush=True)
        os._exit(3)
    elif SIN == "crash by signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif SIN in ("hang up", "fade away"):
        raise EOFError
    elif SIN == "unparsable":
        yield b"\xff\xff\xff\xff"
    elif SIN == "empty message":
        yield b""
    elif SIN == "empty answer":
        yield said(FromBot(decisions=Decisions()))
    elif SIN == "hello again":
        yield said(FromBot(hello=Hello(protocol=1)))
    elif SIN == "wrong match":
        yield decided(match + 1000, number, good)
    elif SIN == "wrong number":
        yield decided(match, number + 1, good)
    elif SIN == "twice":
        decision = Decision(match=match, number=number, action=good)
        yield said(FromBot(decisions=Decisions(decisions=[decision, decision])))
    elif SIN == "unasked":
        yield answer
        yield answer
    elif SIN == "too big":
        yield said(FromBot(hello=Hello(protocol=1, name="x" * (2 << 20))))
    elif SIN == "flood":
        for _ in range(100_000):
            yield answer
    else:
        sys.exit(f"no such sin: {SIN}")


def end_main_thread() -> None:
    """End this thread and no other: the process looks dead, and lives."""
    threading.Thread(target=time.sleep, args=(3600,)).start()
    ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)


def main() -> None:
    """Play, and sin."""
    if SIN == "never starts":
        sys.exit(7)
    if SIN == "no hello":
        time.sleep(3600)
    outbox: SimpleQueue[bytes | None] = SimpleQueue()
    channel = grpc.insecure_channel(
        f"unix:{os.environ['ARENA_SOCKET']}", options=(("grpc.max_receive_message_length", -1),)
    )
    call = channel.stream_stream("/arena.wire.v1.Arena/Play")(iter(outbox.get, None))
    version = 2 if SIN == "wrong version" else 1
    if SIN == "no hello but an answer":
        outbox.put(decided(1, 0, Action(index=0)))
    hello = Hello(protocol=version, name="rogue", games=["meow"], wants_legal_actions=True)
    outbox.put(said(FromBot(hello=hello)))
    doomed = set()
    for heard in call:
        message = FromReferee.FromString(heard)
        doomed |= {start.match for start in message.starts if start.bot_seed[0] % 4 == 0}
        sinful = []
        for request in message.requests:
            good = request.legal_actions[0]
            if request.match in doomed and request.number == SINNING_DECISION:
                sinful.append((request.match, request.number, good))
            else:
                outbox.put(decided(request.match, request.number, good))
        for match, number, good in sinful:
            try:
                for sent in sins(match, number, good):
                    outbox.put(sent)
            except EOFError:
                outbox.put(None)
                if SIN == "fade away":
                    end_main_thread()
                time.sleep(3600)
    os._exit(0)


main()

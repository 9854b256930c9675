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
from typing import NamedTuple

from arena.sdk.call import Call
from arena.wire import http2
from arena.wire.envelope import batch, match_start, request
from arena.wire.fields import write_delimited, write_number

MISDEED = sys.argv[1]
MISDEED_DECISION = 2


class Decision(NamedTuple):
    """One answer."""

    match: int
    number: int
    action: bytes
    """A message `Action`."""


def encode_hello(*, protocol: int = 1, name: str = "") -> bytes:
    """Encode the first message, which asks for legal actions."""
    parts = [
        write_number(1, protocol),
        write_delimited(2, name.encode()),
        write_delimited(3, b"meow"),
        write_number(4, True),
    ]
    return write_delimited(1, b"".join(parts))


def encode_decisions(*decisions: Decision) -> bytes:
    """Encode answers."""
    parts = [
        write_number(1, each.match) + write_number(2, each.number) + write_delimited(3, each.action)
        for each in decisions
    ]
    return write_delimited(2, b"".join(write_delimited(1, part) for part in parts))


def encode_decision(match: int, number: int, action: bytes) -> bytes:
    """Encode one answer."""
    return encode_decisions(Decision(match, number, action))


def misbehave(match: int, number: int, good: bytes) -> Iterator[bytes]:
    """Misbehave; yield the messages to send."""
    answer = encode_decision(match, number, good)
    if MISDEED == "illegal":
        yield encode_decision(match, number, write_number(1, 10**6))
    elif MISDEED == "wrong game":
        yield encode_decision(match, number, write_delimited(2, write_number(1, 0)))
    elif MISDEED == "no action":
        yield encode_decision(match, number, b"")
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
        yield encode_decisions()
    elif MISDEED == "hello again":
        yield encode_hello()
    elif MISDEED == "wrong match":
        yield encode_decision(match + 1000, number, good)
    elif MISDEED == "wrong number":
        yield encode_decision(match, number + 1, good)
    elif MISDEED == "twice":
        yield encode_decisions(*2 * [Decision(match, number, good)])
    elif MISDEED == "unasked":
        yield answer
        yield answer
    elif MISDEED == "too big":
        yield encode_hello(name="x" * (2 << 20))
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
    call = Call(os.environ["ARENA_SOCKET"], "/arena.wire.v1.Arena/Play")
    if MISDEED == "no hello but an answer":
        call.write(encode_decision(1, 0, write_number(1, 0)))
    call.write(encode_hello(protocol=2 if MISDEED == "wrong version" else 1, name="rogue"))
    chosen = set()
    while data := call.read():
        message = batch.read(data)
        starts = map(match_start.read, message.starts)
        chosen |= {start.match for start in starts if start.bot_seed[0] % 4 == 0}
        to_misbehave = []
        for asked in map(request.read, message.requests):
            good = asked.legal_actions[0]
            if asked.match in chosen and asked.number == MISDEED_DECISION:
                to_misbehave.append((asked.match, asked.number, good))
            else:
                call.write(encode_decision(asked.match, asked.number, good))
        for match, number, good in to_misbehave:
            try:
                for sent in misbehave(match, number, good):
                    call.write(sent)
            except EOFError:
                # There is no function for it, because bots have no use for it.
                call._send(http2.frame(http2.DATA, http2.END_STREAM, 1))
                if MISDEED == "fade away":
                    end_main_thread()
                time.sleep(3600)
    os._exit(0)


main()

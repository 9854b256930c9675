"""What the watchdog cannot count is limited by the kernel."""

from __future__ import annotations

import re

import pytest

from arena.sandbox.limits.rlimits import rlimits
from arena.submission.limits import MINIMUM, Limits
from tests.sandbox.caged_bot import run_to_end

FILL = """
import socket
kept, sent = [], 0
def pair():
    global sent
    ends = socket.socketpair()
    for end in ends:
        end.setblocking(False)
        try:
            while True:
                sent += end.send(bytes(1 << 15))
        except BlockingIOError:
            pass
    return ends
try:
    carrier, other = socket.socketpair()
    while True:
        kept.append(pair())
except OSError:
    pass
try:
    while kept:
        ends = kept.pop()
        socket.send_fds(carrier, [b"x"], [end.fileno() for end in ends])
        del ends
except OSError:
    pass
try:
    while True:
        kept.append(pair())
except OSError:
    print("sent", sent >> 20)
"""
"""Fills the buffers of as many sockets as possible, among them sockets that are being sent."""


def test_socket_buffers_hold_at_most_half_as_much_as_the_memory_limit() -> None:
    end = run_to_end(FILL, limits={"memory_mib": 64})
    found = re.fullmatch(r"sent (\d+)\s*", end.printed)
    assert found, end
    assert 10 <= int(found[1]) <= 32


@pytest.mark.parametrize("memory_mib", [64, 512, 4096])
def test_any_bot_may_open_the_minimum_of_files(memory_mib: int) -> None:
    limits = Limits(memory_mib=memory_mib, files=4096)
    assert rlimits(limits, ["python"])["nofile"] >= MINIMUM.files

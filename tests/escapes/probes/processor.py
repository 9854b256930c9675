"""Attacks that use more CPU time than allowed, or compute while they are frozen."""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import time

from .common import call, libc

_ENOUGH_S = 1.6
"""The limit is 1 s."""
_LIFE_S = 4
_CLOCK_MONOTONIC, _SIGEV_SIGNAL = 1, 0


def _burn(seconds: float) -> None:
    deadline = time.process_time() + seconds
    while time.process_time() < deadline:
        pass


def one_process() -> str:
    """Compute for longer than allowed."""
    _burn(_ENOUGH_S)
    return f"{_ENOUGH_S} s in one process"


def autogroup() -> str:
    """Open the file that sets the priority of its session."""
    os.close(os.open("/proc/self/autogroup", os.O_RDWR))
    return "opened its autogroup"


def continued() -> str:
    """Be continued by a timer, repeatedly."""
    settime = libc.timer_settime
    settime.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p]
    for tenths in range(1, 20):
        event = struct.pack("Pii52x", 0, signal.SIGCONT, _SIGEV_SIGNAL)
        timer_id = ctypes.create_string_buffer(8)
        call("timer_create", _CLOCK_MONOTONIC, event, timer_id)
        (number,) = struct.unpack_from("i", timer_id)
        seconds, tenth = divmod(tenths, 10)
        # The C library uses the kernel's number for a timer that sends signals.
        settime(number, 0, struct.pack("4q", 0, 0, seconds, tenth * 10**8), None)
    print("at work", flush=True)
    _burn(_LIFE_S)
    return "computed"

"""Attacks that let a frozen bot continue computing.

Each attack arranges to be continued, prints that it is at work, and computes.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import time

from .common import call, libc

_LIFE_S = 4
"""Every process ends by itself after this time."""
_OFTEN_S = 0.005
_CLOCK_MONOTONIC, _SIGEV_SIGNAL = 1, 0
_PR_SET_PDEATHSIG = 1


def _compute() -> str:
    print("at work", flush=True)
    deadline = time.monotonic() + _LIFE_S
    while time.monotonic() < deadline:
        pass
    return "computed"


def timer() -> str:
    """Be continued by a timer, again and again."""
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
    return _compute()


def helper() -> str:
    """Be continued by a child process."""
    first = os.getpid()
    if os.fork() == 0:
        _continue(first)
    return _compute()


def relay() -> str:
    """Be continued by a chain of short-lived processes."""
    first = os.getpid()
    deadline = time.monotonic() + _LIFE_S
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(3):
        if os.fork() == 0:
            while time.monotonic() < deadline:
                os.kill(first, signal.SIGCONT)
                time.sleep(_OFTEN_S)
                if os.fork():
                    os._exit(0)
            os._exit(0)
    return _compute()


def last_words() -> str:
    """Be continued by the end of a child process."""
    for delay_s in (0.1, 0.3, 0.5, 0.7, 0.9):
        if call("clone", int(signal.SIGCONT), 0, 0, 0, 0) == 0:
            time.sleep(delay_s)
            os._exit(0)
    return _compute()


def inheritance() -> str:
    """Compute in a process that is continued by the end of its parent."""
    read, write = os.pipe()
    if os.fork() == 0:
        if os.fork() == 0:
            _try_or_report(write, _arrange_to_be_continued)
            _compute()
            os._exit(0)
        time.sleep(0.3)
        os._exit(0)
    os.close(write)
    answer = os.read(read, 99)
    if answer:
        raise OSError(answer.decode())
    time.sleep(_LIFE_S)
    return "a child process computed"


def _arrange_to_be_continued() -> None:
    call("prctl", _PR_SET_PDEATHSIG, int(signal.SIGCONT), 0, 0, 0)


def _try_or_report(write: int, step: object) -> None:
    """Take a step; on failure, report it and exit."""
    assert callable(step)
    try:
        step()
    except OSError as error:
        os.write(write, str(error).encode())
        os._exit(1)
    os.close(write)


def _continue(pid: int) -> None:
    deadline = time.monotonic() + _LIFE_S
    while time.monotonic() < deadline:
        os.kill(pid, signal.SIGCONT)
        time.sleep(_OFTEN_S)
    os._exit(0)

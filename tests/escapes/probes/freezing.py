"""Can a bot that was stopped until its next turn go on computing?

Each attack arranges for somebody to continue it, says that it is at work, and computes.
"""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import time

from .kit import call, libc

_LIFE_S = 4
"""Every process ends by itself after this, whoever else has forgotten it."""
_OFTEN_S = 0.005
_CLOCK_MONOTONIC, _SIGEV_SIGNAL = 1, 0
_PR_SET_PDEATHSIG = 1


def _compute() -> str:
    print("at work", flush=True)
    until = time.monotonic() + _LIFE_S
    while time.monotonic() < until:
        pass
    return "computed"


def timer() -> str:
    """Have the kernel continue it, again and again."""
    settime = libc.timer_settime
    settime.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p]
    for tenths in range(1, 20):
        event = struct.pack("Pii52x", 0, signal.SIGCONT, _SIGEV_SIGNAL)
        made = ctypes.create_string_buffer(8)
        call("timer_create", _CLOCK_MONOTONIC, event, made)
        (number,) = struct.unpack_from("i", made)
        seconds, tenth = divmod(tenths, 10)
        # The C library knows a timer that sends signals by the kernel's number.
        settime(number, 0, struct.pack("4q", 0, 0, seconds, tenth * 10**8), None)
    return _compute()


def helper() -> str:
    """Have a process of its own continue it."""
    first = os.getpid()
    if os.fork() == 0:
        _continue(first)
    return _compute()


def relay() -> str:
    """Have it continued by processes each of which is followed by another."""
    first = os.getpid()
    until = time.monotonic() + _LIFE_S
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(3):
        if os.fork() == 0:
            while time.monotonic() < until:
                os.kill(first, signal.SIGCONT)
                time.sleep(_OFTEN_S)
                if os.fork():
                    os._exit(0)
            os._exit(0)
    return _compute()


def last_words() -> str:
    """Have it continued by the end of a process."""
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
            _tell(write, _continued_at_its_parents_end)
            _compute()
            os._exit(0)
        time.sleep(0.3)
        os._exit(0)
    os.close(write)
    answer = os.read(read, 99)
    if answer:
        raise OSError(answer.decode())
    time.sleep(_LIFE_S)
    return "a process of its own computed"


def _continued_at_its_parents_end() -> None:
    call("prctl", _PR_SET_PDEATHSIG, int(signal.SIGCONT), 0, 0, 0)


def _tell(write: int, step: object) -> None:
    """Take a step; if that fails, say so and end."""
    assert callable(step)
    try:
        step()
    except OSError as error:
        os.write(write, str(error).encode())
        os._exit(1)
    os.close(write)


def _continue(pid: int) -> None:
    until = time.monotonic() + _LIFE_S
    while time.monotonic() < until:
        os.kill(pid, signal.SIGCONT)
        time.sleep(_OFTEN_S)
    os._exit(0)

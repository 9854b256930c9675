"""Attacks by system calls that a bot must not make."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import mmap
import os
import termios

from .common import Contained, call, facts, libc

_ARGUMENTS = {"modify_ldt": (0, 0, 0), "msgget": (-1, 0)}
"""Calls for which -1 would seem to be an unknown call, or would create something."""
_X32 = 0x40000000
_GETPID_I386 = 20
_ANYTHING = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
_MOV_EAX, _INT_80, _RET = b"\xb8", b"\xcd\x80", b"\xc3"


def refused_calls() -> str:
    """Make every call that a cage refuses, and report the result of each.

    A call that is not refused has no effect, because its arguments are invalid.
    """
    answers = {name: _answer(name) for name in facts().refused}
    if set(answers.values()) <= {"EPERM", "ENOSYS"}:
        raise Contained(json.dumps(answers))
    return json.dumps(answers)


def _answer(name: str) -> str:
    if name == "vhangup" and _has_terminal():
        return "not tried"
    try:
        call(name, *_ARGUMENTS.get(name, (-1,) * 6))
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return "done"


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDONLY))
    except OSError:
        return False
    return True


def newer_calls() -> str:
    """Make calls that are newer than the cage."""
    for number in range(451, 480):
        if (
            libc.syscall(number, *[ctypes.c_long(-1)] * 6) >= 0
            or ctypes.get_errno() != errno.ENOSYS
        ):
            return f"there is a call {number}"
    raise Contained("none of them exists")


def foreign_calls() -> str:
    """Make a call as 32-bit programs do, by an interrupt."""
    code = _MOV_EAX + _GETPID_I386.to_bytes(4, "little") + _INT_80 + _RET
    memory = mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=_ANYTHING)
    memory.write(code)
    function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
    found = function()
    if found != os.getpid():
        raise Contained(f"it answers {found}")
    return "the kernel answers calls of 32 bits"


def x32_calls() -> str:
    """Make a call of the x32 ABI."""
    if libc.syscall(_X32 | facts().calls["getpid"]) < 0:
        raise Contained(os.strerror(ctypes.get_errno()))
    return "the kernel answers x32 calls"


def typing() -> str:
    """Type a letter into the referee's terminal."""
    refusals = set()
    for path in ("/dev/tty", facts().terminal, "/dev/stdin", "/dev/stdout"):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOCTTY)
            fcntl.ioctl(descriptor, termios.TIOCSTI, b"x")
        except OSError as error:
            refusals.add(str(error.strerror))
        else:
            return f"typed at {path}"
    raise Contained(", ".join(sorted(refusals)))


def typing_filtered() -> str:
    """Type into something that is not a terminal: the call itself must be refused."""
    try:
        fcntl.ioctl(0, termios.TIOCSTI, b"x")
    except PermissionError:
        raise
    except OSError as error:
        return f"the call was made: {error.strerror}"
    return "typed"

"""Which calls of the kernel may a bot make?

The answer is a small program that the kernel runs before each call (seccomp(2), classic BPF). It
refuses what `syscalls.DENIED` lists, every socket but unix streams, whatever reaches other bots by
files that all of them see, memory that nobody counts, and, unless processes are allowed, everything
that starts one: then the limits of the process are the limits of the bot.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from arena.sandbox import syscalls
from arena.sandbox.syscalls import Call

_LOAD, _JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _JUMP_IF_SET, _RETURN, _AND = (
    0x20,
    0x15,
    0x35,
    0x45,
    0x06,
    0x54,
)
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_KILL = 0x80000000
_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000

_AF_UNIX, _SOCK_STREAM, _SOCK_TYPE = 1, 1, 0x0F
_SO_SNDBUF, _SO_SNDBUFFORCE = 7, 32
_TIOCSTI, _TIOCLINUX, _FIOSETOWN, _SIOCSPGRP = 0x5412, 0x541C, 0x8901, 0x8902
_F_SETLK, _F_SETLKW, _F_OFD_SETLK, _F_OFD_SETLKW = 6, 7, 37, 38
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX = 8, 10, 15
_F_SETLEASE, _F_NOTIFY, _F_SETPIPE_SZ = 1024, 1026, 1031
_CLOSE_RANGE_UNSHARE = 2
_MAP_TYPE, _MAP_SHARED, _MAP_SHARED_VALIDATE = 0x0F, 0x01, 0x03
_MAP_ANONYMOUS, _MAP_GROWSDOWN = 0x20, 0x100
_CLONE_THREAD, _CLONE_FILES = 0x00010000, 0x400
_CLONE_NAMESPACES = 0x7E020080
"""Every CLONE_NEW* flag."""

Instruction = tuple[int, int, int, int]


def filter_program(
    machine: str, *, processes: bool = False, only_signal: int | None = None
) -> bytes:
    """Return the program as the kernel wants it.

    `only_signal` is the one process that may be sent signals, for a bot that is not in a process
    namespace of its own.
    """
    program: list[Instruction] = [
        _load(_ARCHITECTURE),
        # The calls of another architecture have other numbers.
        *_unless_equal(syscalls.ARCHITECTURES[machine], _KILL),
        _load(_NUMBER),
    ]
    if machine == "x86_64":
        program += _if(_JUMP_IF_SET, syscalls.X32, [_return(_KILL)])
    program += _if(_JUMP_IF_AT_LEAST, syscalls.FIRST_UNKNOWN, [_refuse(syscalls.ENOSYS)])
    for call, block in _judged(processes=processes, only_signal=only_signal):
        number = call.here(machine)
        if number is not None:
            program += _if(_JUMP_IF_EQUAL, number, block)
    program.append(_return(_ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _judged(*, processes: bool, only_signal: int | None) -> list[tuple[Call, list[Instruction]]]:
    """List the calls that are not simply allowed, each with what decides about it."""
    refused = [_refuse(syscalls.EPERM)]
    missing = [_refuse(syscalls.ENOSYS)]
    # A bot that is one process never stands in its own way: it is told that it has the lock. The
    # kernel would let it have as many as it likes, and show them to other bots.
    locked = [_refuse(syscalls.ENOLCK) if processes else _refuse(0)]
    judged = [
        (syscalls.SOCKET, _unix_streams()),
        (syscalls.SOCKETPAIR, _unix_streams()),
        (syscalls.SETSOCKOPT, _unless_argument_is(2, (_SO_SNDBUF, _SO_SNDBUFFORCE))),
        (syscalls.IOCTL, _unless_argument_is(1, (_TIOCSTI, _TIOCLINUX, _FIOSETOWN, _SIOCSPGRP))),
        (syscalls.FCNTL, _file_control(locked)),
        (syscalls.FLOCK, locked),
        (syscalls.CLOSE_RANGE, _closing()),
        (syscalls.MMAP, _mapping()),
        (syscalls.CLONE, _cloning(processes=processes)),
        *[(call, missing) for call in syscalls.MISSING.values()],
        *[(call, refused) for call in syscalls.DENIED.values()],
    ]
    if not processes:
        judged += [(syscalls.FORK, refused), (syscalls.VFORK, refused)]
    if only_signal is not None:
        to_itself = [_argument(0), *_unless_equal(only_signal, _ERRNO | 1), _return(_ALLOW)]
        for call in (syscalls.KILL, syscalls.TGKILL, syscalls.SIGQUEUE, syscalls.TGSIGQUEUE):
            judged.append((call, to_itself))
        for call in (syscalls.TKILL, syscalls.PIDFD_SEND_SIGNAL, syscalls.PIDFD_OPEN):
            judged.append((call, refused))
        own_limits = [_argument(0), *_if(_JUMP_IF_EQUAL, 0, [_return(_ALLOW)]), *to_itself[1:]]
        judged.append((syscalls.PRLIMIT, own_limits))
    return judged


def _unix_streams() -> list[Instruction]:
    # Others hold what nobody has read after their sender is gone, without a limit.
    return [
        _argument(0),
        *_unless_equal(_AF_UNIX, _ERRNO | syscalls.EAFNOSUPPORT),
        _argument(1),
        (_AND, 0, 0, _SOCK_TYPE),
        *_unless_equal(_SOCK_STREAM, _ERRNO | syscalls.EPERM),
        _return(_ALLOW),
    ]


def _file_control(locked: list[Instruction]) -> list[Instruction]:
    # The kernel sends signals to the owner of a file.
    of_owners = (_F_SETOWN, _F_SETOWN_EX, _F_SETSIG)
    refused = (_F_OFD_SETLK, _F_OFD_SETLKW, _F_SETLEASE, _F_NOTIFY, _F_SETPIPE_SZ, *of_owners)
    return [
        _argument(1),
        *_if(_JUMP_IF_EQUAL, _F_SETLK, locked),
        *_if(_JUMP_IF_EQUAL, _F_SETLKW, locked),
        *_unless_argument_is(1, refused),
    ]


def _closing() -> list[Instruction]:
    # A thread with descriptors of its own would have as many again.
    refused = [_refuse(syscalls.EPERM)]
    return [
        _argument(2),
        *_if(_JUMP_IF_SET, _CLOSE_RANGE_UNSHARE, refused),
        _return(_ALLOW),
    ]


def _mapping() -> list[Instruction]:
    # Neither a stack that grows nor shared memory of no file is counted by RLIMIT_DATA.
    no_memory = [_refuse(syscalls.ENOMEM)]
    return [
        _argument(3),
        *_if(_JUMP_IF_SET, _MAP_GROWSDOWN, [_refuse(syscalls.EPERM)]),
        *_if_not(_JUMP_IF_SET, _MAP_ANONYMOUS, [_return(_ALLOW)]),
        (_AND, 0, 0, _MAP_TYPE),
        *_if(_JUMP_IF_EQUAL, _MAP_SHARED, no_memory),
        *_if(_JUMP_IF_EQUAL, _MAP_SHARED_VALIDATE, no_memory),
        _return(_ALLOW),
    ]


def _cloning(*, processes: bool) -> list[Instruction]:
    refused = [_refuse(syscalls.EPERM)]
    threads_only = [] if processes else _if_not(_JUMP_IF_SET, _CLONE_THREAD, refused)
    # A thread with descriptors of its own would have as many again.
    without_files = _if_not(_JUMP_IF_SET, _CLONE_FILES, refused)
    return [
        _argument(0),
        *_if(_JUMP_IF_SET, _CLONE_NAMESPACES, refused),
        *threads_only,
        *_if(_JUMP_IF_SET, _CLONE_THREAD, without_files),
        _return(_ALLOW),
    ]


def _unless_argument_is(place: int, values: Sequence[int]) -> list[Instruction]:
    refused = [_refuse(syscalls.EPERM)]
    tests = [step for value in values for step in _if(_JUMP_IF_EQUAL, value, refused)]
    return [_argument(place), *tests, _return(_ALLOW)]


def _argument(place: int) -> Instruction:
    """Load the lower half of an argument: all that the kernel reads of flags and small numbers."""
    return _load(_ARGUMENTS + 8 * place)


def _load(offset: int) -> Instruction:
    return (_LOAD, 0, 0, offset)


def _return(verdict: int) -> Instruction:
    return (_RETURN, 0, 0, verdict)


def _refuse(error: int) -> Instruction:
    return _return(_ERRNO | error)


def _if(test: int, value: int, block: list[Instruction]) -> list[Instruction]:
    return [(test, 0, len(block), value), *block]


def _if_not(test: int, value: int, block: list[Instruction]) -> list[Instruction]:
    return [(test, len(block), 0, value), *block]


def _unless_equal(value: int, verdict: int) -> list[Instruction]:
    return _if_not(_JUMP_IF_EQUAL, value, [_return(verdict)])

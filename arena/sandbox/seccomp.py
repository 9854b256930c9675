"""Which calls of the kernel may a bot make?

The answer is a small program that the kernel runs before each call (seccomp(2), classic BPF). It
refuses what `syscalls.DENIED` lists, every socket but unix streams, whatever reaches other bots by
files that all of them see, memory that nobody counts, and, unless processes are allowed, everything
that starts one: then the limits of the process are the limits of the bot.

Calls that do many different things (fcntl, ioctl, madvise) may do what is listed here, and nothing
that a newer kernel adds.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

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
_SO_COOKIE = 57
_TIOCSTI, _TIOCLINUX, _FIOSETOWN, _SIOCSPGRP = 0x5412, 0x541C, 0x8901, 0x8902
_DEVICE_COMMANDS = {
    "TCGETS": 0x5401,
    "TIOCGPGRP": 0x540F,
    "TIOCOUTQ": 0x5411,
    "TIOCGWINSZ": 0x5413,
    "FIONREAD": 0x541B,
    "FIONBIO": 0x5421,
    "FIONCLEX": 0x5450,
    "FIOCLEX": 0x5451,
    "SIOCATMARK": 0x8905,
    "TCGETS2": 0x802C542A,
    "FICLONE": 0x40049409,
}
"""Of descriptors, terminals and sockets: no file system is asked what it has in memory."""
_F_SETLK, _F_SETLKW = 6, 7
_FILE_COMMANDS = {
    "F_DUPFD": 0,
    "F_GETFD": 1,
    "F_SETFD": 2,
    "F_GETFL": 3,
    "F_SETFL": 4,
    "F_GETLK": 5,
    "F_GETOWN": 9,
    "F_GETSIG": 11,
    "F_GETOWN_EX": 16,
    "F_OFD_GETLK": 36,
    "F_GETLEASE": 1025,
    "F_DUPFD_QUERY": 1027,
    "F_DUPFD_CLOEXEC": 1030,
    "F_GETPIPE_SZ": 1032,
    "F_ADD_SEALS": 1033,
    "F_GET_SEALS": 1034,
}
"""Neither leases nor hints nor larger pipes, and no owners, to whom the kernel sends signals."""
_ADVICE = {
    "MADV_NORMAL": 0,
    "MADV_RANDOM": 1,
    "MADV_SEQUENTIAL": 2,
    "MADV_WILLNEED": 3,
    "MADV_DONTNEED": 4,
    "MADV_FREE": 8,
    "MADV_DONTFORK": 10,
    "MADV_DOFORK": 11,
    "MADV_HUGEPAGE": 14,
    "MADV_NOHUGEPAGE": 15,
    "MADV_DONTDUMP": 16,
    "MADV_DODUMP": 17,
    "MADV_WIPEONFORK": 18,
    "MADV_KEEPONFORK": 19,
    "MADV_POPULATE_READ": 22,
    "MADV_POPULATE_WRITE": 23,
    "MADV_GUARD_INSTALL": 102,
    "MADV_GUARD_REMOVE": 103,
}
"""About the bot's own mappings: no page of a file is taken out of memory (MADV_PAGEOUT), and none
is merged with an equal one of another bot (MADV_MERGEABLE)."""
_PR_SET_MEMORY_MERGE = 67
_MS_SYNC = 4
_CLOSE_RANGE_UNSHARE = 2
_FUTEX_COMMAND, _FUTEX_PRIVATE = 0x7F, 0x80
_FUTEX_WAIT, _FUTEX_WAIT_BITSET = 0, 9
_MAP_TYPE, _MAP_SHARED, _MAP_SHARED_VALIDATE = 0x0F, 0x01, 0x03
_MAP_ANONYMOUS, _MAP_GROWSDOWN = 0x20, 0x100
_CLONE_THREAD, _CLONE_FILES = 0x00010000, 0x400
_CLONE_SIGNAL, _SIGCONT, _PR_SET_PDEATHSIG = 0xFF, 18, 1
_CLONE_NAMESPACES = 0x7E020080
"""Every CLONE_NEW* flag."""

Instruction = tuple[int, int, int, int]


def filter_program(
    machine: str, *, processes: bool = False, only_signal: int | None = None
) -> bytes:
    """Return the program as the kernel wants it.

    `only_signal` is the one process that may be sent signals, for a bot that is in no namespaces of
    its own: neither processes nor files are hidden from it.
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
        (syscalls.GETSOCKOPT, _unless_argument_is(2, (_SO_COOKIE,), syscalls.ENOPROTOOPT)),
        (syscalls.IOCTL, _device_control()),
        (syscalls.FCNTL, _file_control(locked)),
        (syscalls.FLOCK, locked),
        # Flags can ask for what is in memory alone, or for nothing to stay there.
        (syscalls.PREADV2, _only_if_argument_is(5, (0,), syscalls.EOPNOTSUPP)),
        (syscalls.PWRITEV2, _only_if_argument_is(5, (0,), syscalls.EOPNOTSUPP)),
        (syscalls.MADVISE, _only_if_argument_is(2, _ADVICE.values(), syscalls.EINVAL)),
        (syscalls.MSYNC, _writing_out()),
        (syscalls.UTIME, _setting_times(1)),
        (syscalls.UTIMES, _setting_times(1)),
        (syscalls.FUTIMESAT, _setting_times(2)),
        (syscalls.UTIMENSAT, _setting_times(2)),
        (syscalls.FUTEX, _waking()),
        (syscalls.CLOSE_RANGE, _closing()),
        (syscalls.MMAP, _mapping()),
        (syscalls.CLONE, _cloning(processes=processes)),
        (syscalls.PRCTL, _process_control()),
        *[(call, missing) for call in syscalls.MISSING.values()],
        *[(call, [_refuse(0)]) for call in syscalls.IGNORED.values()],
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
        judged += [(call, refused) for call in syscalls.OF_OWNERS.values()]
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


def _device_control() -> list[Instruction]:
    # Most files know none of these commands, so that programs are used to being told so.
    refused = (_TIOCSTI, _TIOCLINUX, _FIOSETOWN, _SIOCSPGRP)
    return [
        *_unless_argument_is(1, refused)[:-1],
        *_only_if_argument_is(1, _DEVICE_COMMANDS.values(), syscalls.ENOTTY),
    ]


def _file_control(locked: list[Instruction]) -> list[Instruction]:
    return [
        _argument(1),
        *_if(_JUMP_IF_EQUAL, _F_SETLK, locked),
        *_if(_JUMP_IF_EQUAL, _F_SETLKW, locked),
        *_only_if_argument_is(1, _FILE_COMMANDS.values(), syscalls.EPERM),
    ]


def _writing_out() -> list[Instruction]:
    # As for fsync. Without the flag it is how some libraries ask whether an address is mapped.
    return [_argument(2), *_if(_JUMP_IF_SET, _MS_SYNC, [_refuse(0)]), _return(_ALLOW)]


def _setting_times(place: int) -> list[Instruction]:
    # All bots see the times of /dev/null, and all may write to it, so that all may change them. To
    # copy a file's times seems to work, as copying needs it to; where it fails to set a file to the
    # present, a program opens the file instead.
    now = [_refuse(syscalls.EPERM)]
    return [_argument(place), *_if(_JUMP_IF_EQUAL, 0, now), _refuse(0)]


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
        # What the parent is sent at the child's end must not continue it while it is stopped.
        (_AND, 0, 0, _CLONE_SIGNAL),
        *_if(_JUMP_IF_EQUAL, _SIGCONT, refused),
        _argument(0),
        *_if(_JUMP_IF_SET, _CLONE_NAMESPACES, refused),
        *threads_only,
        *_if(_JUMP_IF_SET, _CLONE_THREAD, without_files),
        _return(_ALLOW),
    ]


def _waking() -> list[Instruction]:
    # Two bots that map one file could wake each other, and be told who waits. A thread that waits
    # for another's end, in the C library, is woken by the kernel; everything else is private.
    return [
        _argument(1),
        *_if(_JUMP_IF_SET, _FUTEX_PRIVATE, [_return(_ALLOW)]),
        (_AND, 0, 0, _FUTEX_COMMAND),
        *_if(_JUMP_IF_EQUAL, _FUTEX_WAIT, [_return(_ALLOW)]),
        *_if(_JUMP_IF_EQUAL, _FUTEX_WAIT_BITSET, [_return(_ALLOW)]),
        _refuse(0),
    ]


def _process_control() -> list[Instruction]:
    # Nor what the child is sent at the parent's end.
    return [
        _argument(0),
        *_if(_JUMP_IF_EQUAL, _PR_SET_MEMORY_MERGE, [_refuse(syscalls.EINVAL)]),
        *_if_not(_JUMP_IF_EQUAL, _PR_SET_PDEATHSIG, [_return(_ALLOW)]),
        *_unless_argument_is(1, (_SIGCONT,)),
    ]


def _unless_argument_is(
    place: int, values: Iterable[int], error: int = syscalls.EPERM
) -> list[Instruction]:
    tests = [step for value in values for step in _if(_JUMP_IF_EQUAL, value, [_refuse(error)])]
    return [_argument(place), *tests, _return(_ALLOW)]


def _only_if_argument_is(place: int, values: Iterable[int], error: int) -> list[Instruction]:
    tests = [step for value in values for step in _if(_JUMP_IF_EQUAL, value, [_return(_ALLOW)])]
    return [_argument(place), *tests, _refuse(error)]


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

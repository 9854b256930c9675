"""The system call filter of bots.

The filter is a small program that the kernel runs before each call (seccomp(2), classic BPF). It
refuses the calls in `syscalls.DENIED`, every socket except unix streams, everything that reaches
other bots through files that all of them can see, and memory that is not counted. It also refuses
everything that starts a process, so that the limits of the process are the limits of the bot. And
it keeps bots from ending as if by SIGKILL: whoever ends so was ended by the machine.

Calls with many functions (fcntl, ioctl, madvise) may do what is listed here, and nothing that a
newer kernel adds.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterable

from arena.sandbox.limits import syscalls
from arena.sandbox.limits.syscalls import SystemCall

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
_SO_COOKIE, _SO_PASSPIDFD, _SO_PEERPIDFD = 57, 76, 77
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
"""Commands for descriptors, terminals and sockets; none asks a file system what is in memory."""
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
"""No leases, hints or larger pipes, and no setting of owners, to which the kernel sends signals."""
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
"""Advice about the bot's own mappings. No page of a file is evicted from memory (MADV_PAGEOUT), and
none is merged with an equal page of another bot (MADV_MERGEABLE)."""
_SIGKILL = 9
_KILLED = 128 + _SIGKILL
"""The exit code that stands for this signal in shells and in bubblewrap."""
_RLIMIT_CPU = 0
"""The kernel sends SIGKILL to a process that exceeds this limit."""
_PR_SET_PDEATHSIG, _PR_SET_MEMORY_MERGE = 1, 67
_MS_SYNC = 4
_CLOSE_RANGE_UNSHARE = 2
_FUTEX_COMMAND, _FUTEX_PRIVATE = 0x7F, 0x80
_FUTEX_WAIT, _FUTEX_WAIT_BITSET = 0, 9
_MAP_TYPE, _MAP_SHARED, _MAP_SHARED_VALIDATE = 0x0F, 0x01, 0x03
_MAP_ANONYMOUS, _MAP_GROWSDOWN = 0x20, 0x100
_CLONE_THREAD, _CLONE_FILES, _CLONE_PIDFD = 0x00010000, 0x400, 0x1000
_CLONE_NAMESPACES = 0x7E020080
"""Every CLONE_NEW* flag."""

Instruction = tuple[int, int, int, int]


def filter_program(machine: str, *, signal_target: int | None = None) -> bytes:
    """Return the filter in the kernel's binary format.

    `signal_target` is the only process that may be sent signals. It is set for a bot without
    namespaces, from which neither processes nor files are hidden.
    """
    program: list[Instruction] = [
        _load(_ARCHITECTURE),
        # On another architecture, calls have different numbers.
        *_unless_equal(syscalls.ARCHITECTURES[machine], _KILL),
        _load(_NUMBER),
    ]
    if machine == "x86_64":
        program += _if(_JUMP_IF_SET, syscalls.X32, [_return(_KILL)])
    program += _if(_JUMP_IF_AT_LEAST, syscalls.FIRST_UNKNOWN, [_refuse(errno.ENOSYS)])
    for call, block in _rules(signal_target=signal_target):
        number = call.number_on(machine)
        if number is not None:
            program += _if(_JUMP_IF_EQUAL, number, block)
    program.append(_return(_ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _rules(*, signal_target: int | None) -> list[tuple[SystemCall, list[Instruction]]]:
    """List the calls that are not simply allowed, each with the instructions that decide."""
    refused = [_refuse(errno.EPERM)]
    missing = [_refuse(errno.ENOSYS)]
    # A single process cannot conflict with itself, so its locks seem to succeed. The kernel would
    # grant any number of locks, and other bots could see them.
    locked = [_refuse(0)]
    rules = [
        (syscalls.SOCKET, _socket()),
        (syscalls.SOCKETPAIR, _socket()),
        (
            syscalls.SETSOCKOPT,
            _refuse_if_argument_in(2, (_SO_SNDBUF, _SO_SNDBUFFORCE, _SO_PASSPIDFD)),
        ),
        # The kernel numbers sockets and processes of the whole machine.
        (
            syscalls.GETSOCKOPT,
            _refuse_if_argument_in(2, (_SO_COOKIE, _SO_PEERPIDFD), errno.ENOPROTOOPT),
        ),
        (syscalls.IOCTL, _ioctl()),
        (syscalls.FCNTL, _fcntl(locked)),
        (syscalls.FLOCK, locked),
        # Flags can ask to read only what is in memory, or to leave nothing there.
        (syscalls.PREADV2, _allow_if_argument_in(5, (0,), errno.EOPNOTSUPP)),
        (syscalls.PWRITEV2, _allow_if_argument_in(5, (0,), errno.EOPNOTSUPP)),
        (syscalls.MADVISE, _allow_if_argument_in(2, _ADVICE.values(), errno.EINVAL)),
        (syscalls.MSYNC, _msync()),
        (syscalls.UTIME, _utime(1)),
        (syscalls.UTIMES, _utime(1)),
        (syscalls.FUTIMESAT, _utime(2)),
        (syscalls.UTIMENSAT, _utime(2)),
        (syscalls.FUTEX, _futex()),
        (syscalls.CLOSE_RANGE, _close_range()),
        (syscalls.MMAP, _mmap()),
        (syscalls.CLONE, _clone()),
        (syscalls.PRCTL, _prctl()),
        (syscalls.KILL, _signal(1, signal_target)),
        (syscalls.SIGQUEUE, _signal(1, signal_target)),
        (syscalls.TGKILL, _signal(2, signal_target)),
        (syscalls.TGSIGQUEUE, _signal(2, signal_target)),
        (syscalls.TKILL, refused if signal_target else _signal(1, None)),
        (syscalls.SETRLIMIT, _refuse_if_argument_in(0, (_RLIMIT_CPU,))),
        (syscalls.PRLIMIT, _prlimit(signal_target)),
        (syscalls.EXIT, _exit()),
        (syscalls.EXIT_GROUP, _exit()),
        *[(call, missing) for call in syscalls.MISSING.values()],
        *[(call, [_refuse(0)]) for call in syscalls.IGNORED.values()],
        *[(call, refused) for call in syscalls.DENIED.values()],
        (syscalls.FORK, refused),
        (syscalls.VFORK, refused),
    ]
    if signal_target is not None:
        rules += [(call, refused) for call in syscalls.METADATA_CALLS.values()]
    return rules


def _socket() -> list[Instruction]:
    # Other kinds keep unread data after the sender has closed, without a limit.
    return [
        _argument(0),
        *_unless_equal(_AF_UNIX, _ERRNO | errno.EAFNOSUPPORT),
        _argument(1),
        (_AND, 0, 0, _SOCK_TYPE),
        *_unless_equal(_SOCK_STREAM, _ERRNO | errno.EPERM),
        _return(_ALLOW),
    ]


def _ioctl() -> list[Instruction]:
    # Most files support none of these commands, so programs can handle this error.
    refused = (_TIOCSTI, _TIOCLINUX, _FIOSETOWN, _SIOCSPGRP)
    return [
        *_refuse_if_argument_in(1, refused)[:-1],
        *_allow_if_argument_in(1, _DEVICE_COMMANDS.values(), errno.ENOTTY),
    ]


def _fcntl(locked: list[Instruction]) -> list[Instruction]:
    return [
        _argument(1),
        *_if(_JUMP_IF_EQUAL, _F_SETLK, locked),
        *_if(_JUMP_IF_EQUAL, _F_SETLKW, locked),
        *_allow_if_argument_in(1, _FILE_COMMANDS.values(), errno.EPERM),
    ]


def _msync() -> list[Instruction]:
    # Ignored like fsync. Without the flag, some libraries use it to test if an address is mapped.
    return [_argument(2), *_if(_JUMP_IF_SET, _MS_SYNC, [_refuse(0)]), _return(_ALLOW)]


def _utime(index: int) -> list[Instruction]:
    # All bots can see the times of /dev/null, and all may write to it, so all could change them.
    # Setting given times seems to succeed, because copying a file needs that. Setting the present
    # time fails, because programs then open the file instead.
    now = [_refuse(errno.EPERM)]
    return [_argument(index), *_if(_JUMP_IF_EQUAL, 0, now), _refuse(0)]


def _close_range() -> list[Instruction]:
    # A thread with its own descriptor table would get a second allowance of open files.
    refused = [_refuse(errno.EPERM)]
    return [
        _argument(2),
        *_if(_JUMP_IF_SET, _CLOSE_RANGE_UNSHARE, refused),
        _return(_ALLOW),
    ]


def _mmap() -> list[Instruction]:
    # RLIMIT_DATA counts neither growing stacks nor shared memory without a file.
    no_memory = [_refuse(errno.ENOMEM)]
    return [
        _argument(3),
        *_if(_JUMP_IF_SET, _MAP_GROWSDOWN, [_refuse(errno.EPERM)]),
        *_if_not(_JUMP_IF_SET, _MAP_ANONYMOUS, [_return(_ALLOW)]),
        (_AND, 0, 0, _MAP_TYPE),
        *_if(_JUMP_IF_EQUAL, _MAP_SHARED, no_memory),
        *_if(_JUMP_IF_EQUAL, _MAP_SHARED_VALIDATE, no_memory),
        _return(_ALLOW),
    ]


def _clone() -> list[Instruction]:
    refused = [_refuse(errno.EPERM)]
    return [
        _argument(0),
        *_if(_JUMP_IF_SET, _CLONE_NAMESPACES, refused),
        # As before Linux 5.2: the number of such a descriptor counts the machine's processes.
        *_if(_JUMP_IF_SET, _CLONE_PIDFD, [_refuse(errno.EINVAL)]),
        # Threads only.
        *_if_not(_JUMP_IF_SET, _CLONE_THREAD, refused),
        # As for close_range: no thread with its own descriptor table.
        *_if_not(_JUMP_IF_SET, _CLONE_FILES, refused),
        _return(_ALLOW),
    ]


def _futex() -> list[Instruction]:
    # Two bots that map the same file could wake each other and learn how many wait. In the C
    # library, a thread that joins another is woken by the kernel; all other futexes are private.
    return [
        _argument(1),
        *_if(_JUMP_IF_SET, _FUTEX_PRIVATE, [_return(_ALLOW)]),
        (_AND, 0, 0, _FUTEX_COMMAND),
        *_if(_JUMP_IF_EQUAL, _FUTEX_WAIT, [_return(_ALLOW)]),
        *_if(_JUMP_IF_EQUAL, _FUTEX_WAIT_BITSET, [_return(_ALLOW)]),
        _refuse(0),
    ]


def _prctl() -> list[Instruction]:
    # A bot ends with its referee.
    return [
        _argument(0),
        *_if(_JUMP_IF_EQUAL, _PR_SET_MEMORY_MERGE, [_refuse(errno.EINVAL)]),
        *_if(_JUMP_IF_EQUAL, _PR_SET_PDEATHSIG, [_refuse(errno.EPERM)]),
        _return(_ALLOW),
    ]


def _signal(index: int, target: int | None) -> list[Instruction]:
    """Allow every signal but SIGKILL, which is the argument `index`; only to `target` if given."""
    return [*_refuse_if_argument_in(index, (_SIGKILL,))[:-1], *_only_to(target)]


def _prlimit(target: int | None) -> list[Instruction]:
    # It reads the limit if there is no new one: if both halves of that pointer are 0.
    refused = [_refuse(errno.EPERM)]
    pointer = (_argument(2), _load(_ARGUMENTS + 8 * 2 + 4))
    changes = [step for half in pointer for step in (half, *_if_not(_JUMP_IF_EQUAL, 0, refused))]
    itself = [_argument(0), *_if(_JUMP_IF_EQUAL, 0, [_return(_ALLOW)])]
    return [_argument(1), *_if(_JUMP_IF_EQUAL, _RLIMIT_CPU, changes), *itself, *_only_to(target)]


def _only_to(target: int | None) -> list[Instruction]:
    """Allow calls whose first argument is this process; all if it is None."""
    only = [] if target is None else [_argument(0), *_unless_equal(target, _ERRNO | errno.EPERM)]
    return [*only, _return(_ALLOW)]


def _exit() -> list[Instruction]:
    refused = [_refuse(errno.EPERM)]
    return [
        _argument(0),
        (_AND, 0, 0, 0xFF),
        *_if(_JUMP_IF_EQUAL, _KILLED, refused),
        _return(_ALLOW),
    ]


def _refuse_if_argument_in(
    index: int, values: Iterable[int], error: int = errno.EPERM
) -> list[Instruction]:
    tests = [step for value in values for step in _if(_JUMP_IF_EQUAL, value, [_refuse(error)])]
    return [_argument(index), *tests, _return(_ALLOW)]


def _allow_if_argument_in(index: int, values: Iterable[int], error: int) -> list[Instruction]:
    tests = [step for value in values for step in _if(_JUMP_IF_EQUAL, value, [_return(_ALLOW)])]
    return [_argument(index), *tests, _refuse(error)]


def _argument(index: int) -> Instruction:
    """Load the lower half of an argument: the kernel reads no more of flags and small numbers."""
    return _load(_ARGUMENTS + 8 * index)


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

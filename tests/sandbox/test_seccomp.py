"""The system call filter refuses forbidden calls, and bots in all languages can run.

It is run here as the kernel runs it, for every architecture that it supports.
"""

from __future__ import annotations

import errno
import signal
import socket
import struct
from collections.abc import Iterable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.sandbox.limits import syscalls
from arena.sandbox.limits.seccomp import _rules, filter_program
from arena.sandbox.limits.syscalls import ARCHITECTURES, DENIED, SystemCall
from tests.sandbox.filter_calls import ORDINARY, verdict

MACHINES = tuple(ARCHITECTURES)
ALLOW, KILL = 0x7FFF0000, 0x80000000
EPERM, ENOSYS = errno.EPERM, errno.ENOSYS
FOREIGN = {"i386": 0x40000003, "arm": 0x40000028, "riscv64": 0xC00000F3, "nonsense": 0}
THREAD_FLAGS = 0x3D0F00
"""The flags with which the C library starts a thread."""
NAMESPACES = (0x80, 0x20000, *(1 << bit for bit in range(25, 31)))
"""The flags for new namespaces."""

each_machine = pytest.mark.parametrize("machine", MACHINES)


def refusal(error: int) -> int:
    """Return the verdict for an error."""
    return 0x00050000 | error


def verdict_on(machine: str, call: SystemCall, *arguments: int) -> int:
    """Return the default filter's verdict on a call that the architecture has."""
    number = call.number_on(machine)
    assert number is not None
    return verdict(filter_program(machine), machine, number, *arguments)


def existing_calls(machine: str, calls: Mapping[str, SystemCall]) -> list[SystemCall]:
    """Return the calls that an architecture has."""
    return [call for call in calls.values() if call.number_on(machine) is not None]


@each_machine
@pytest.mark.parametrize("signal_target", [None, 77])
def test_every_path_through_the_filter_ends(machine: str, signal_target: int | None) -> None:
    program = filter_program(machine, signal_target=signal_target)
    steps = list(struct.iter_unpack("=HBBI", program))
    assert len(steps) <= 4096
    for index, (code, if_true, if_false, _) in enumerate(steps):
        if code in (0x15, 0x35, 0x45):
            assert index + 1 + max(if_true, if_false) < len(steps)
    assert steps[-1] == (0x06, 0, 0, ALLOW)


@each_machine
def test_denied_calls_are_refused(machine: str) -> None:
    for call in existing_calls(machine, DENIED):
        assert verdict_on(machine, call) == refusal(errno.EPERM), call


@each_machine
def test_the_calls_of_runtimes_are_allowed(machine: str) -> None:
    for call in existing_calls(machine, ORDINARY):
        assert verdict_on(machine, call) == ALLOW, call


@each_machine
@pytest.mark.parametrize("foreign", FOREIGN.values(), ids=FOREIGN)
def test_calls_of_another_architecture_kill(machine: str, foreign: int) -> None:
    program = filter_program(machine)
    for number in (0, 1, 11, 120, 451):
        assert verdict(program, machine, number, architecture=foreign) == KILL


def test_each_machine_is_foreign_to_the_other() -> None:
    for one, other in (MACHINES, MACHINES[::-1]):
        program = filter_program(one)
        assert verdict(program, one, 1, architecture=ARCHITECTURES[other]) == KILL


@pytest.mark.parametrize("number", [0, 1, 59, 520, 545])
def test_calls_of_the_x32_abi_kill(number: int) -> None:
    assert verdict(filter_program("x86_64"), "x86_64", 0x40000000 | number) == KILL


@each_machine
@pytest.mark.parametrize("number", [451, 462, 1000, 0x3FFFFFFF])
def test_calls_that_are_newer_than_the_filter_do_not_exist(machine: str, number: int) -> None:
    assert verdict(filter_program(machine), machine, number) == refusal(errno.ENOSYS)


SIGCHLD, VM, FILES, PIDFD, THREAD = int(signal.SIGCHLD), 0x100, 0x400, 0x1000, THREAD_FLAGS
SHARED, PRIVATE, SHARED_VALIDATE, ANONYMOUS, GROWSDOWN = 1, 2, 3, 0x20, 0x100
MISSING, IGNORED = syscalls.MISSING, syscalls.IGNORED
FORKS = {"fork": syscalls.FORK, "vfork": syscalls.VFORK, "clone": syscalls.CLONE}
Case = tuple[SystemCall, tuple[int, ...], int | None]
"""A call, its arguments, and the error that it gets: 0 if it does nothing, None if it is made."""


def cases(
    calls: SystemCall | Iterable[SystemCall],
    arguments: Iterable[tuple[int, ...]],
    error: int | None,
) -> list[Case]:
    """Combine calls with arguments."""
    listed = [calls] if isinstance(calls, SystemCall) else list(calls)
    return [(call, each, error) for each in arguments for call in listed]


def second(*values: int) -> list[tuple[int, ...]]:
    """Return arguments of calls whose second one decides."""
    return [(1, value) for value in values]


PROMISES: dict[str, list[Case]] = {
    "threads can be started, with the descriptors of all": [
        *cases(syscalls.CLONE, [(THREAD,)], None),
        *cases(syscalls.CLONE, [(THREAD & ~FILES,)], EPERM),
        *cases(syscalls.CLONE3, [()], ENOSYS),
        *cases(syscalls.CLOSE_RANGE, [(3, 9, 0)], None),
        *cases(syscalls.CLOSE_RANGE, [(3, 9, 2)], EPERM),
    ],
    "no process can be started": cases(FORKS.values(), [(SIGCHLD,), (SIGCHLD | VM,), (0,)], EPERM),
    "no namespace can be created": cases(
        syscalls.CLONE,
        [(flag | others,) for flag in NAMESPACES for others in (SIGCHLD, THREAD)],
        EPERM,
    ),
    "a bot cannot outlive its referee": [
        *cases(syscalls.PRCTL, [(1, 0), (1, 9)], EPERM),
        *cases(syscalls.PRCTL, [(15, 0)], None),
    ],
    "a bot cannot arrange to be continued while it is stopped": [
        *cases(MISSING["timer_create"], [()], ENOSYS),
        *cases(syscalls.FCNTL, second(8, 10, 15, 1026), EPERM),
        *cases(syscalls.IOCTL, second(0x8901, 0x8902), EPERM),
    ],
    "file locks have no effect": [
        *cases(syscalls.FCNTL, second(6, 7), 0),
        *cases(syscalls.FLOCK, second(2), 0),
        *cases(syscalls.FCNTL, second(37, 38, 1024), EPERM),
    ],
    "socket buffers and pipes cannot be enlarged": [
        *cases(syscalls.SETSOCKOPT, [(3, 1, socket.SO_SNDBUF), (3, 1, 32)], EPERM),
        *cases(syscalls.SETSOCKOPT, [(3, 1, socket.SO_ERROR)], None),
        *cases(syscalls.FCNTL, second(1031), EPERM),
    ],
    "nothing shows what the kernel counts for the whole machine": [
        *cases(syscalls.CLONE, [(THREAD | PIDFD,)], errno.EINVAL),
        *cases(MISSING["pidfd_open"], [(1,)], ENOSYS),
        *cases(MISSING["sysinfo"], [()], ENOSYS),
        *cases(syscalls.GETSOCKOPT, [(3, 1, 77), (3, 1, 57)], errno.ENOPROTOOPT),
        *cases(syscalls.GETSOCKOPT, [(3, 1, socket.SO_ERROR)], None),
        *cases(syscalls.SETSOCKOPT, [(3, 1, 76)], EPERM),
    ],
    "memory that is not counted is refused": [
        *cases(
            syscalls.MMAP,
            [(0, 1, 3, flags) for flags in (PRIVATE | ANONYMOUS, PRIVATE, SHARED)],
            None,
        ),
        *cases(
            syscalls.MMAP,
            [(0, 1, 3, kind | ANONYMOUS) for kind in (SHARED, SHARED_VALIDATE)],
            errno.ENOMEM,
        ),
        *cases(
            syscalls.MMAP,
            [(0, 1, 3, kind | GROWSDOWN) for kind in (PRIVATE | ANONYMOUS, SHARED)],
            EPERM,
        ),
    ],
    "a terminal cannot be typed into": cases(syscalls.IOCTL, second(0x5412, 0x541C), EPERM),
    "a bot cannot ask which pages and names are in memory": [
        *cases((syscalls.PREADV2, syscalls.PWRITEV2), [(3, 0, 1, 0, 0, 0)], None),
        *cases(
            (syscalls.PREADV2, syscalls.PWRITEV2),
            [(3, 0, 1, 0, 0, flags) for flags in (8, 0x20, 0x80, 1, 1 << 31)],
            errno.EOPNOTSUPP,
        ),
        *cases((MISSING["mincore"], MISSING["openat2"], SystemCall(451, 451)), [()], ENOSYS),
    ],
    "a bot cannot make the kernel evict, fetch or flush files": [
        *cases(IGNORED.values(), [(3, 0, 0, advice) for advice in range(8)], 0),
        *cases(syscalls.MSYNC, [(0, 4096, 4 | 2)], 0),
        *cases(syscalls.MSYNC, [(0, 4096, 1)], None),
    ],
    "equal pages of two bots are not merged": [
        *cases(syscalls.MADVISE, [(0, 4096, 12)], errno.EINVAL),
        *cases(syscalls.PRCTL, [(67, 1)], errno.EINVAL),
    ],
    "ioctls work on descriptors, not on file systems and devices": [
        *cases(syscalls.IOCTL, second(0x541B, 0x5421, 0x5451, 0x5450, 0x5401, 0x5413), None),
        *cases(
            syscalls.IOCTL,
            second(1, 2, 0xC020660B, 0x6612, 0x6628, 0xC020662A, 0x80045200),
            errno.ENOTTY,
        ),
    ],
    "no hint can be left on a file": cases(syscalls.FCNTL, second(1035, 1036, 1037, 1038), EPERM),
    "the time of a file cannot be set": [
        *cases((syscalls.UTIME, syscalls.UTIMES), [(1, 0)], EPERM),
        *cases((syscalls.UTIME, syscalls.UTIMES), [(1, 0x7FFF1234)], 0),
        *cases((syscalls.FUTIMESAT, syscalls.UTIMENSAT), [(1, 1, 0)], EPERM),
        *cases((syscalls.FUTIMESAT, syscalls.UTIMENSAT), [(1, 1, 0x7FFF1234)], 0),
    ],
    "bots cannot wake each other": [
        *cases(syscalls.FUTEX, second(0, 9 | 256, 1 | 128, 5 | 128), None),
        *cases(syscalls.FUTEX, second(1, 3, 4, 5, 6, 7, 10, 11, 12, 13), 0),
    ],
}


@each_machine
@pytest.mark.parametrize("promise", PROMISES)
def test_the_filter_keeps_a_promise(machine: str, promise: str) -> None:
    for call, arguments, error in PROMISES[promise]:
        if call.number_on(machine) is not None:
            expected = ALLOW if error is None else refusal(error)
            assert verdict_on(machine, call, *arguments) == expected, (call, arguments)


@each_machine
@pytest.mark.parametrize("call", [syscalls.SOCKET, syscalls.SOCKETPAIR])
def test_only_unix_stream_sockets_can_be_opened(machine: str, call: SystemCall) -> None:
    stream = socket.SOCK_STREAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
    assert verdict_on(machine, call, socket.AF_UNIX, stream) == ALLOW
    for family in {*range(64), 0xFFFFFFFF} - {int(socket.AF_UNIX)}:
        assert verdict_on(machine, call, family, stream) == refusal(errno.EAFNOSUPPORT)
    for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        assert verdict_on(machine, call, socket.AF_UNIX, kind) == refusal(errno.EPERM)


@each_machine
@given(advice=st.integers(0, 130) | st.integers(0, 2**32 - 1))
def test_memory_advice_works_only_on_the_bots_own_memory(machine: str, advice: int) -> None:
    own_memory = {0, 1, 2, 3, 4, 8, 10, 11, *range(14, 20), 22, 23, 102, 103}
    expected = ALLOW if advice in own_memory else refusal(errno.EINVAL)
    assert verdict_on(machine, syscalls.MADVISE, 0, 4096, advice) == expected


@each_machine
@given(command=st.integers(0, 2**32 - 1) | st.integers(1024, 1060))
def test_unknown_fcntl_commands_are_refused(machine: str, command: int) -> None:
    known = {*range(8), 9, 11, 16, 36, 1025, 1027, 1030, 1032, 1033, 1034}
    if command not in known:
        assert verdict_on(machine, syscalls.FCNTL, 3, command) == refusal(errno.EPERM)


@each_machine
def test_without_its_own_mounts_a_bot_cannot_change_files_that_it_owns(machine: str) -> None:
    program = filter_program(machine, signal_target=77)
    for call in existing_calls(machine, syscalls.METADATA_CALLS):
        number = call.number_on(machine)
        assert number is not None
        assert verdict(program, machine, number) == refusal(errno.EPERM)
        assert verdict_on(machine, call) == ALLOW


@each_machine
def test_without_a_namespace_a_bot_can_signal_only_itself(machine: str) -> None:
    program = filter_program(machine, signal_target=77)
    for call in (syscalls.KILL, syscalls.TGKILL, syscalls.SIGQUEUE, syscalls.TGSIGQUEUE):
        number = call.number_on(machine)
        assert number is not None
        assert verdict(program, machine, number, 77, 15) == ALLOW
        for pid in (1, 76, 78, 0, 2**64 - 1, 2**64 - 77):
            assert verdict(program, machine, number, pid, 15) == refusal(errno.EPERM)
    number = syscalls.TKILL.number_on(machine)
    assert number is not None
    assert verdict(program, machine, number, 77, 15) == refusal(errno.EPERM)


@each_machine
@pytest.mark.parametrize("signal_target", [None, 77])
def test_nothing_lets_a_bot_end_as_if_by_sigkill(machine: str, signal_target: int | None) -> None:
    program = filter_program(machine, signal_target=signal_target)

    def found(call: SystemCall, *arguments: int) -> int:
        number = call.number_on(machine)
        assert number is not None
        return verdict(program, machine, number, *arguments)

    for number in (1, 6, 15, 19):
        assert found(syscalls.KILL, 77, number) == ALLOW
        assert found(syscalls.TGKILL, 77, 78, number) == ALLOW
    for high in (0, 1 << 32):
        assert found(syscalls.KILL, 77, high | 9) == refusal(EPERM)
        assert found(syscalls.SIGQUEUE, 77, high | 9) == refusal(EPERM)
        assert found(syscalls.TKILL, 77, high | 9) == refusal(EPERM)
        assert found(syscalls.TGKILL, 77, 78, high | 9) == refusal(EPERM)
        assert found(syscalls.TGSIGQUEUE, 77, 78, high | 9) == refusal(EPERM)
    for code in (0, 1, 127, 255, 138):
        assert found(syscalls.EXIT_GROUP, code) == ALLOW
    for code in (137, 137 | 256, 2**32 - 119):
        assert found(syscalls.EXIT, code) == refusal(EPERM)
        assert found(syscalls.EXIT_GROUP, code) == refusal(EPERM)
    assert found(syscalls.SETRLIMIT, 0) == refusal(EPERM)
    assert found(syscalls.SETRLIMIT, 7) == ALLOW
    assert found(syscalls.PRLIMIT, 0, 0, 0) == ALLOW
    assert found(syscalls.PRLIMIT, 0, 7, 4096) == ALLOW
    for pointer in (4096, 1 << 32):
        assert found(syscalls.PRLIMIT, 0, 0, pointer) == refusal(EPERM)


@each_machine
def test_without_a_namespace_a_bot_can_limit_only_itself(machine: str) -> None:
    program = filter_program(machine, signal_target=77)
    number = syscalls.PRLIMIT.number_on(machine)
    assert number is not None
    for pid in (0, 77):
        assert verdict(program, machine, number, pid) == ALLOW
    for pid in (1, 76, 78, 2**64 - 77):
        assert verdict(program, machine, number, pid) == refusal(errno.EPERM)


@given(
    st.sampled_from(MACHINES),
    st.integers(0, 500) | st.integers(0, 2**32 - 1),
    st.lists(st.integers(0, 2**64 - 1), min_size=6, max_size=6),
)
def test_bits_that_the_kernel_ignores_do_not_change_a_verdict(
    machine: str, number: int, arguments: list[int]
) -> None:
    program = filter_program(machine)
    found = verdict(program, machine, number, *arguments)
    assert found == verdict(program, machine, number, *(word & 0xFFFFFFFF for word in arguments))
    errors = {0, errno.EPERM, errno.ENOSYS, errno.ENOMEM, errno.EINVAL, errno.ENOTTY}
    errors |= {errno.EAFNOSUPPORT, errno.EOPNOTSUPP, errno.ENOPROTOOPT}
    assert found in {ALLOW, KILL, *map(refusal, errors)}


@each_machine
def test_no_call_has_two_rules(machine: str) -> None:
    calls = [call.number_on(machine) for call, _ in _rules(signal_target=1)]
    numbers = [number for number in calls if number is not None]
    assert len(numbers) == len(set(numbers))

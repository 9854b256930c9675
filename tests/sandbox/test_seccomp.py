"""The system call filter refuses forbidden calls, and bots in all languages can run.

It is run here as the kernel runs it, for every architecture that it supports.
"""

from __future__ import annotations

import errno
import signal
import socket
import struct
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.sandbox.limits import syscalls
from arena.sandbox.limits.seccomp import _rules, filter_program
from arena.sandbox.limits.syscalls import ARCHITECTURES, DENIED, SystemCall
from tests.sandbox.filter_calls import ORDINARY, verdict

MACHINES = tuple(ARCHITECTURES)
ALLOW, KILL = 0x7FFF0000, 0x80000000
FOREIGN = {"i386": 0x40000003, "arm": 0x40000028, "riscv64": 0xC00000F3, "nonsense": 0}
CLONE_VM, CLONE_THREAD = 0x100, 0x10000
THREAD_FLAGS = 0x3D0F00
"""The flags with which the C library starts a thread."""
NAMESPACES = {
    "time": 0x80,
    "mount": 0x20000,
    "cgroup": 0x2000000,
    "uts": 0x4000000,
    "ipc": 0x8000000,
    "user": 0x10000000,
    "process": 0x20000000,
    "network": 0x40000000,
}

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


@each_machine
def test_clone3_does_not_exist(machine: str) -> None:
    assert verdict_on(machine, syscalls.CLONE3) == refusal(errno.ENOSYS)


@each_machine
def test_threads_can_be_started(machine: str) -> None:
    assert verdict_on(machine, syscalls.CLONE, THREAD_FLAGS) == ALLOW


@each_machine
@pytest.mark.parametrize("flags", [signal.SIGCHLD, signal.SIGCHLD | CLONE_VM, 0])
def test_no_process_can_be_started(machine: str, flags: int) -> None:
    calls = {"fork": syscalls.FORK, "vfork": syscalls.VFORK, "clone": syscalls.CLONE}
    for call in existing_calls(machine, calls):
        assert verdict_on(machine, call, flags) == refusal(errno.EPERM)


@each_machine
@pytest.mark.parametrize("flag", NAMESPACES.values(), ids=NAMESPACES)
@pytest.mark.parametrize("others", [signal.SIGCHLD, THREAD_FLAGS], ids=["process", "thread"])
def test_no_namespace_can_be_created(machine: str, flag: int, others: int) -> None:
    assert verdict_on(machine, syscalls.CLONE, flag | others) == refusal(errno.EPERM)


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
def test_file_locks_have_no_effect(machine: str) -> None:
    for command in (6, 7):
        assert verdict_on(machine, syscalls.FCNTL, 3, command) == refusal(0)
    assert verdict_on(machine, syscalls.FLOCK, 3, 2) == refusal(0)
    for command in (37, 38, 1024):
        assert verdict_on(machine, syscalls.FCNTL, 3, command) == refusal(errno.EPERM)


@each_machine
def test_all_threads_share_their_descriptors(machine: str) -> None:
    files, unshare = 0x400, 2
    found = verdict_on(machine, syscalls.CLONE, THREAD_FLAGS & ~files)
    assert found == refusal(errno.EPERM)
    assert verdict_on(machine, syscalls.CLOSE_RANGE, 3, 9, 0) == ALLOW
    assert verdict_on(machine, syscalls.CLOSE_RANGE, 3, 9, unshare) == refusal(errno.EPERM)


@each_machine
def test_socket_buffers_cannot_be_enlarged(machine: str) -> None:
    for option in (socket.SO_SNDBUF, 32):
        found = verdict_on(machine, syscalls.SETSOCKOPT, 3, socket.SOL_SOCKET, option)
        assert found == refusal(errno.EPERM)
    assert verdict_on(machine, syscalls.SETSOCKOPT, 3, socket.SOL_SOCKET, socket.SO_ERROR) == ALLOW


@each_machine
def test_no_descriptor_shows_the_number_of_a_process(machine: str) -> None:
    clone_pidfd, peer, passed = 0x1000, 77, 76
    for flags in (signal.SIGCHLD, THREAD_FLAGS):
        found = verdict_on(machine, syscalls.CLONE, flags | clone_pidfd)
        assert found == refusal(errno.EINVAL)
    assert verdict_on(machine, syscalls.PIDFD_OPEN, 1) == refusal(errno.ENOSYS)
    found = verdict_on(machine, syscalls.GETSOCKOPT, 3, socket.SOL_SOCKET, peer)
    assert found == refusal(errno.ENOPROTOOPT)
    found = verdict_on(machine, syscalls.SETSOCKOPT, 3, socket.SOL_SOCKET, passed)
    assert found == refusal(errno.EPERM)


@each_machine
def test_a_bot_cannot_make_the_kernel_send_signals(machine: str) -> None:
    for command in (8, 10, 15, 1026):
        assert verdict_on(machine, syscalls.FCNTL, 3, command) == refusal(errno.EPERM)
    for command in (0x8901, 0x8902):
        assert verdict_on(machine, syscalls.IOCTL, 3, command) == refusal(errno.EPERM)


@each_machine
def test_a_bot_cannot_arrange_to_be_continued_while_stopped(machine: str) -> None:
    timer = syscalls.MISSING["timer_create"]
    assert verdict_on(machine, timer) == refusal(errno.ENOSYS)


@each_machine
def test_a_bot_cannot_outlive_its_referee(machine: str) -> None:
    at_parents_end, name = 1, 15
    assert verdict_on(machine, syscalls.PRCTL, at_parents_end, 0) == refusal(errno.EPERM)
    assert verdict_on(machine, syscalls.PRCTL, name, 0) == ALLOW


SHARED, PRIVATE, SHARED_VALIDATE, ANONYMOUS, GROWSDOWN = 1, 2, 3, 0x20, 0x100


@each_machine
@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (PRIVATE | ANONYMOUS, ALLOW),
        (PRIVATE, ALLOW),
        (SHARED, ALLOW),
        (SHARED | ANONYMOUS, refusal(errno.ENOMEM)),
        (SHARED_VALIDATE | ANONYMOUS, refusal(errno.ENOMEM)),
        (PRIVATE | ANONYMOUS | GROWSDOWN, refusal(errno.EPERM)),
        (SHARED | GROWSDOWN, refusal(errno.EPERM)),
    ],
)
def test_uncounted_memory_is_refused(machine: str, flags: int, expected: int) -> None:
    assert verdict_on(machine, syscalls.MMAP, 0, 4096, 3, flags) == expected


@each_machine
def test_a_terminal_cannot_be_typed_into_nor_a_pipe_enlarged(machine: str) -> None:
    for call, command in [
        (syscalls.IOCTL, 0x5412),
        (syscalls.IOCTL, 0x541C),
        (syscalls.FCNTL, 1031),
    ]:
        assert verdict_on(machine, call, 1, command) == refusal(errno.EPERM)


@each_machine
def test_a_bot_cannot_ask_which_pages_and_names_are_in_memory(machine: str) -> None:
    no_wait, only_cached, dont_cache = 8, 0x20, 0x80
    for call in (syscalls.PREADV2, syscalls.PWRITEV2):
        assert verdict_on(machine, call, 3, 0, 1, 0, 0, 0) == ALLOW
        for flags in (no_wait, only_cached, dont_cache, 1, 1 << 31):
            assert verdict_on(machine, call, 3, 0, 1, 0, 0, flags) == refusal(errno.EOPNOTSUPP)
    for name in ("mincore", "openat2"):
        assert verdict_on(machine, syscalls.MISSING[name]) == refusal(errno.ENOSYS)
    cachestat = SystemCall(451, 451)
    assert verdict_on(machine, cachestat) == refusal(errno.ENOSYS)


@each_machine
def test_the_memory_use_of_the_machine_is_hidden(machine: str) -> None:
    assert verdict_on(machine, syscalls.MISSING["sysinfo"]) == refusal(errno.ENOSYS)


@each_machine
def test_a_bot_cannot_make_the_kernel_evict_or_fetch_files(machine: str) -> None:
    for name in ("fadvise64", "readahead"):
        for advice in range(8):
            assert verdict_on(machine, syscalls.IGNORED[name], 3, 0, 0, advice) == refusal(0)


@each_machine
def test_a_bot_cannot_flush_data_to_a_disk(machine: str) -> None:
    for name in ("fsync", "fdatasync", "sync_file_range"):
        assert verdict_on(machine, syscalls.IGNORED[name], 3) == refusal(0)
    asynchronously, invalidate, at_once = 1, 2, 4
    assert verdict_on(machine, syscalls.MSYNC, 0, 4096, at_once | invalidate) == refusal(0)
    assert verdict_on(machine, syscalls.MSYNC, 0, 4096, asynchronously) == ALLOW


@each_machine
@given(advice=st.integers(0, 130) | st.integers(0, 2**32 - 1))
def test_memory_advice_works_only_on_the_bots_own_memory(machine: str, advice: int) -> None:
    own_memory = {0, 1, 2, 3, 4, 8, 10, 11, *range(14, 20), 22, 23, 102, 103}
    expected = ALLOW if advice in own_memory else refusal(errno.EINVAL)
    assert verdict_on(machine, syscalls.MADVISE, 0, 4096, advice) == expected


MERGING = {"remove": 9, "merge": 12, "cold": 20, "page out": 21, "collapse": 25, "poison": 100}


@each_machine
@pytest.mark.parametrize("advice", MERGING.values(), ids=MERGING)
def test_advice_about_shared_pages_is_refused(machine: str, advice: int) -> None:
    assert verdict_on(machine, syscalls.MADVISE, 0, 4096, advice) == refusal(errno.EINVAL)


@each_machine
def test_equal_pages_of_two_bots_are_not_merged(machine: str) -> None:
    set_name, set_memory_merge = 15, 67
    assert verdict_on(machine, syscalls.PRCTL, set_name) == ALLOW
    assert verdict_on(machine, syscalls.PRCTL, set_memory_merge, 1) == refusal(errno.EINVAL)


DEVICE_COMMANDS = {
    "how many bytes can be read": 0x541B,
    "do not wait": 0x5421,
    "close on exec": 0x5451,
    "do not close on exec": 0x5450,
    "is it a terminal": 0x5401,
    "how large is it": 0x5413,
}
FILE_SYSTEM_COMMANDS = {
    "where is a block": 1,
    "how large are blocks": 2,
    "which extents are there": 0xC020660B,
    "read all extents": 0x6612,
    "forget extents": 0x6628,
    "which extents are in memory": 0xC020662A,
    "how much is random": 0x80045200,
}


@each_machine
@pytest.mark.parametrize("command", DEVICE_COMMANDS.values(), ids=DEVICE_COMMANDS)
def test_usual_ioctls_on_descriptors_are_allowed(machine: str, command: int) -> None:
    assert verdict_on(machine, syscalls.IOCTL, 1, command) == ALLOW


@each_machine
@pytest.mark.parametrize("command", FILE_SYSTEM_COMMANDS.values(), ids=FILE_SYSTEM_COMMANDS)
def test_ioctls_on_file_systems_and_devices_are_refused(machine: str, command: int) -> None:
    assert verdict_on(machine, syscalls.IOCTL, 1, command) == refusal(errno.ENOTTY)


@each_machine
@given(command=st.integers(0, 2**32 - 1) | st.integers(1024, 1060))
def test_unknown_fcntl_commands_are_refused(machine: str, command: int) -> None:
    known = {*range(8), 9, 11, 16, 36, 1025, 1027, 1030, 1032, 1033, 1034}
    if command not in known:
        assert verdict_on(machine, syscalls.FCNTL, 3, command) == refusal(errno.EPERM)


@each_machine
def test_no_hint_can_be_left_on_a_file(machine: str) -> None:
    get_hint, set_hint, get_of_file, set_of_file = 1035, 1036, 1037, 1038
    for command in (get_hint, set_hint, get_of_file, set_of_file):
        assert verdict_on(machine, syscalls.FCNTL, 3, command) == refusal(errno.EPERM)


@each_machine
def test_sockets_have_no_machine_wide_cookies(machine: str) -> None:
    error, cookie = 4, 57
    assert verdict_on(machine, syscalls.GETSOCKOPT, 3, 1, error) == ALLOW
    assert verdict_on(machine, syscalls.GETSOCKOPT, 3, 1, cookie) == refusal(errno.ENOPROTOOPT)


@each_machine
def test_a_bot_cannot_set_the_time_of_a_file(machine: str) -> None:
    indices = {syscalls.UTIME: 1, syscalls.UTIMES: 1, syscalls.FUTIMESAT: 2, syscalls.UTIMENSAT: 2}
    for call, index in indices.items():
        if call.number_on(machine) is not None:
            assert verdict_on(machine, call, *[1] * index, 0) == refusal(errno.EPERM)
            assert verdict_on(machine, call, *[1] * index, 0x7FFF1234) == refusal(0)


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


@each_machine
@pytest.mark.parametrize(
    ("operation", "expected"),
    [(0, ALLOW), (9 | 256, ALLOW), (1 | 128, ALLOW), (5 | 128, ALLOW)]
    + [(operation, refusal(0)) for operation in (1, 3, 4, 5, 6, 7, 10, 11, 12, 13)],
)
def test_bots_cannot_wake_each_other(machine: str, operation: int, expected: int) -> None:
    assert verdict_on(machine, syscalls.FUTEX, 0, operation) == expected

"""Does the filter of system calls refuse what it should, and let bots of all languages live?

It is run here as the kernel runs it, for every machine that it is written for.
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

from arena.sandbox import syscalls
from arena.sandbox.seccomp import _judged, filter_program
from arena.sandbox.syscalls import ARCHITECTURES, DENIED, Call
from tests.sandbox.calls import ORDINARY, verdict

MACHINES = tuple(ARCHITECTURES)
ALLOW, KILL = 0x7FFF0000, 0x80000000
FOREIGN = {"i386": 0x40000003, "arm": 0x40000028, "riscv64": 0xC00000F3, "nonsense": 0}
CLONE_VM, CLONE_THREAD = 0x100, 0x10000
THREAD_FLAGS = 0x3D0F00
"""How the C library starts a thread."""
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


def refused(error: int) -> int:
    """Return the verdict that gives an error."""
    return 0x00050000 | error


def judged(machine: str, call: Call, *arguments: int, processes: bool = False) -> int:
    """Return what the usual filter says to a call that the machine has."""
    number = call.here(machine)
    assert number is not None
    return verdict(filter_program(machine, processes=processes), machine, number, *arguments)


def there_are(machine: str, calls: Mapping[str, Call]) -> list[Call]:
    """Return those calls that a machine has."""
    return [call for call in calls.values() if call.here(machine) is not None]


@each_machine
@pytest.mark.parametrize("processes", [False, True])
@pytest.mark.parametrize("only_signal", [None, 77])
def test_every_way_through_the_program_ends(
    machine: str, processes: bool, only_signal: int | None
) -> None:
    program = filter_program(machine, processes=processes, only_signal=only_signal)
    steps = list(struct.iter_unpack("=HBBI", program))
    assert len(steps) <= 4096
    for place, (code, if_true, if_false, _) in enumerate(steps):
        if code in (0x15, 0x35, 0x45):
            assert place + 1 + max(if_true, if_false) < len(steps)
    assert steps[-1] == (0x06, 0, 0, ALLOW)


@each_machine
@pytest.mark.parametrize("processes", [False, True])
def test_what_no_bot_has_business_with_is_refused(machine: str, processes: bool) -> None:
    for call in there_are(machine, DENIED):
        assert judged(machine, call, processes=processes) == refused(errno.EPERM), call


@each_machine
@pytest.mark.parametrize("processes", [False, True])
def test_what_runtimes_call_is_allowed(machine: str, processes: bool) -> None:
    for call in there_are(machine, ORDINARY):
        assert judged(machine, call, processes=processes) == ALLOW, call


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
def test_calls_of_the_x32_kind_kill(number: int) -> None:
    assert verdict(filter_program("x86_64"), "x86_64", 0x40000000 | number) == KILL


@each_machine
@pytest.mark.parametrize("number", [451, 462, 1000, 0x3FFFFFFF])
def test_calls_that_are_newer_than_the_filter_do_not_exist(machine: str, number: int) -> None:
    assert verdict(filter_program(machine), machine, number) == refused(errno.ENOSYS)


@each_machine
def test_the_clone_that_cannot_be_judged_does_not_exist(machine: str) -> None:
    assert judged(machine, syscalls.CLONE3) == refused(errno.ENOSYS)


@each_machine
@pytest.mark.parametrize("processes", [False, True])
def test_threads_can_always_be_started(machine: str, processes: bool) -> None:
    assert judged(machine, syscalls.CLONE, THREAD_FLAGS, processes=processes) == ALLOW


@each_machine
@pytest.mark.parametrize("flags", [signal.SIGCHLD, signal.SIGCHLD | CLONE_VM, 0])
def test_processes_can_be_started_only_where_these_are_allowed(machine: str, flags: int) -> None:
    calls = {"fork": syscalls.FORK, "vfork": syscalls.VFORK, "clone": syscalls.CLONE}
    for call in there_are(machine, calls):
        assert judged(machine, call, flags) == refused(errno.EPERM)
        assert judged(machine, call, flags, processes=True) == ALLOW


@each_machine
@pytest.mark.parametrize("flag", NAMESPACES.values(), ids=NAMESPACES)
@pytest.mark.parametrize("others", [signal.SIGCHLD, THREAD_FLAGS], ids=["process", "thread"])
def test_no_namespace_can_be_made(machine: str, flag: int, others: int) -> None:
    for processes in (False, True):
        said = judged(machine, syscalls.CLONE, flag | others, processes=processes)
        assert said == refused(errno.EPERM)


@each_machine
@pytest.mark.parametrize("call", [syscalls.SOCKET, syscalls.SOCKETPAIR])
def test_there_are_no_sockets_but_unix_streams(machine: str, call: Call) -> None:
    stream = socket.SOCK_STREAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
    assert judged(machine, call, socket.AF_UNIX, stream) == ALLOW
    for family in {*range(64), 0xFFFFFFFF} - {int(socket.AF_UNIX)}:
        assert judged(machine, call, family, stream) == refused(errno.EAFNOSUPPORT)
    for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        assert judged(machine, call, socket.AF_UNIX, kind) == refused(errno.EPERM)


@each_machine
def test_locks_are_neither_held_nor_seen(machine: str) -> None:
    for processes, says in ((False, refused(0)), (True, refused(errno.ENOLCK))):
        for command in (6, 7):
            assert judged(machine, syscalls.FCNTL, 3, command, processes=processes) == says
        assert judged(machine, syscalls.FLOCK, 3, 2, processes=processes) == says
    for command in (37, 38, 1024):
        assert judged(machine, syscalls.FCNTL, 3, command) == refused(errno.EPERM)


@each_machine
def test_all_threads_share_their_descriptors(machine: str) -> None:
    files, unshare = 0x400, 2
    for processes in (False, True):
        said = judged(machine, syscalls.CLONE, THREAD_FLAGS & ~files, processes=processes)
        assert said == refused(errno.EPERM)
    assert judged(machine, syscalls.CLOSE_RANGE, 3, 9, 0) == ALLOW
    assert judged(machine, syscalls.CLOSE_RANGE, 3, 9, unshare) == refused(errno.EPERM)


@each_machine
def test_what_a_socket_holds_cannot_be_enlarged(machine: str) -> None:
    for option in (socket.SO_SNDBUF, 32):
        said = judged(machine, syscalls.SETSOCKOPT, 3, socket.SOL_SOCKET, option)
        assert said == refused(errno.EPERM)
    assert judged(machine, syscalls.SETSOCKOPT, 3, socket.SOL_SOCKET, socket.SO_ERROR) == ALLOW


@each_machine
def test_the_kernel_signals_nobody_on_behalf_of_a_bot(machine: str) -> None:
    for command in (8, 10, 15, 1026):
        assert judged(machine, syscalls.FCNTL, 3, command) == refused(errno.EPERM)
    for command in (0x8901, 0x8902):
        assert judged(machine, syscalls.IOCTL, 3, command) == refused(errno.EPERM)


@each_machine
@pytest.mark.parametrize("processes", [False, True])
def test_nothing_is_arranged_that_continues_a_stopped_bot(machine: str, processes: bool) -> None:
    timer = syscalls.MISSING["timer_create"]
    assert judged(machine, timer, processes=processes) == refused(errno.ENOSYS)
    for flags in (signal.SIGCONT, signal.SIGCONT | CLONE_VM):
        said = judged(machine, syscalls.CLONE, flags, processes=processes)
        assert said == refused(errno.EPERM)
    at_parents_end, name = 1, 15
    for option, argument, says in [
        (at_parents_end, signal.SIGCONT, refused(errno.EPERM)),
        (at_parents_end, signal.SIGKILL, ALLOW),
        (name, signal.SIGCONT, ALLOW),
    ]:
        assert judged(machine, syscalls.PRCTL, option, argument, processes=processes) == says


SHARED, PRIVATE, SHARED_VALIDATE, ANONYMOUS, GROWSDOWN = 1, 2, 3, 0x20, 0x100


@each_machine
@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (PRIVATE | ANONYMOUS, ALLOW),
        (PRIVATE, ALLOW),
        (SHARED, ALLOW),
        (SHARED | ANONYMOUS, refused(errno.ENOMEM)),
        (SHARED_VALIDATE | ANONYMOUS, refused(errno.ENOMEM)),
        (PRIVATE | ANONYMOUS | GROWSDOWN, refused(errno.EPERM)),
        (SHARED | GROWSDOWN, refused(errno.EPERM)),
    ],
)
def test_no_memory_can_be_had_that_is_not_counted(machine: str, flags: int, says: int) -> None:
    assert judged(machine, syscalls.MMAP, 0, 4096, 3, flags) == says


@each_machine
def test_a_terminal_cannot_be_typed_into_nor_a_pipe_enlarged(machine: str) -> None:
    for call, command in [
        (syscalls.IOCTL, 0x5412),
        (syscalls.IOCTL, 0x541C),
        (syscalls.FCNTL, 1031),
    ]:
        assert judged(machine, call, 1, command) == refused(errno.EPERM)


@each_machine
def test_nobody_asks_which_pages_and_names_are_in_memory(machine: str) -> None:
    no_wait, only_cached, dont_cache = 8, 0x20, 0x80
    for call in (syscalls.PREADV2, syscalls.PWRITEV2):
        assert judged(machine, call, 3, 0, 1, 0, 0, 0) == ALLOW
        for flags in (no_wait, only_cached, dont_cache, 1, 1 << 31):
            assert judged(machine, call, 3, 0, 1, 0, 0, flags) == refused(errno.EOPNOTSUPP)
    for name in ("mincore", "openat2"):
        assert judged(machine, syscalls.MISSING[name]) == refused(errno.ENOSYS)
    cachestat = Call(451, 451)
    assert judged(machine, cachestat) == refused(errno.ENOSYS)


@each_machine
def test_how_much_memory_the_machine_uses_is_not_told(machine: str) -> None:
    assert judged(machine, syscalls.MISSING["sysinfo"]) == refused(errno.ENOSYS)


@each_machine
def test_the_kernel_neither_forgets_nor_fetches_files_when_a_bot_says_so(machine: str) -> None:
    for name in ("fadvise64", "readahead"):
        for advice in range(8):
            assert judged(machine, syscalls.IGNORED[name], 3, 0, 0, advice) == refused(0)


@each_machine
def test_nothing_is_written_to_a_disk_when_a_bot_says_so(machine: str) -> None:
    for name in ("fsync", "fdatasync", "sync_file_range"):
        assert judged(machine, syscalls.IGNORED[name], 3) == refused(0)
    asynchronously, invalidate, at_once = 1, 2, 4
    assert judged(machine, syscalls.MSYNC, 0, 4096, at_once | invalidate) == refused(0)
    assert judged(machine, syscalls.MSYNC, 0, 4096, asynchronously) == ALLOW


@each_machine
@given(advice=st.integers(0, 130) | st.integers(0, 2**32 - 1))
def test_advice_about_memory_is_taken_only_for_what_is_the_bots_own(
    machine: str, advice: int
) -> None:
    of_its_own = {0, 1, 2, 3, 4, 8, 10, 11, *range(14, 20), 22, 23, 102, 103}
    says = ALLOW if advice in of_its_own else refused(errno.EINVAL)
    assert judged(machine, syscalls.MADVISE, 0, 4096, advice) == says


MERGING = {"remove": 9, "merge": 12, "cold": 20, "page out": 21, "collapse": 25, "poison": 100}


@each_machine
@pytest.mark.parametrize("advice", MERGING.values(), ids=MERGING)
def test_advice_about_pages_of_others_is_not_taken(machine: str, advice: int) -> None:
    assert judged(machine, syscalls.MADVISE, 0, 4096, advice) == refused(errno.EINVAL)


@each_machine
def test_equal_pages_of_two_bots_are_not_merged(machine: str) -> None:
    set_name, set_memory_merge = 15, 67
    assert judged(machine, syscalls.PRCTL, set_name) == ALLOW
    assert judged(machine, syscalls.PRCTL, set_memory_merge, 1) == refused(errno.EINVAL)


DEVICE_COMMANDS = {
    "how many bytes can be read": 0x541B,
    "do not wait": 0x5421,
    "close on exec": 0x5451,
    "do not close on exec": 0x5450,
    "is it a terminal": 0x5401,
    "how large is it": 0x5413,
}
OF_FILE_SYSTEMS = {
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
def test_what_programs_ask_of_their_descriptors_is_allowed(machine: str, command: int) -> None:
    assert judged(machine, syscalls.IOCTL, 1, command) == ALLOW


@each_machine
@pytest.mark.parametrize("command", OF_FILE_SYSTEMS.values(), ids=OF_FILE_SYSTEMS)
def test_no_file_system_and_no_device_is_asked_anything(machine: str, command: int) -> None:
    assert judged(machine, syscalls.IOCTL, 1, command) == refused(errno.ENOTTY)


@each_machine
@given(command=st.integers(0, 2**32 - 1) | st.integers(1024, 1060))
def test_a_descriptor_is_controlled_in_no_new_way(machine: str, command: int) -> None:
    known = {*range(8), 9, 11, 16, 36, 1025, 1027, 1030, 1032, 1033, 1034}
    if command not in known:
        assert judged(machine, syscalls.FCNTL, 3, command) == refused(errno.EPERM)


@each_machine
def test_no_hint_is_left_with_a_file(machine: str) -> None:
    get_hint, set_hint, get_of_file, set_of_file = 1035, 1036, 1037, 1038
    for command in (get_hint, set_hint, get_of_file, set_of_file):
        assert judged(machine, syscalls.FCNTL, 3, command) == refused(errno.EPERM)


@each_machine
def test_sockets_have_no_numbers_that_are_counted_for_all(machine: str) -> None:
    error, cookie = 4, 57
    assert judged(machine, syscalls.GETSOCKOPT, 3, 1, error) == ALLOW
    assert judged(machine, syscalls.GETSOCKOPT, 3, 1, cookie) == refused(errno.ENOPROTOOPT)


@each_machine
def test_a_bot_sets_the_time_of_no_file(machine: str) -> None:
    places = {syscalls.UTIME: 1, syscalls.UTIMES: 1, syscalls.FUTIMESAT: 2, syscalls.UTIMENSAT: 2}
    for call, place in places.items():
        if call.here(machine) is not None:
            assert judged(machine, call, *[1] * place, 0) == refused(errno.EPERM)
            assert judged(machine, call, *[1] * place, 0x7FFF1234) == refused(0)


@each_machine
def test_without_mounts_of_its_own_a_bot_changes_no_file_that_it_owns(machine: str) -> None:
    program = filter_program(machine, only_signal=77)
    for call in there_are(machine, syscalls.OF_OWNERS):
        number = call.here(machine)
        assert number is not None
        assert verdict(program, machine, number) == refused(errno.EPERM)
        assert judged(machine, call) == ALLOW


@each_machine
def test_without_a_namespace_a_bot_can_signal_only_itself(machine: str) -> None:
    program = filter_program(machine, only_signal=77)
    for call in (syscalls.KILL, syscalls.TGKILL, syscalls.SIGQUEUE, syscalls.TGSIGQUEUE):
        number = call.here(machine)
        assert number is not None
        assert verdict(program, machine, number, 77, 15) == ALLOW
        for pid in (1, 76, 78, 0, 2**64 - 1, 2**64 - 77):
            assert verdict(program, machine, number, pid, 15) == refused(errno.EPERM)
    for call in (syscalls.TKILL, syscalls.PIDFD_SEND_SIGNAL, syscalls.PIDFD_OPEN):
        number = call.here(machine)
        assert number is not None
        assert verdict(program, machine, number, 77, 15) == refused(errno.EPERM)


@each_machine
def test_without_a_namespace_a_bot_can_limit_only_itself(machine: str) -> None:
    program = filter_program(machine, only_signal=77)
    number = syscalls.PRLIMIT.here(machine)
    assert number is not None
    for pid in (0, 77):
        assert verdict(program, machine, number, pid) == ALLOW
    for pid in (1, 76, 78, 2**64 - 77):
        assert verdict(program, machine, number, pid) == refused(errno.EPERM)


@given(
    st.sampled_from(MACHINES),
    st.integers(0, 500) | st.integers(0, 2**32 - 1),
    st.lists(st.integers(0, 2**64 - 1), min_size=6, max_size=6),
)
def test_what_the_kernel_does_not_read_changes_no_verdict(
    machine: str, number: int, arguments: list[int]
) -> None:
    program = filter_program(machine)
    said = verdict(program, machine, number, *arguments)
    assert said == verdict(program, machine, number, *(word & 0xFFFFFFFF for word in arguments))
    errors = {0, errno.EPERM, errno.ENOSYS, errno.ENOMEM, errno.EINVAL, errno.ENOTTY}
    errors |= {errno.EAFNOSUPPORT, errno.EOPNOTSUPP, errno.ENOPROTOOPT}
    assert said in {ALLOW, KILL, *map(refused, errors)}


@each_machine
def test_no_call_is_judged_twice(machine: str) -> None:
    calls = [call.here(machine) for call, _ in _judged(processes=False, only_signal=1)]
    numbers = [number for number in calls if number is not None]
    assert len(numbers) == len(set(numbers))


@each_machine
@pytest.mark.parametrize(
    ("operation", "says"),
    [(0, ALLOW), (9 | 256, ALLOW), (1 | 128, ALLOW), (5 | 128, ALLOW)]
    + [(operation, refused(0)) for operation in (1, 3, 4, 5, 6, 7, 10, 11, 12, 13)],
)
def test_bots_cannot_wake_each_other(machine: str, operation: int, says: int) -> None:
    assert judged(machine, syscalls.FUTEX, 0, operation) == says

"""The system calls of ordinary bots, and an interpreter for filters."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from arena.sandbox.limits.syscalls import ARCHITECTURES, SystemCall

ORDINARY: Mapping[str, SystemCall] = {
    # Any program.
    "read": SystemCall(0, 63),
    "write": SystemCall(1, 64),
    "close": SystemCall(3, 57),
    "openat": SystemCall(257, 56),
    "newfstatat": SystemCall(262, 79),
    "getdents64": SystemCall(217, 61),
    "readlinkat": SystemCall(267, 78),
    "unlinkat": SystemCall(263, 35),
    "mkdirat": SystemCall(258, 34),
    "lseek": SystemCall(8, 62),
    "munmap": SystemCall(11, 215),
    "mprotect": SystemCall(10, 226),
    "mremap": SystemCall(25, 216),
    "madvise": SystemCall(28, 233),
    "brk": SystemCall(12, 214),
    "execve": SystemCall(59, 221),
    "exit": SystemCall(60, 93),
    "exit_group": SystemCall(231, 94),
    "rt_sigaction": SystemCall(13, 134),
    "rt_sigprocmask": SystemCall(14, 135),
    "rt_sigreturn": SystemCall(15, 139),
    "sigaltstack": SystemCall(131, 132),
    "uname": SystemCall(63, 160),
    "getpid": SystemCall(39, 172),
    "gettid": SystemCall(186, 178),
    "getuid": SystemCall(102, 174),
    "prlimit64": SystemCall(302, 261),
    "getrusage": SystemCall(98, 165),
    "getrandom": SystemCall(318, 278),
    "clock_gettime": SystemCall(228, 113),
    "clock_nanosleep": SystemCall(230, 115),
    "arch_prctl": SystemCall(158, None),
    "set_tid_address": SystemCall(218, 96),
    "set_robust_list": SystemCall(273, 99),
    "rseq": SystemCall(334, 293),
    # Threads and polling: Python with gRPC.
    "futex": SystemCall(202, 98),
    "prctl": SystemCall(157, 167),
    "sched_getparam": SystemCall(143, 121),
    "sched_getaffinity": SystemCall(204, 123),
    "sched_yield": SystemCall(24, 124),
    "epoll_create1": SystemCall(291, 20),
    "epoll_ctl": SystemCall(233, 21),
    "epoll_wait": SystemCall(232, None),
    "eventfd2": SystemCall(290, 19),
    "poll": SystemCall(7, None),
    "ppoll": SystemCall(271, 73),
    "connect": SystemCall(42, 203),
    "sendmsg": SystemCall(46, 211),
    "recvmsg": SystemCall(47, 212),
    "getsockopt": SystemCall(55, 209),
    "setsockopt": SystemCall(54, 208),
    "preadv": SystemCall(295, 69),
    "preadv2": SystemCall(327, 286),
    "shutdown": SystemCall(48, 210),
    # Node.
    "epoll_pwait": SystemCall(281, 22),
    "pipe2": SystemCall(293, 59),
    "writev": SystemCall(20, 66),
    "pkey_alloc": SystemCall(330, 289),
    "pkey_mprotect": SystemCall(329, 288),
    "capget": SystemCall(125, 90),
    "membarrier": SystemCall(324, 283),
    "close_range": SystemCall(436, 436),
    # Runtimes interrupt their own threads.
    "tgkill": SystemCall(234, 131),
}


def verdict(
    program: bytes, machine: str, number: int, *arguments: int, architecture: int | None = None
) -> int:
    """Run a filter as the kernel does."""
    kind = ARCHITECTURES[machine] if architecture is None else architecture
    padded = [*arguments, *[0] * (6 - len(arguments))]
    call = struct.pack("=IIQ6Q", number, kind, 0, *padded)
    steps = list(struct.iter_unpack("=HBBI", program))
    at = accumulator = 0
    while True:
        code, if_true, if_false, value = steps[at]
        at += 1
        match code:
            case 0x20:
                accumulator = struct.unpack_from("=I", call, value)[0]
            case 0x54:
                accumulator &= value
            case 0x15:
                at += if_true if accumulator == value else if_false
            case 0x35:
                at += if_true if accumulator >= value else if_false
            case 0x45:
                at += if_true if accumulator & value else if_false
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(f"step {at - 1} is not allowed by the kernel")

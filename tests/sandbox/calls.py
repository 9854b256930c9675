"""Which system calls do ordinary bots make, and how does the kernel judge a call?"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from arena.sandbox.syscalls import ARCHITECTURES, Call

ORDINARY: Mapping[str, Call] = {
    # Any program.
    "read": Call(0, 63),
    "write": Call(1, 64),
    "close": Call(3, 57),
    "openat": Call(257, 56),
    "newfstatat": Call(262, 79),
    "statx": Call(332, 291),
    "getdents64": Call(217, 61),
    "readlinkat": Call(267, 78),
    "unlinkat": Call(263, 35),
    "mkdirat": Call(258, 34),
    "lseek": Call(8, 62),
    "munmap": Call(11, 215),
    "mprotect": Call(10, 226),
    "mremap": Call(25, 216),
    "madvise": Call(28, 233),
    "brk": Call(12, 214),
    "execve": Call(59, 221),
    "exit": Call(60, 93),
    "exit_group": Call(231, 94),
    "rt_sigaction": Call(13, 134),
    "rt_sigprocmask": Call(14, 135),
    "rt_sigreturn": Call(15, 139),
    "sigaltstack": Call(131, 132),
    "uname": Call(63, 160),
    "getpid": Call(39, 172),
    "gettid": Call(186, 178),
    "getuid": Call(102, 174),
    "prlimit64": Call(302, 261),
    "getrusage": Call(98, 165),
    "getrandom": Call(318, 278),
    "clock_gettime": Call(228, 113),
    "clock_nanosleep": Call(230, 115),
    "arch_prctl": Call(158, None),
    "set_tid_address": Call(218, 96),
    "set_robust_list": Call(273, 99),
    "rseq": Call(334, 293),
    # Threads, and waiting for many things at once: Python with gRPC.
    "futex": Call(202, 98),
    "prctl": Call(157, 167),
    "sched_getparam": Call(143, 121),
    "sched_getaffinity": Call(204, 123),
    "sched_yield": Call(24, 124),
    "epoll_create1": Call(291, 20),
    "epoll_ctl": Call(233, 21),
    "epoll_wait": Call(232, None),
    "eventfd2": Call(290, 19),
    "poll": Call(7, None),
    "ppoll": Call(271, 73),
    "connect": Call(42, 203),
    "sendmsg": Call(46, 211),
    "recvmsg": Call(47, 212),
    "getsockopt": Call(55, 209),
    "setsockopt": Call(54, 208),
    "preadv": Call(295, 69),
    "preadv2": Call(327, 286),
    "shutdown": Call(48, 210),
    # Node.
    "epoll_pwait": Call(281, 22),
    "pipe2": Call(293, 59),
    "writev": Call(20, 66),
    "pkey_alloc": Call(330, 289),
    "pkey_mprotect": Call(329, 288),
    "capget": Call(125, 90),
    "membarrier": Call(324, 283),
    "close_range": Call(436, 436),
    # Runtimes interrupt their own threads.
    "tgkill": Call(234, 131),
}


def verdict(
    program: bytes, machine: str, number: int, *arguments: int, architecture: int | None = None
) -> int:
    """Run a filter as the kernel does."""
    kind = ARCHITECTURES[machine] if architecture is None else architecture
    padded = [*arguments, *[0] * (6 - len(arguments))]
    call = struct.pack("=IIQ6Q", number, kind, 0, *padded)
    steps = list(struct.iter_unpack("=HBBI", program))
    at = held = 0
    while True:
        code, if_true, if_false, value = steps[at]
        at += 1
        match code:
            case 0x20:
                held = struct.unpack_from("=I", call, value)[0]
            case 0x54:
                held &= value
            case 0x15:
                at += if_true if held == value else if_false
            case 0x35:
                at += if_true if held >= value else if_false
            case 0x45:
                at += if_true if held & value else if_false
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(f"step {at - 1} is none of those that the kernel allows")

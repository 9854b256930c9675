"""The numbers of system calls, and the calls that bots may not make."""

from __future__ import annotations

import platform
from typing import NamedTuple

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""The architectures that the filter supports, with the kernel's numbers for them."""


class SystemCall(NamedTuple):
    """The number of a call on each architecture; None where it does not exist."""

    x86_64: int | None
    aarch64: int | None

    def number_on(self, machine: str) -> int | None:
        """Return its number on an architecture."""
        return self.x86_64 if machine == "x86_64" else self.aarch64


def supported_machine() -> str | None:
    """Return this machine's architecture if the filter supports it, otherwise None."""
    machine = platform.machine()
    return machine if machine in ARCHITECTURES else None


def _same_number(number: int) -> SystemCall:
    """Return a call with one number on all architectures, as newer calls have."""
    return SystemCall(number, number)


FIRST_UNKNOWN = 451
"""Calls from this number on are newer than this list: they fail as if they did not exist."""
X32 = 0x40000000
"""The bit that marks calls of the x32 ABI on x86_64."""

SOCKET = SystemCall(41, 198)
SOCKETPAIR = SystemCall(53, 199)
SETSOCKOPT = SystemCall(54, 208)
GETSOCKOPT = SystemCall(55, 209)
IOCTL = SystemCall(16, 29)
FCNTL = SystemCall(72, 25)
FLOCK = SystemCall(73, 32)
CLOSE_RANGE = _same_number(436)
MMAP = SystemCall(9, 222)
MADVISE = SystemCall(28, 233)
MSYNC = SystemCall(26, 227)
PREADV2 = SystemCall(327, 286)
PWRITEV2 = SystemCall(328, 287)
FUTEX = SystemCall(202, 98)
PRCTL = SystemCall(157, 167)
UTIME = SystemCall(132, None)
UTIMES = SystemCall(235, None)
FUTIMESAT = SystemCall(261, None)
UTIMENSAT = SystemCall(280, 88)
CLONE = SystemCall(56, 220)
CLONE3 = _same_number(435)
FORK = SystemCall(57, None)
VFORK = SystemCall(58, None)
KILL = SystemCall(62, 129)
TKILL = SystemCall(200, 130)
TGKILL = SystemCall(234, 131)
SIGQUEUE = SystemCall(129, 138)
TGSIGQUEUE = SystemCall(297, 240)
PIDFD_SEND_SIGNAL = _same_number(424)
PIDFD_OPEN = _same_number(434)
PRLIMIT = SystemCall(302, 261)
SETRLIMIT = SystemCall(160, 164)
EXIT = SystemCall(60, 93)
EXIT_GROUP = SystemCall(231, 94)

DENIED: dict[str, SystemCall] = {
    # Mounts, roots and namespaces.
    "mount": SystemCall(165, 40),
    "umount2": SystemCall(166, 39),
    "pivot_root": SystemCall(155, 41),
    "chroot": SystemCall(161, 51),
    "unshare": SystemCall(272, 97),
    "setns": SystemCall(308, 268),
    "open_tree": _same_number(428),
    "move_mount": _same_number(429),
    "fsopen": _same_number(430),
    "fsconfig": _same_number(431),
    "fsmount": _same_number(432),
    "fspick": _same_number(433),
    "mount_setattr": _same_number(442),
    # Other processes.
    "ptrace": SystemCall(101, 117),
    "process_vm_readv": SystemCall(310, 270),
    "process_vm_writev": SystemCall(311, 271),
    "kcmp": SystemCall(312, 272),
    "pidfd_getfd": _same_number(438),
    "process_madvise": _same_number(440),
    "process_mrelease": _same_number(448),
    "move_pages": SystemCall(279, 239),
    "migrate_pages": SystemCall(256, 238),
    # Large and rarely used parts of the kernel, where vulnerabilities are found.
    "bpf": SystemCall(321, 280),
    "perf_event_open": SystemCall(298, 241),
    "io_setup": SystemCall(206, 0),
    "io_uring_setup": _same_number(425),
    "io_uring_enter": _same_number(426),
    "io_uring_register": _same_number(427),
    "userfaultfd": SystemCall(323, 282),
    "add_key": SystemCall(248, 217),
    "request_key": SystemCall(249, 218),
    "keyctl": SystemCall(250, 219),
    "name_to_handle_at": SystemCall(303, 264),
    "open_by_handle_at": SystemCall(304, 265),
    "fanotify_init": SystemCall(300, 262),
    "fanotify_mark": SystemCall(301, 263),
    "lookup_dcookie": SystemCall(212, 18),
    # The machine itself.
    "kexec_load": SystemCall(246, 104),
    "kexec_file_load": SystemCall(320, 294),
    "init_module": SystemCall(175, 105),
    "finit_module": SystemCall(313, 273),
    "delete_module": SystemCall(176, 106),
    "reboot": SystemCall(169, 142),
    "acct": SystemCall(163, 89),
    "quotactl": SystemCall(179, 60),
    "quotactl_fd": _same_number(443),
    "swapon": SystemCall(167, 224),
    "swapoff": SystemCall(168, 225),
    "syslog": SystemCall(103, 116),
    "iopl": SystemCall(172, None),
    "ioperm": SystemCall(173, None),
    "modify_ldt": SystemCall(154, None),
    "uselib": SystemCall(134, None),
    "ustat": SystemCall(136, None),
    "sysfs": SystemCall(139, None),
    "vhangup": SystemCall(153, 58),
    "personality": SystemCall(135, 92),
    "sethostname": SystemCall(170, 161),
    "setdomainname": SystemCall(171, 162),
    "settimeofday": SystemCall(164, 170),
    "adjtimex": SystemCall(159, 171),
    "clock_settime": SystemCall(227, 112),
    "clock_adjtime": SystemCall(305, 266),
    "mknod": SystemCall(133, None),
    "mknodat": SystemCall(259, 33),
    # Other bots: connections from them, and what they do with shared files.
    "bind": SystemCall(49, 200),
    "listen": SystemCall(50, 201),
    "inotify_init": SystemCall(253, None),
    "inotify_init1": SystemCall(294, 26),
    # Memory that no limit counts.
    "memfd_create": SystemCall(319, 279),
    "memfd_secret": _same_number(447),
    "shmget": SystemCall(29, 194),
    "shmat": SystemCall(30, 196),
    "shmctl": SystemCall(31, 195),
    "shmdt": SystemCall(67, 197),
    "semget": SystemCall(64, 190),
    "semop": SystemCall(65, 193),
    "semctl": SystemCall(66, 191),
    "semtimedop": SystemCall(220, 192),
    "msgget": SystemCall(68, 186),
    "msgsnd": SystemCall(69, 189),
    "msgrcv": SystemCall(70, 188),
    "msgctl": SystemCall(71, 187),
    "mq_open": SystemCall(240, 180),
    "mq_unlink": SystemCall(241, 181),
    "mbind": SystemCall(237, 235),
    "set_mempolicy": SystemCall(238, 237),
    "get_mempolicy": SystemCall(239, 236),
    "set_mempolicy_home_node": _same_number(450),
    # More than its share of the processors.
    "setpriority": SystemCall(141, 140),
    "sched_setparam": SystemCall(142, 118),
    "sched_setscheduler": SystemCall(144, 119),
    "sched_setaffinity": SystemCall(203, 122),
    "sched_setattr": SystemCall(314, 274),
    "ioprio_set": SystemCall(251, 30),
    # More than its share of the disks.
    "sync": SystemCall(162, 81),
    "syncfs": SystemCall(306, 267),
}
"""Refused with EPERM, whatever the arguments."""

MISSING = {
    # The filter cannot read its arguments, unlike those of clone.
    "clone3": CLONE3,
    # They can pin whole pages with single bytes: memory that no limit counts.
    "splice": SystemCall(275, 76),
    "tee": SystemCall(276, 77),
    "vmsplice": SystemCall(278, 75),
    "sendfile": SystemCall(40, 71),
    # They reveal what other bots have read, looked up and use: whether a page is in memory, whether
    # a name is (by a flag in memory, which the filter cannot read), and how much memory is free.
    "mincore": SystemCall(27, 232),
    "openat2": _same_number(437),
    "sysinfo": SystemCall(99, 179),
    # They show numbers that the kernel keeps counting for the whole machine, after the bot that
    # made it count has ended: of mounts and of processes. Libraries fall back to stat and waitpid.
    "statx": SystemCall(332, 291),
    "pidfd_open": PIDFD_OPEN,
    "pidfd_send_signal": PIDFD_SEND_SIGNAL,
    # They show how full the memory is that all bots' files are in.
    "statfs": SystemCall(137, 43),
    "fstatfs": SystemCall(138, 44),
    # Its signal can continue a stopped process; those of setitimer cannot, and timerfd sends none.
    "timer_create": SystemCall(222, 107),
}
"""These fail as if they did not exist, so that libraries fall back to other calls."""

IGNORED = {
    # A bot that makes the kernel evict or fetch a page of a shared file can signal other bots.
    "fadvise64": SystemCall(221, 223),
    "readahead": SystemCall(187, 213),
    # A bot writes only to its /tmp, which is memory; these would only slow down the real disks.
    "fsync": SystemCall(74, 82),
    "fdatasync": SystemCall(75, 83),
    "sync_file_range": SystemCall(277, 84),
}
"""These seem to succeed but do nothing: they would only change when data is read or written."""

METADATA_CALLS = {
    "chmod": SystemCall(90, None),
    "fchmod": SystemCall(91, 52),
    "fchmodat": SystemCall(268, 53),
    "chown": SystemCall(92, None),
    "fchown": SystemCall(93, 55),
    "lchown": SystemCall(94, None),
    "fchownat": SystemCall(260, 54),
    "setxattr": SystemCall(188, 5),
    "lsetxattr": SystemCall(189, 6),
    "fsetxattr": SystemCall(190, 7),
    "removexattr": SystemCall(197, 14),
    "lremovexattr": SystemCall(198, 15),
    "fremovexattr": SystemCall(199, 16),
    "truncate": SystemCall(76, 45),
}
"""Calls that change files without opening them, which mounts can forbid but Landlock cannot."""

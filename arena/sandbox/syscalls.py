"""What numbers do the calls of the kernel have, and which of them has a bot no business with?"""

from __future__ import annotations

import errno
import platform
from typing import NamedTuple

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""The machines that the filter is written for, with the numbers by which the kernel knows them."""


class Call(NamedTuple):
    """The number of a call on each machine; None where it does not exist."""

    x86_64: int | None
    aarch64: int | None

    def here(self, machine: str) -> int | None:
        """Return its number on a machine."""
        return self.x86_64 if machine == "x86_64" else self.aarch64


def this_machine() -> str | None:
    """Return this machine's architecture, if the filter is written for it."""
    machine = platform.machine()
    return machine if machine in ARCHITECTURES else None


def _everywhere(number: int) -> Call:
    """Newer calls have one number on all machines."""
    return Call(number, number)


FIRST_UNKNOWN = 451
"""From this number on the calls are newer than this list: they are said not to exist."""
X32 = 0x40000000
"""The bit that marks calls of the x32 kind on x86_64."""

SOCKET = Call(41, 198)
SOCKETPAIR = Call(53, 199)
SETSOCKOPT = Call(54, 208)
GETSOCKOPT = Call(55, 209)
IOCTL = Call(16, 29)
FCNTL = Call(72, 25)
FLOCK = Call(73, 32)
CLOSE_RANGE = _everywhere(436)
MMAP = Call(9, 222)
MADVISE = Call(28, 233)
MSYNC = Call(26, 227)
PREADV2 = Call(327, 286)
PWRITEV2 = Call(328, 287)
FUTEX = Call(202, 98)
PRCTL = Call(157, 167)
UTIME = Call(132, None)
UTIMES = Call(235, None)
FUTIMESAT = Call(261, None)
UTIMENSAT = Call(280, 88)
CLONE = Call(56, 220)
CLONE3 = _everywhere(435)
FORK = Call(57, None)
VFORK = Call(58, None)
KILL = Call(62, 129)
TKILL = Call(200, 130)
TGKILL = Call(234, 131)
SIGQUEUE = Call(129, 138)
TGSIGQUEUE = Call(297, 240)
PIDFD_SEND_SIGNAL = _everywhere(424)
PIDFD_OPEN = _everywhere(434)
PRLIMIT = Call(302, 261)

DENIED: dict[str, Call] = {
    # Mounts, roots and namespaces.
    "mount": Call(165, 40),
    "umount2": Call(166, 39),
    "pivot_root": Call(155, 41),
    "chroot": Call(161, 51),
    "unshare": Call(272, 97),
    "setns": Call(308, 268),
    "open_tree": _everywhere(428),
    "move_mount": _everywhere(429),
    "fsopen": _everywhere(430),
    "fsconfig": _everywhere(431),
    "fsmount": _everywhere(432),
    "fspick": _everywhere(433),
    "mount_setattr": _everywhere(442),
    # Other processes.
    "ptrace": Call(101, 117),
    "process_vm_readv": Call(310, 270),
    "process_vm_writev": Call(311, 271),
    "kcmp": Call(312, 272),
    "pidfd_getfd": _everywhere(438),
    "process_madvise": _everywhere(440),
    "process_mrelease": _everywhere(448),
    "move_pages": Call(279, 239),
    "migrate_pages": Call(256, 238),
    # Large and rarely used parts of the kernel, where its mistakes are found.
    "bpf": Call(321, 280),
    "perf_event_open": Call(298, 241),
    "io_setup": Call(206, 0),
    "io_uring_setup": _everywhere(425),
    "io_uring_enter": _everywhere(426),
    "io_uring_register": _everywhere(427),
    "userfaultfd": Call(323, 282),
    "add_key": Call(248, 217),
    "request_key": Call(249, 218),
    "keyctl": Call(250, 219),
    "name_to_handle_at": Call(303, 264),
    "open_by_handle_at": Call(304, 265),
    "fanotify_init": Call(300, 262),
    "fanotify_mark": Call(301, 263),
    "lookup_dcookie": Call(212, 18),
    # The machine itself.
    "kexec_load": Call(246, 104),
    "kexec_file_load": Call(320, 294),
    "init_module": Call(175, 105),
    "finit_module": Call(313, 273),
    "delete_module": Call(176, 106),
    "reboot": Call(169, 142),
    "acct": Call(163, 89),
    "quotactl": Call(179, 60),
    "quotactl_fd": _everywhere(443),
    "swapon": Call(167, 224),
    "swapoff": Call(168, 225),
    "syslog": Call(103, 116),
    "iopl": Call(172, None),
    "ioperm": Call(173, None),
    "modify_ldt": Call(154, None),
    "uselib": Call(134, None),
    "ustat": Call(136, None),
    "sysfs": Call(139, None),
    "vhangup": Call(153, 58),
    "personality": Call(135, 92),
    "sethostname": Call(170, 161),
    "setdomainname": Call(171, 162),
    "settimeofday": Call(164, 170),
    "adjtimex": Call(159, 171),
    "clock_settime": Call(227, 112),
    "clock_adjtime": Call(305, 266),
    "mknod": Call(133, None),
    "mknodat": Call(259, 33),
    # Other bots: whom to listen to, and what they do with files that all see.
    "bind": Call(49, 200),
    "listen": Call(50, 201),
    "inotify_init": Call(253, None),
    "inotify_init1": Call(294, 26),
    # Memory that no limit counts.
    "memfd_create": Call(319, 279),
    "memfd_secret": _everywhere(447),
    "shmget": Call(29, 194),
    "shmat": Call(30, 196),
    "shmctl": Call(31, 195),
    "shmdt": Call(67, 197),
    "semget": Call(64, 190),
    "semop": Call(65, 193),
    "semctl": Call(66, 191),
    "semtimedop": Call(220, 192),
    "msgget": Call(68, 186),
    "msgsnd": Call(69, 189),
    "msgrcv": Call(70, 188),
    "msgctl": Call(71, 187),
    "mq_open": Call(240, 180),
    "mq_unlink": Call(241, 181),
    "mbind": Call(237, 235),
    "set_mempolicy": Call(238, 237),
    "get_mempolicy": Call(239, 236),
    "set_mempolicy_home_node": _everywhere(450),
    # More than its share of the processors.
    "setpriority": Call(141, 140),
    "sched_setparam": Call(142, 118),
    "sched_setscheduler": Call(144, 119),
    "sched_setaffinity": Call(203, 122),
    "sched_setattr": Call(314, 274),
    "ioprio_set": Call(251, 30),
    # More than its share of the disks.
    "sync": Call(162, 81),
    "syncfs": Call(306, 267),
}
"""Refused with EPERM, whatever the arguments."""

MISSING = {
    # Its arguments cannot be judged, unlike those of clone.
    "clone3": CLONE3,
    # They hold on to whole pages by single bytes: memory that no limit counts.
    "splice": Call(275, 76),
    "tee": Call(276, 77),
    "vmsplice": Call(278, 75),
    "sendfile": Call(40, 71),
    # They tell what others have read, looked up and use: whether a page is in memory, whether a
    # name is (with a flag that lies in memory, where it cannot be judged), and how much is free.
    "mincore": Call(27, 232),
    "openat2": _everywhere(437),
    "sysinfo": Call(99, 179),
    # A timer's signal continues a stopped process; setitimer's signals do not, nor do timerfds.
    "timer_create": Call(222, 107),
}
"""Said not to exist, so that libraries fall back on other calls."""

IGNORED = {
    # Whoever can make the kernel forget or fetch a page of a shared file can tell others by it.
    "fadvise64": Call(221, 223),
    "readahead": Call(187, 213),
    # A bot writes only to its /tmp, which is memory; these would keep the disks of others busy.
    "fsync": Call(74, 82),
    "fdatasync": Call(75, 83),
    "sync_file_range": Call(277, 84),
}
"""Said to be done, and not done: all they would change is when something is read or written."""

OF_OWNERS = {
    "chmod": Call(90, None),
    "fchmod": Call(91, 52),
    "fchmodat": Call(268, 53),
    "chown": Call(92, None),
    "fchown": Call(93, 55),
    "lchown": Call(94, None),
    "fchownat": Call(260, 54),
    "setxattr": Call(188, 5),
    "lsetxattr": Call(189, 6),
    "fsetxattr": Call(190, 7),
    "removexattr": Call(197, 14),
    "lremovexattr": Call(198, 15),
    "fremovexattr": Call(199, 16),
    "truncate": Call(76, 45),
}
"""They change files without opening them, which mounts can forbid and Landlock cannot."""

EPERM = errno.EPERM
ENOSYS = errno.ENOSYS
ENOMEM = errno.ENOMEM
ENOLCK = errno.ENOLCK
EAFNOSUPPORT = errno.EAFNOSUPPORT
EINVAL = errno.EINVAL
ENOPROTOOPT = errno.ENOPROTOOPT
ENOTTY = errno.ENOTTY
EOPNOTSUPP = errno.EOPNOTSUPP

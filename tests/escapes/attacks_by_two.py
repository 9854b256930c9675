"""By what might two bots reach each other, each in a cage of its own?"""

from __future__ import annotations

import os

from tests.escapes.attack import Attack

_PAIR = "pair"
_LANDLOCKS = ("landlock-root", "landlock-user")
_EVERYWHERE = ("user", "rootdrop", "rootin", *_LANDLOCKS)
_ONE_USER = ("user", "landlock-user")
_KEEPS_NO_TIMES = bool(os.statvfs("/var/tmp").f_flag & os.ST_NOATIME)

BY_TWO = (
    # Files that all bots see.
    Attack("shared.without_waiting", "pair: pages in memory, by preadv2", conduct=_PAIR),
    Attack("shared.resident", "pair: pages in memory, by mincore", conduct=_PAIR),
    Attack("shared.forgotten", "forget a file: fadvise", seen="forgotten"),
    Attack("shared.paged_out", "forget a file: madvise", seen="forgotten"),
    Attack("shared.looked_up", "pair: names in memory", conduct=_PAIR),
    Attack("shared.hinted", "pair: hints about a file", conduct=_PAIR),
    Attack("shared.asked", "ask a file system about a file"),
    Attack("shared.touched_device", "pair: the time of a device", conduct=_PAIR),
    Attack("shared.touched_device_in_words", "pair: the same, in words", conduct=_PAIR),
    Attack("shared.touched_file", "pair: the time of a file", conduct=_PAIR),
    Attack("shared.opened_to_all", "pair: the mode of a file", conduct=_PAIR),
    Attack(
        "shared.read_time",
        "pair: when a file was last read",
        conduct=_PAIR,
        reason="this file system keeps no times of reading" if _KEEPS_NO_TIMES else "",
        open_in=dict.fromkeys(_LANDLOCKS, "only a mount can keep the kernel from noting it"),
    ),
    Attack("shared.woken", "pair: futex of a file", conduct=_PAIR),
    # What the kernel counts.
    Attack("counters.free_memory", "pair: memory of the machine", conduct=_PAIR),
    Attack("counters.cookies", "pair: numbers of sockets", conduct=_PAIR),
    Attack(
        "counters.inodes",
        "pair: numbers of pipes",
        conduct=_PAIR,
        open_in=dict.fromkeys(_EVERYWHERE, "programs need pipes, and the kernel numbers them all"),
    ),
    Attack(
        "counters.pending_signals",
        "pair: signals not yet delivered",
        conduct=_PAIR,
        open_in={"landlock-user": "the kernel counts them for the user as whom both bots run"},
    ),
    Attack(
        "counters.descriptors_in_flight",
        "pair: descriptors not yet received",
        conduct=_PAIR,
        open_in=dict.fromkeys(_ONE_USER, "the kernel counts them for the user of both bots"),
    ),
    Attack("counters.pipe_buffers", "pair: buffers of pipes", conduct=_PAIR),
    Attack(
        "counters.pipe_buffers",
        "pair: buffers of pipes, of more files",
        limits={"files": 4096},
        conduct=_PAIR,
        open_in=dict.fromkeys(_ONE_USER, "the kernel counts them for the user of both bots"),
    ),
    Attack(
        "counters.process_numbers",
        "pair: numbers of processes",
        conduct=_PAIR,
        open_in=dict.fromkeys(_LANDLOCKS, "it shares the machine's process numbers"),
    ),
    Attack("counters.semaphores", "pair: semaphores", conduct=_PAIR),
    Attack("counters.names", "pair: names of sockets", conduct=_PAIR),
    Attack("counters.scheduling", "pair: scheduling", conduct=_PAIR),
)

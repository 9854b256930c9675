"""Attacks by two bots, each in its own cage, that try to reach each other."""

from __future__ import annotations

import os
import shutil

from tests.escapes.attack import Attack

_PAIR = "pair"
_LANDLOCKS = ("landlock-root", "landlock-user")
_EVERYWHERE = ("user", "root", *_LANDLOCKS)
_ON_DISKS = dict.fromkeys(_LANDLOCKS, "its files are on a disk, which remembers what is read")
_ONE_USER = ("user", "landlock-user")
_KEEPS_NO_TIMES = bool(os.statvfs("/var/tmp").f_flag & os.ST_NOATIME)

PAIR_ATTACKS = (
    # Files that all bots see.
    Attack("shared.without_waiting", "pair: pages in memory, by preadv2", scenario=_PAIR),
    Attack("shared.resident", "pair: pages in memory, by mincore", scenario=_PAIR),
    Attack("shared.forgotten", "forget a file: fadvise", seen="forgotten"),
    Attack("shared.paged_out", "forget a file: madvise", seen="forgotten"),
    Attack("shared.looked_up", "pair: names in memory", scenario=_PAIR),
    Attack("shared.hinted", "pair: hints about a file", scenario=_PAIR),
    Attack("shared.asked", "ask a file system about a file"),
    Attack("shared.touched_device", "pair: the time of a device", scenario=_PAIR),
    Attack("shared.touched_device_in_words", "pair: the same, in words", scenario=_PAIR),
    Attack("shared.touched_file", "pair: the time of a file", scenario=_PAIR),
    Attack("shared.opened_to_all", "pair: the mode of a file", scenario=_PAIR),
    Attack(
        "shared.read_time",
        "pair: when a file was last read",
        scenario=_PAIR,
        reason="this file system keeps no times of reading" if _KEEPS_NO_TIMES else "",
        open_in=dict.fromkeys(_LANDLOCKS, "only a mount can keep the kernel from noting it"),
    ),
    Attack("shared.woken", "pair: futex of a file", scenario=_PAIR),
    # Signs for a bot that starts after this one has ended.
    *(
        Attack(f"lasting.{probe}", f"later: {title}", scenario="successor", open_in=_ON_DISKS)
        for probe, title in {
            "names": "names beside packages",
            "names_of_modules": "names beside modules",
            "names_at_the_top": "names beside the system's folders",
            "pages_by_time": "pages in memory, by time",
            "pages_by_faults": "pages in memory, by faults",
        }.items()
    ),
    *(
        Attack(
            f"native.{probe}",
            f"later: {title}",
            scenario="successor",
            variant="native",
            machine="x86_64",
            reason="the caches are emptied between two generations of matches",
        )
        for probe, title in {
            "lines_of_a_file": "cached lines of a file",
            "lines_of_the_program": "cached lines of its program",
        }.items()
        # Without a compiler there is no such bot.
        if shutil.which("g++", path=os.defpath)
    ),
    Attack(
        "lasting.numbers_of_pipes",
        "later: numbers of pipes",
        scenario="successors",
        open_in=dict.fromkeys(_EVERYWHERE, "the kernel goes on counting when a bot has ended"),
    ),
    # What the kernel counts.
    Attack("counters.free_memory", "pair: memory of the machine", scenario=_PAIR),
    Attack("counters.cookies", "pair: numbers of sockets", scenario=_PAIR),
    Attack(
        "counters.inodes",
        "pair: numbers of pipes",
        scenario=_PAIR,
        open_in=dict.fromkeys(_EVERYWHERE, "programs need pipes, and the kernel numbers them all"),
    ),
    Attack(
        "counters.process_descriptors", "pair: numbers of descriptors of processes", scenario=_PAIR
    ),
    Attack(
        "counters.pending_signals",
        "pair: signals not yet delivered",
        scenario=_PAIR,
        open_in={
            "landlock-user": "the kernel counts them per user, and both bots run as the same user"
        },
    ),
    Attack(
        "counters.descriptors_in_flight",
        "pair: descriptors not yet received",
        scenario=_PAIR,
        open_in=dict.fromkeys(_ONE_USER, "the kernel counts them for the user of both bots"),
    ),
    Attack("counters.pipe_buffers", "pair: buffers of pipes", scenario=_PAIR),
    Attack(
        "counters.pipe_buffers",
        "pair: buffers of pipes, of more files",
        limits={"files": 4096},
        scenario=_PAIR,
        open_in=dict.fromkeys(_ONE_USER, "the kernel counts them for the user of both bots"),
    ),
    Attack(
        "counters.process_numbers",
        "pair: numbers of processes",
        scenario=_PAIR,
        open_in=dict.fromkeys(_LANDLOCKS, "it shares the machine's process numbers"),
    ),
    Attack("counters.semaphores", "pair: semaphores", scenario=_PAIR),
    Attack("counters.names", "pair: names of sockets", scenario=_PAIR),
    Attack("counters.scheduling", "pair: scheduling", scenario=_PAIR),
)

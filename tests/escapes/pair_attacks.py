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
    Attack("shared.WithoutWaiting", "pair: pages in memory, by preadv2", scenario=_PAIR),
    Attack("shared.forgotten", "forget a file: fadvise", seen="forgotten"),
    Attack("shared.paged_out", "forget a file: madvise", seen="forgotten"),
    Attack("shared.Hinted", "pair: hints about a file", scenario=_PAIR),
    Attack("shared.asked", "ask a file system about a file"),
    Attack("shared.TouchedDevice", "pair: the time of a device", scenario=_PAIR),
    Attack("shared.TouchedInWords", "pair: the same, in words", scenario=_PAIR),
    Attack("shared.TouchedFile", "pair: the time of a file", scenario=_PAIR),
    Attack("shared.OpenedToAll", "pair: the mode of a file", scenario=_PAIR),
    Attack(
        "shared.ReadTime",
        "pair: when a file was last read",
        scenario=_PAIR,
        reason="this file system keeps no times of reading" if _KEEPS_NO_TIMES else "",
        open_in=dict.fromkeys(_LANDLOCKS, "only a mount can keep the kernel from noting it"),
    ),
    Attack("shared.Woken", "pair: futex of a file", scenario=_PAIR),
    # Signs for a bot that starts after this one has ended.
    *(
        Attack(f"lasting.{probe}", f"later: {title}", scenario="successor", open_in=_ON_DISKS)
        for probe, title in {
            "NamesOfPackages": "names beside packages",
            "NamesOfModules": "names beside modules",
            "NamesAtTheTop": "names beside the system's folders",
            "PagesByTime": "pages in memory, by time",
            "PagesByFaults": "pages in memory, by faults",
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
            "LinesOfAFile": "cached lines of a file",
            "LinesOfTheProgram": "cached lines of its program",
        }.items()
        # Without a compiler there is no such bot.
        if shutil.which("g++", path=os.defpath)
    ),
    Attack(
        "lasting.NumbersOfPipes",
        "later: numbers of pipes",
        scenario="successors",
        open_in=dict.fromkeys(_EVERYWHERE, "the kernel goes on counting when a bot has ended"),
    ),
    # What the kernel counts.
    Attack("counters.Cookies", "pair: numbers of sockets", scenario=_PAIR),
    Attack(
        "counters.Inodes",
        "pair: numbers of pipes",
        scenario=_PAIR,
        open_in=dict.fromkeys(_EVERYWHERE, "programs need pipes, and the kernel numbers them all"),
    ),
    Attack(
        "counters.Pending",
        "pair: signals not yet delivered",
        scenario=_PAIR,
        open_in={
            "landlock-user": "the kernel counts them per user, and both bots run as the same user"
        },
    ),
    Attack(
        "counters.InFlight",
        "pair: descriptors not yet received",
        scenario=_PAIR,
        open_in=dict.fromkeys(_ONE_USER, "the kernel counts them for the user of both bots"),
    ),
    Attack("counters.Pipes", "pair: buffers of pipes", scenario=_PAIR),
    Attack(
        "counters.Pipes",
        "pair: buffers of pipes, of more files",
        limits={"files": 4096},
        scenario=_PAIR,
        open_in=dict.fromkeys(_ONE_USER, "the kernel counts them for the user of both bots"),
    ),
    Attack(
        "counters.Numbers",
        "pair: numbers of processes",
        scenario=_PAIR,
        open_in=dict.fromkeys(_LANDLOCKS, "it shares the machine's process numbers"),
    ),
    Attack("counters.Names", "pair: names of sockets", scenario=_PAIR),
)

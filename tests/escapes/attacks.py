"""All attacks on the cages, and what must stop each of them."""

from __future__ import annotations

import os
import shutil

from arena.sandbox.limits.syscalls import supported_machine
from tests.escapes.attack import BUBBLEWRAP, Attack
from tests.escapes.pair_attacks import PAIR_ATTACKS

_TIGHT = {"memory_mib": 96}
_SMALL_TMP = {"tmp_mib": 8, "tmp_files": 200}
_SECOND = {"cpu_s": 1}
_NO_YAMA = {"/proc/sys/kernel/yama/ptrace_scope": "0"}
_NAMESPACES = {
    "/proc/sys/kernel/unprivileged_userns_clone": "1",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "0",
}
_TYPING = {"/proc/sys/dev/tty/legacy_tiocsti": "1"}
_NO_NAMESPACE = "Landlock hides contents, not names"
_SOCKETS = "Landlock does not govern unix sockets in folders"
_SAME_UID = f"{_SOCKETS}, and both bots run as the same user"
_BOTH_LANDLOCKS = ("landlock-root", "landlock-user")


def _open_in_landlock(why: str) -> dict[str, str]:
    return dict.fromkeys(_BOTH_LANDLOCKS, why)


_ATTACKS = (
    # Processes and threads.
    Attack("processes.forks", "400 forks"),
    Attack("processes.threads", "600 threads", over=r"threads \d+ of 64"),
    Attack(
        "processes.lingering",
        "killed at any moment while starting",
        seen="left",
        scenario="killed while starting",
        ends="SIGKILL",
    ),
    Attack(
        "processes.lingering",
        "referee killed at any moment while it starts",
        seen="left",
        scenario="orphaned",
        ends="SIGKILL",
    ),
    # Memory.
    Attack("memory.one_process", "memory: at once", _TIGHT, over=r"memory \d+ MiB of 96"),
    Attack("memory.shared_anonymous", "memory: shared, without a file", _TIGHT),
    Attack("memory.zero_device", "memory: shared, of /dev/zero", _TIGHT),
    Attack("memory.grows_down", "memory: a stack that grows", _TIGHT),
    Attack(
        "memory.mapped_file",
        "memory: a file in /tmp, mapped",
        _SMALL_TMP,
        over=r"/tmp \d+ MiB of 8",
        over_in=(BUBBLEWRAP,),
    ),
    Attack(
        "memory.headless",
        "memory: without a first thread",
        _TIGHT,
        over=r"memory \d+ MiB of 96",
    ),
    # Memory of the kernel.
    Attack("buffers.pipes", "buffers: pipes"),
    Attack("buffers.pairs", "buffers: pairs of sockets"),
    Attack("buffers.backlog", "buffers: connections not accepted"),
    Attack("buffers.datagrams", "buffers: datagrams not read"),
    Attack("buffers.descriptors", "1000 descriptors"),
    Attack("buffers.tables_of_descriptors", "descriptors for each thread"),
    Attack("buffers.locks", "2000 locks of a file", seen="locks"),
    # Disks.
    Attack(
        "disk.tmp",
        "fill /tmp",
        _SMALL_TMP,
        over=r"/tmp \d+ MiB of 8",
        over_in=(BUBBLEWRAP,),
    ),
    Attack(
        "disk.inodes",
        "2000 files in /tmp",
        _SMALL_TMP,
        over=r"/tmp \d+ files of 200",
        over_in=(BUBBLEWRAP,),
    ),
    Attack("disk.big_file", "one big file"),
    Attack("disk.shared_memory", "fill /dev/shm"),
    Attack("disk.elsewhere", "fill anything else"),
    Attack("disk.own_code", "overwrite its own program"),
    Attack("disk.environment", "write into the environment"),
    Attack("disk.league", "write to the league", seen="league"),
    Attack("disk.kernel_settings", "open the kernel's settings", needs_root=True),
    Attack("disk.devices", "open devices"),
    # Reading.
    Attack("reading.passwd", "read /etc/passwd"),
    Attack("reading.home", "read a file in a home"),
    Attack("reading.existence", "see that a file exists", open_in=_open_in_landlock(_NO_NAMESPACE)),
    Attack("reading.league", "read the league"),
    Attack("reading.other_bot", "read another bot's folder"),
    Attack("reading.environ", "read the referee's variables"),
    Attack("reading.referee_code", "read the referee's program"),
    Attack("reading.memory_by_proc", "read memory through /proc", settings=_NO_YAMA),
    Attack("reading.processes", "list processes"),
    Attack("reading.variables", "inherit variables"),
    Attack("reading.descriptors", "inherit descriptors"),
    Attack(
        "reading.packages",
        "read this machine's packages",
        open_in=_open_in_landlock("Landlock can show /usr, but not without one folder in it"),
    ),
    Attack(
        "reading.link", "a link out of its folder", variant="link", ends="leads out of the folder"
    ),
    Attack(
        "reading.link",
        "a link through another link",
        variant="link by link",
        ends="leads out of the folder",
    ),
    Attack("reading.near_a_program", "read near a program in a home", variant="program in a home"),
    Attack(
        "reading.home", "a program outside its folder", variant="program outside", ends="exit code"
    ),
    # Other processes.
    Attack("others.asked", "signal 0 to a process"),
    Attack("others.any_process", "signal 0 to every process"),
    Attack("others.signalled", "signal: kill", seen="canary"),
    Attack("others.queued", "signal: rt_sigqueueinfo", seen="canary"),
    Attack("others.to_a_thread", "signal: tgkill", seen="canary"),
    Attack("others.by_the_kernel", "signal: on input", seen="canary"),
    Attack("others.limits", "change another's limits", seen="canary"),
    Attack(
        "others.processor_time",
        "see another's CPU time",
        open_in=_open_in_landlock("it shares the machine's process numbers"),
    ),
    Attack("others.lock", "see another bot's locks"),
    Attack("others.lease", "keep other bots from a file"),
    *PAIR_ATTACKS,
    # Sockets.
    Attack("network.tcp", "TCP"),
    Attack("network.udp", "UDP", seen="datagram"),
    Attack("network.abstract_socket", "abstract unix socket"),
    Attack("network.unix_socket", "unix socket", open_in=_open_in_landlock(_SOCKETS)),
    Attack("network.other_socket", "another bot's socket", open_in={"landlock-user": _SAME_UID}),
    # Privileges.
    Attack("privileges.cloned_namespace", "user namespace: clone", settings=_NAMESPACES),
    Attack("privileges.new_privileges", "gain privileges by programs"),
    Attack("privileges.capabilities", "capabilities", needs_root=True),
    Attack("privileges.other_user", "become another user", needs_root=True),
    Attack("privileges.own_limits", "raise its own limits"),
    *(
        [
            Attack(
                "privileges.preloaded",
                "library loaded as root",
                variant="preload",
                needs_root=True,
            )
        ]
        # Without a compiler there is no such bot.
        if shutil.which("g++", path=os.defpath)
        else []
    ),
    # The kernel.
    Attack("kernel.refused_calls", "refused calls", needs_root=True),
    Attack("kernel.newer_calls", "calls newer than the cage"),
    Attack("kernel.foreign_calls", "32-bit calls", ends="SIGSYS", machine="x86_64"),
    Attack(
        "kernel.x32_calls",
        "x32 calls",
        ends="SIGSYS",
        machine="x86_64",
        reason="few kernels are built with them",
    ),
    Attack("kernel.typing", "type into the terminal", settings=_TYPING),
    Attack("kernel.typing_filtered", "type into anything"),
    # Processors.
    Attack("processor.one_process", "computing", _SECOND, over=r"CPU time \d+\.\d s of 1"),
    Attack("processor.autogroup", "change the session's weight"),
    Attack(
        "processor.continued",
        "continued by a timer while frozen",
        seen="awake",
        scenario="frozen",
    ),
    # The referee.
    Attack("floods.printing", "flood: output", seen="stored"),
    Attack("floods.connections", "flood: connections", scenario="player"),
    Attack("floods.streams", "flood: streams", scenario="player"),
    Attack("floods.messages", "flood: messages", scenario="player"),
)

ATTACKS = tuple(each for each in _ATTACKS if each.machine in ("", supported_machine()))

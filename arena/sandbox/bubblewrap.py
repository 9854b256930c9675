"""How is a bot shut in with bubblewrap?

Three ways to start it. An ordinary user (`user`) gets a user namespace. Root must never start a bot
as root, because inside it would still be root to the kernel: it becomes a uid of the bot's own
before (`rootdrop`), or, where that uid could not reach the interpreter, after the mounts
(`rootin`).
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path

from arena.limits import Limits
from arena.sandbox.control_group import ControlGroup
from arena.sandbox.inmate import ALTERNATIVES, SYSTEM, Inmate
from arena.sandbox.process import start
from arena.sandbox.rlimits import SPARE_TMP, rlimits, tasks
from arena.sandbox.seccomp import filter_program
from arena.sandbox.syscalls import this_machine
from arena.sandbox.uids import dropping_to
from arena.sandbox.watched import WatchedProcess

BOT = "/bot"
ENVIRONMENT = "/env"
SOCKET = "/run/arena/referee.sock"
_MIB = 1 << 20
_STATUS_S = 5.0
"""bubblewrap names its child within milliseconds."""
_LOOK_MS = 1


class Way(Enum):
    """Who starts bubblewrap, and when they stop being root."""

    USER = "user"
    ROOTDROP = "rootdrop"
    ROOTIN = "rootin"


def command_line(
    way: Way,
    inmate: Inmate,
    variables: Mapping[str, str],
    socket: Path | None,
    uid: int | None,
    filter_fd: int,
    status_fd: int,
) -> list[str]:
    """Write the whole command that starts a bot."""
    dropped = dropping_to(uid) if uid is not None else []
    limits = rlimits(inmate.limits, inmate.command)
    # Set inside, because there the count belongs to the bot alone; before, the namespace would
    # hold all bots of a user to it together.
    counted = {"nproc": tasks(inmate.limits), "sigpending": limits.pop("sigpending")}
    own = [f"{name}={value}" for name, value in inmate.own_variables.items()]
    return [
        *(dropped if way is Way.ROOTDROP else []),
        *("prlimit", *_options(limits), "--"),
        *("bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        *("--unshare-cgroup-try", "--die-with-parent", "--new-session", "--hostname", "bot"),
        *("--cap-drop", "ALL", *_identity(way)),
        *_mounts(inmate, socket),
        *("--clearenv", *_variables(variables), "--chdir", BOT),
        *("--json-status-fd", str(status_fd), "--seccomp", str(filter_fd), "--"),
        *(dropped if way is Way.ROOTIN else []),
        *("prlimit", *_options(counted), "--"),
        # The bot's own variables come last: a library to preload must not meet root.
        *(["env", *own] if own else []),
        *inmate.command,
    ]


def _options(limits: Mapping[str, int]) -> list[str]:
    return [f"--{name}={value}:{value}" for name, value in limits.items()]


def _identity(way: Way) -> list[str]:
    if way is Way.ROOTIN:
        needed = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
        return [word for name in needed for word in ("--cap-add", name)]
    return ["--unshare-user", "--uid", "65534", "--gid", "65534"]


def _mounts(inmate: Inmate, socket: Path | None) -> list[str]:
    environment = inmate.environment
    usr = Path("/usr")
    shown = {usr, environment.prefix, *inmate.prefixes}
    # What lies in another folder is shown with it, and nothing can be mounted on a link there.
    apart = sorted(path for path in shown - {usr} if not shown.intersection(path.parents))
    return [
        *[word for name in SYSTEM for word in _of_the_system(Path(name))],
        *_folder("/etc"),
        *("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"),
        *("--ro-bind-try", ALTERNATIVES, ALTERNATIVES),
        *_folder("/dev"),
        # Two devices and no more: /dev/shm and /dev/zero are memory that no limit counts.
        *("--dev-bind", "/dev/null", "/dev/null", "--dev-bind", "/dev/urandom", "/dev/urandom"),
        *[word for path in apart for word in (*_parents(path), "--ro-bind", str(path), str(path))],
        *[word for path in environment.hidden for word in _covered(path)],
        *("--ro-bind", str(environment.root), ENVIRONMENT),
        *("--ro-bind", str(inmate.folder), BOT),
        *("--perms", "1777", "--size", str(inmate.limits.tmp_mib * _MIB + SPARE_TMP)),
        *("--tmpfs", "/tmp"),
        *_folder("/run"),
        *_folder("/run/arena"),
        *(("--ro-bind", str(socket), SOCKET) if socket else ()),
        # bubblewrap's own root is memory without a limit until now.
        *("--remount-ro", "/"),
    ]


def _of_the_system(path: Path) -> list[str]:
    """Show a folder as it is here: /bin and the like may be links into /usr."""
    if path.is_symlink():
        return ["--symlink", os.readlink(path), str(path)]
    return ["--ro-bind", str(path), str(path)] if path.is_dir() else []


def _folder(path: str) -> list[str]:
    # Made by bubblewrap itself it would be closed to the bot's uid.
    return ["--perms", "0755", "--dir", path]


def _parents(path: Path) -> list[str]:
    return [word for parent in reversed(path.parents[:-1]) for word in _folder(str(parent))]


def _covered(path: Path) -> list[str]:
    return ["--perms", "0755", "--tmpfs", str(path), "--remount-ro", str(path)]


def _variables(variables: Mapping[str, str]) -> list[str]:
    return [word for item in variables.items() for word in ("--setenv", *item)]


class BubblewrappedProcess(WatchedProcess):
    """A bot behind bubblewrap: the process that was started only waits for it."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        on_exit: Callable[[], None],
        limits: Limits,
        status: int,
        group: ControlGroup | None = None,
    ) -> None:
        """Begin to watch; `status` is where bubblewrap names its child."""
        self._status = status
        self._inside = -1
        """A descriptor of the first process in the cage: all others end with it."""
        self._inside_pid = 0
        self._bot_pid: int | None = None
        self._tmp = -1
        self._has_begun = False
        """Whether the cage was built, as far as is known once it has ended."""
        super().__init__(popen, on_exit, limits, group)

    def how_it_ended(self) -> str:
        """Say with which exit code or signal it ended."""
        code = self._popen.returncode
        # As a shell does, bubblewrap tells a signal by a larger exit code.
        if code is not None and code > 128:
            with contextlib.suppress(ValueError):
                return f"was ended by {signal.Signals(code - 128).name}"
        return super().how_it_ended()

    def lost(self) -> str | None:
        """Say what was removed under it, or that it ended before there was a cage."""
        lost = super().lost()
        if lost or self.is_running or self.over_limit() or self._has_begun:
            return lost
        said = self.printed().decode(errors="replace").rstrip().rpartition("\n")[2]
        return f"no cage could be made for a bot: {said or self.how_it_ended()}"

    def bot_pid(self) -> int | None:
        """Return the id of the bot's first process, once it is known."""
        if self._bot_pid is None and self._find_inside(0):
            # There is none yet, or no longer: later looks will tell.
            with contextlib.suppress(OSError, IndexError):
                task = f"/proc/{self._inside_pid}/task/{self._inside_pid}/children"
                with open(task, "rb") as file:
                    self._bot_pid = int(file.read().split()[0])
        return self._bot_pid

    def root_pid(self) -> int:
        """Return the first process inside, which takes in those that are left by their parents."""
        return self._inside_pid

    def tmp_folder(self) -> int | None:
        """Return a descriptor of the bot's own /tmp."""
        if self._tmp < 0 and self.bot_pid() is not None:
            # Not the bot's own: it can end its first thread, and then shows nothing.
            root = f"/proc/{self._inside_pid}/root/tmp"
            self._tmp = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        return self._tmp if self._tmp >= 0 else None

    def end(self) -> None:
        """Kill the first process inside, and with it all; then bubblewrap."""
        # bubblewrap alone, killed in its first milliseconds, would leave the bot behind.
        if self._find_inside(_STATUS_S):
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._inside, signal.SIGKILL)
        super().end()

    def _find_inside(self, patience_s: float) -> bool:
        """Learn which process is the first inside; wait for that so long at most."""
        until = time.monotonic() + patience_s
        has_ended = False
        while not self._inside_pid and self._status >= 0:
            line, newline, _ = os.pread(self._status, 4096, 0).partition(b"\n")
            if newline:
                self._inside_pid = json.loads(line)["child-pid"]
                with contextlib.suppress(ProcessLookupError):
                    self._inside = os.pidfd_open(self._inside_pid)
            elif has_ended or time.monotonic() >= until:
                break
            else:
                # Not select(2), which knows no descriptors above 1023.
                end = select.poll()
                end.register(self._pidfd, select.POLLIN)
                has_ended = bool(end.poll(_LOOK_MS))
        return self._inside >= 0

    def _close(self) -> None:
        super()._close()
        if self._status >= 0 and not self.is_running:
            # bubblewrap tells the exit code of what it has started, and of nothing before that.
            self._has_begun = b'"exit-code"' in os.pread(self._status, 4096, 0)
        for name in ("_status", "_inside", "_tmp"):
            if getattr(self, name) >= 0:
                os.close(getattr(self, name))
                setattr(self, name, -1)


def begin(
    way: Way,
    inmate: Inmate,
    variables: Mapping[str, str],
    socket: Path | None,
    uid: int | None,
    group: ControlGroup | None = None,
) -> tuple[subprocess.Popen[bytes], int]:
    """Start a bot, and return with it where bubblewrap tells of it.

    The thread that does so must live as long as the bot.
    """
    machine = this_machine()
    assert machine, "a cage is tried before it is used"
    program = filter_program(machine, processes=bool(inmate.limits.processes))
    filter_read, filter_write = os.pipe()
    # Not a pipe: if its reader were killed, bubblewrap would end of it and leave a process that
    # waits for it for ever.
    status = os.memfd_create("status")
    try:
        # Smaller than what a pipe holds.
        os.write(filter_write, program)
        os.close(filter_write)
        words = command_line(way, inmate, variables, socket, uid, filter_read, status)
        popen = start([*(group.joining() if group else ()), *words], pass_fds=(filter_read, status))
    except BaseException:
        os.close(status)
        raise
    finally:
        os.close(filter_read)
    return popen, status

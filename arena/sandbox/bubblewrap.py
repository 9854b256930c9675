"""Run a bot in bubblewrap.

There are two ways to start it. An ordinary user (`user`) gets a user namespace. Root must never
start a bot as root, because inside the cage it would still be root to the kernel. Instead
bubblewrap, as root, only makes the mounts, and then changes to a uid that only this bot has
(`root`). So it does not matter which folders that uid could reach outside.
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

from arena.sandbox.image import BOT, DEVICES, ENVIRONMENT, SOCKET
from arena.sandbox.payload import Payload
from arena.sandbox.process import start_process
from arena.sandbox.rlimits import SPARE_TMP, rlimits, task_limit
from arena.sandbox.seccomp import filter_program
from arena.sandbox.syscalls import supported_machine
from arena.sandbox.uids import setpriv_command
from arena.sandbox.watchdog import WatchedProcess
from arena.submission.limits import Limits

_MIB = 1 << 20
_STATUS_S = 5.0
"""Timeout for bubblewrap to report its child, which takes milliseconds."""
_POLL_MS = 1
_END_MS = 5000
"""How long the processes of a killed cage may take to end."""


class StartMode(Enum):
    """Who starts bubblewrap."""

    USER = "user"
    ROOT = "root"


def bwrap_command(
    mode: StartMode,
    payload: Payload,
    variables: Mapping[str, str],
    socket: Path | None,
    uid: int | None,
    filter_fd: int,
    status_fd: int,
) -> list[str]:
    """Return the whole command that starts a bot."""
    limits = rlimits(payload.limits, payload.command)
    # Set inside the cage, where the kernel counts this bot alone. Set outside, all bots of a user
    # would share one count.
    inner_limits = {"nproc": task_limit(payload.limits), "sigpending": limits.pop("sigpending")}
    bot_variables = [f"{name}={value}" for name, value in payload.bot_variables.items()]
    return [
        *("prlimit", *_prlimit_options(limits), "--"),
        *("bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        *("--unshare-cgroup-try", "--die-with-parent", "--new-session", "--hostname", "bot"),
        *("--cap-drop", "ALL", *_identity(mode)),
        *_mounts(payload, socket),
        *("--clearenv", *_setenv_options(variables), "--chdir", BOT),
        *("--json-status-fd", str(status_fd), "--seccomp", str(filter_fd), "--"),
        *(setpriv_command(uid) if uid is not None else []),
        *("prlimit", *_prlimit_options(inner_limits), "--"),
        # The bot's own variables are set last: a preloaded library must not run as root.
        *(["env", *bot_variables] if bot_variables else []),
        *payload.command,
    ]


def _prlimit_options(limits: Mapping[str, int]) -> list[str]:
    return [f"--{name}={value}:{value}" for name, value in limits.items()]


def _identity(mode: StartMode) -> list[str]:
    if mode is StartMode.ROOT:
        needed = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
        return [word for name in needed for word in ("--cap-add", name)]
    return ["--unshare-user", "--uid", "65534", "--gid", "65534"]


def _mounts(payload: Payload, socket: Path | None) -> list[str]:
    """Return what a bot can see: files in memory that all bots share, and its own."""
    return [
        *("--ro-bind", str(payload.image), "/"),
        *("--ro-bind", str(payload.environment.root), ENVIRONMENT),
        *("--ro-bind", str(payload.folder), BOT),
        # Only two devices: /dev/shm and /dev/zero are memory that no limit counts.
        *(word for device in DEVICES for word in ("--dev-bind", device, device)),
        *("--perms", "1777", "--size", str(payload.limits.tmp_mib * _MIB + SPARE_TMP)),
        *("--tmpfs", "/tmp"),
        *(("--ro-bind", str(socket), SOCKET) if socket else ()),
    ]


def _setenv_options(variables: Mapping[str, str]) -> list[str]:
    return [word for item in variables.items() for word in ("--setenv", *item)]


class BubblewrappedProcess(WatchedProcess):
    """A bot in bubblewrap; the started process is bubblewrap itself, which waits for the bot."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        on_exit: Callable[[], None],
        limits: Limits,
        status_fd: int,
    ) -> None:
        """Start watching; bubblewrap reports its child on `status_fd`."""
        self._status_fd = status_fd
        self._init_fd = -1
        """A pidfd of the first process in the cage; all others end with it."""
        self._init_pid = 0
        self._bot_pid: int | None = None
        self._tmp = -1
        self._was_built = False
        """Whether the cage was built; known only after it has ended."""
        super().__init__(popen, on_exit, limits)

    def describe_exit(self) -> str:
        """Describe the exit code or signal with which it ended."""
        code = self._popen.returncode
        # Like a shell, bubblewrap reports a signal as an exit code above 128.
        if code is not None and code > 128:
            with contextlib.suppress(ValueError):
                return f"was ended by {signal.Signals(code - 128).name}"
        return super().describe_exit()

    def machine_fault(self) -> str | None:
        """Describe what was removed while it ran, or that its cage could not be built."""
        fault = super().machine_fault()
        if fault or self.is_running or self.over_limit() or self._was_built:
            return fault
        output = self.printed().decode(errors="replace").rstrip().rpartition("\n")[2]
        return f"the cage of a bot could not be built: {output or self.describe_exit()}"

    def bot_pid(self) -> int | None:
        """Return the pid of the bot itself, once it is known."""
        if self._bot_pid is None and self._find_init(0):
            # It has not started yet or has already ended; a later check will show which.
            with contextlib.suppress(OSError, IndexError):
                task = f"/proc/{self._init_pid}/task/{self._init_pid}/children"
                with open(task, "rb") as file:
                    self._bot_pid = int(file.read().split()[0])
        return self._bot_pid

    def tmp_folder(self) -> int | None:
        """Return a descriptor of the bot's own /tmp."""
        if self._tmp < 0 and self.bot_pid() is not None:
            # Not by the bot's own pid: once its first thread has ended, it shows no root.
            root = f"/proc/{self._init_pid}/root/tmp"
            self._tmp = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        return self._tmp if self._tmp >= 0 else None

    def end(self) -> None:
        """Kill the first process in the cage, which ends all others, then bubblewrap."""
        # Killing only bubblewrap in its first milliseconds would leave the bot running.
        if self._find_init(_STATUS_S):
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._init_fd, signal.SIGKILL)
        super().end()
        if self._init_fd >= 0:
            # bubblewrap may be gone before the bot, which runs until the kernel has ended them all.
            ended = select.poll()
            ended.register(self._init_fd, select.POLLIN)
            ended.poll()

    def _find_init(self, timeout_s: float) -> bool:
        """Find the first process in the cage, waiting up to `timeout_s` for it."""
        until = time.monotonic() + timeout_s
        has_ended = False
        while not self._init_pid and self._status_fd >= 0:
            line, newline, _ = os.pread(self._status_fd, 4096, 0).partition(b"\n")
            if newline:
                self._init_pid = json.loads(line)["child-pid"]
                with contextlib.suppress(ProcessLookupError):
                    self._init_fd = os.pidfd_open(self._init_pid)
            elif has_ended or time.monotonic() >= until:
                break
            else:
                # Not select(2), which cannot handle descriptors above 1023.
                end = select.poll()
                end.register(self._pidfd, select.POLLIN)
                has_ended = bool(end.poll(_POLL_MS))
        return self._init_fd >= 0

    def _close(self) -> None:
        super()._close()
        if self._init_fd >= 0 and not self.is_running:
            # Bubblewrap may have ended a moment before the others, which end before the first one.
            end = select.poll()
            end.register(self._init_fd, select.POLLIN)
            end.poll(_END_MS)
        if self._status_fd >= 0 and not self.is_running:
            # bubblewrap reports an exit code only for a program that it has started.
            self._was_built = b'"exit-code"' in os.pread(self._status_fd, 4096, 0)
        for name in ("_status_fd", "_init_fd", "_tmp"):
            if getattr(self, name) >= 0:
                os.close(getattr(self, name))
                setattr(self, name, -1)


def start(
    mode: StartMode,
    payload: Payload,
    variables: Mapping[str, str],
    socket: Path | None,
    uid: int | None,
) -> tuple[subprocess.Popen[bytes], int]:
    """Start a bot; return its process and the descriptor on which bubblewrap reports its status.

    The calling thread must live as long as the bot.
    """
    machine = supported_machine()
    assert machine, "a cage is tested before it is used"
    program = filter_program(machine)
    filter_read, filter_write = os.pipe()
    # Not a pipe: if the reader were killed, bubblewrap would end when it writes and leave a process
    # that waits for it forever.
    status = os.memfd_create("status")
    try:
        # It fits into the pipe's buffer.
        os.write(filter_write, program)
        os.close(filter_write)
        words = bwrap_command(mode, payload, variables, socket, uid, filter_read, status)
        popen = start_process(words, pass_fds=(filter_read, status))
    except BaseException:
        os.close(status)
        raise
    finally:
        os.close(filter_read)
    return popen, status

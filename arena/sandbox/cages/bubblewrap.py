"""The full cage: bubblewrap.

There are two ways to start it. An ordinary user (`user`) gets a user namespace. Root must never
start a bot as root, because inside the cage it would still be root to the kernel. Instead
bubblewrap, as root, only makes the mounts, and then changes to a uid that only this bot has
(`root`). So it does not matter which folders that uid could reach outside.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from pathlib import Path
from subprocess import Popen

from arena.sandbox.bot_process import start_process
from arena.sandbox.cage import IsolatingCage, Payload, environment_variables
from arena.sandbox.cages.bubblewrapped_process import BubblewrappedProcess
from arena.sandbox.image.contents import (
    BOT,
    DEVICES,
    ENVIRONMENT,
    SOCKET,
    environment_in_memory,
    image_for,
)
from arena.sandbox.image.memory import (
    NoMemory,
    describe,
    memory_base,
    memory_bases,
    too_little_memory,
)
from arena.sandbox.limits.rlimits import SPARE_TMP, rlimits, task_limit
from arena.sandbox.limits.seccomp import filter_program
from arena.sandbox.limits.syscalls import supported_machine
from arena.sandbox.limits.watchdog import WatchedProcess
from arena.sandbox.packages.cache import cache_folder
from arena.sandbox.packages.environments import Environment, plain_environment
from arena.sandbox.uids import setpriv_command
from arena.submission.limits import Limits

_MIB = 1 << 20


class StartMode(Enum):
    """Who starts bubblewrap."""

    USER = "user"
    ROOT = "root"


class BubblewrapCage(IsolatingCage):
    """The full cage: bubblewrap, started in one of its modes."""

    folder_inside = BOT
    environment_inside = ENVIRONMENT

    def __init__(self, mode: StartMode, python: Path | None = None) -> None:
        """Set how bubblewrap is started."""
        super().__init__(python)
        self.name = mode.value
        self._mode = mode
        self._disk: Path | None = None
        """Where the files of bots are if they are not in memory."""
        self.why_unsealed = ""
        """Why the files of bots are on a disk."""

    @property
    def seals(self) -> bool:  # type: ignore[override]  # known only once it has been tested
        """Whether all files that bots see are in memory."""
        return not self.why_unsealed

    @property
    def mark(self) -> str:  # type: ignore[override]
        """The kind of cage that is stored with results."""
        return "bubblewrap" if self.seals else "bubblewrap-disk"

    @property
    def warning(self) -> str:  # type: ignore[override]
        """A warning where bots are not sealed."""
        if self.seals:
            return ""
        return (
            "bots see files on a disk, where they can leave signs for later bots: "
            f"{self.why_unsealed}"
        )

    def base(self) -> Path | None:
        """Return where folders of bots are made."""
        return memory_base()

    def _all_bases(self) -> list[Path]:
        bases = [self._disk] if self._disk else memory_bases()
        if not bases:
            raise NoMemory(too_little_memory(bases, 0))
        return bases

    def place(self, environment: Environment) -> Environment:
        """Return a copy of an environment in memory."""
        root = environment_in_memory(environment, self._all_bases())
        return replace(environment, root=root)

    def shared_files(self) -> list[tuple[str, Path, str]]:
        """Return what all bots see: a name, the folder, and its size and how long it took."""
        environment = self.place(plain_environment(python=self.python))
        python = image_for(environment, self._all_bases())
        folders = {"Python": python, "the SDK": environment.root}
        return [(name, path.parent, describe(path)) for name, path in folders.items()]

    def complete(self, payload: Payload, program: Path | None) -> Payload:
        """Add the image that is the root folder of the cage."""
        found = image_for(payload.environment, self._all_bases(), program=program)
        return replace(payload, image=found)

    def start(
        self, payload: Payload, socket: Path | None, uid: int | None
    ) -> tuple[Popen[bytes], int]:
        """Start a bot; bubblewrap reports its status on the descriptor.

        The calling thread must live as long as the bot.
        """
        machine = supported_machine()
        assert machine, "a cage is tested before it is used"
        filter_read, filter_write = os.pipe()
        # Not a pipe: if the reader were killed, bubblewrap would end when it writes and leave a
        # process that waits for it forever.
        status = os.memfd_create("status")
        try:
            # It fits into the pipe's buffer.
            os.write(filter_write, filter_program(machine))
            os.close(filter_write)
            words = bwrap_command(self._mode, payload, socket, uid, filter_read, status)
            popen = start_process(words, pass_fds=(filter_read, status))
        except BaseException:
            os.close(status)
            raise
        finally:
            os.close(filter_read)
        return popen, status

    def watch(
        self, popen: Popen[bytes], status_fd: int, on_exit: Callable[[], None], limits: Limits
    ) -> WatchedProcess:
        """Watch over it."""
        return BubblewrappedProcess(popen, on_exit, limits, status_fd)

    def problem(self) -> str | None:
        """Test it, if it is installed and this user may use it."""
        for program in ("bwrap", "prlimit", "setpriv"):
            if shutil.which(program) is None:
                return f"{program} is not installed"
        if (self._mode is StartMode.USER) == (os.geteuid() == 0):
            return "for ordinary users only" if self._mode is StartMode.USER else "for root only"
        try:
            return super().problem()
        except NoMemory as error:
            self._disk = cache_folder() / "images"
            self._disk.mkdir(mode=0o755, exist_ok=True)
            self.why_unsealed = str(error)
            return super().problem()


def bwrap_command(
    mode: StartMode,
    payload: Payload,
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
        *("--clearenv", *_setenv_options(environment_variables(SOCKET)), "--chdir", BOT),
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

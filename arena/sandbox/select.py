"""Select a cage that works on this machine.

Each cage is tested by starting a bot's Python in it; the best one that works is used.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from subprocess import Popen

from arena.errors import ArenaError, BadInput, did_you_mean
from arena.sandbox import bubblewrap, image, landlock
from arena.sandbox.bubblewrap import StartMode
from arena.sandbox.cache import cache_folder
from arena.sandbox.cage import INSTALL, Cage, IsolatingCage, Uncaged, environment_variables
from arena.sandbox.environments import Environment, plain_environment
from arena.sandbox.memory import NoMemory, describe, memory_base, memory_bases, too_little_memory
from arena.sandbox.payload import Payload
from arena.sandbox.uids import closed_folder
from arena.sandbox.watchdog import WatchedProcess
from arena.submission.limits import Limits

AUTO = "auto"


class NoCage(ArenaError):
    """No cage for untrusted bots works on this machine."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        """Take the problem of each cage that was tested."""
        self.reasons = reasons
        details = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
        remedy = (
            f"Install bubblewrap ({INSTALL})"
            if shutil.which("bwrap") is None
            else "`arena doctor` says what is missing"
        )
        super().__init__(
            f"no cage for untrusted bots works on this machine ({details}). {remedy}, or run your "
            "own bots with --cage none"
        )

    def __reduce__(self) -> tuple[type[NoCage], tuple[dict[str, str]]]:
        """Support pickling, so that a worker process can raise it."""
        return NoCage, (dict(self.reasons),)


class BubblewrapCage(IsolatingCage):
    """The full cage: bubblewrap, started in one of its modes."""

    folder_inside = image.BOT
    environment_inside = image.ENVIRONMENT

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

    def _use_disk(self, why: str) -> None:
        self._disk = cache_folder() / "images"
        self._disk.mkdir(mode=0o755, exist_ok=True)
        self.why_unsealed = why

    def place(self, environment: Environment) -> Environment:
        """Return a copy of an environment in memory."""
        root = image.environment_in_memory(environment, self._all_bases())
        return replace(environment, root=root)

    def shared_files(self) -> list[tuple[str, Path, str]]:
        """Return what all bots see: a name, the folder, and its size and how long it took."""
        environment = self.place(plain_environment(python=self.python))
        python = image.image_for(environment, self._all_bases())
        folders = {"Python": python, "the SDK": environment.root}
        return [(name, path.parent, describe(path)) for name, path in folders.items()]

    def complete(self, payload: Payload, program: Path | None, *, has_wheels: bool) -> Payload:
        """Add the image that is the root folder of the cage."""
        folders = [payload.folder, *([payload.environment.root] if has_wheels else [])]
        found = image.image_for(
            payload.environment, self._all_bases(), program=program, folders=folders
        )
        return replace(payload, image=found)

    def start(
        self, payload: Payload, socket: Path | None, uid: int | None
    ) -> tuple[Popen[bytes], int]:
        """Start a bot in bubblewrap."""
        variables = environment_variables(image.SOCKET)
        return bubblewrap.start(self._mode, payload, variables, socket, uid)

    def watch(
        self,
        popen: Popen[bytes],
        status_fd: int,
        on_exit: Callable[[], None],
        limits: Limits,
    ) -> WatchedProcess:
        """Watch over it."""
        return bubblewrap.BubblewrappedProcess(popen, on_exit, limits, status_fd)

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
            self._use_disk(str(error))
            return super().problem()


class LandlockCage(IsolatingCage):
    """The weaker cage, without namespaces."""

    name = mark = "landlock"
    warning = (
        "a weaker cage (Landlock): bots can see which files exist and connect to unix sockets; "
        f"for a full cage: {INSTALL}"
    )

    def start(
        self, payload: Payload, socket: Path | None, uid: int | None
    ) -> tuple[Popen[bytes], int]:
        """Start a bot under Landlock."""
        if socket and uid is not None:
            # No namespace hides a bot's socket from other bots. We keep owning the folder, to
            # clean it up.
            os.chown(socket.parent, -1, uid)
            socket.parent.chmod(0o710)
        return landlock.start(payload, {**environment_variables(str(socket)), "HOME": "/"}, uid), -1

    def watch(
        self,
        popen: Popen[bytes],
        status_fd: int,
        on_exit: Callable[[], None],
        limits: Limits,
    ) -> WatchedProcess:
        """Watch over it."""
        return WatchedProcess(popen, on_exit, limits)

    def problem(self) -> str | None:
        """Test it, if the kernel has Landlock."""
        return super().problem() if landlock.is_supported() else "this kernel has no Landlock"

    def obstacle(self, payload: Payload) -> str | None:
        """Return what keeps the bot's own uid from its files: no mount brings them into reach."""
        if os.geteuid() != 0:
            return None
        environment = payload.environment
        remedies = {
            environment.interpreter: "install a Python elsewhere",
            environment.root: "set ARENA_CACHE to a folder that every user can enter",
            payload.folder: "set TMPDIR to a folder that every user can enter",
        }
        for path, remedy in remedies.items():
            closed = closed_folder(path)
            if closed:
                mode = stat.S_IMODE(closed.stat().st_mode)
                return f"bots cannot reach {path}, because {closed} has mode {mode:04o}: {remedy}"
        return None


CAGE_NAMES = (AUTO, *(mode.value for mode in StartMode), LandlockCage.name, Uncaged.name)
"""The names that can be given on the command line."""
_SYSTEM_PYTHON = Path("/usr/bin/python3")


def _isolating_cages(python: Path | None = None) -> list[IsolatingCage]:
    """List the cages that isolate bots, best first."""
    return [*(BubblewrapCage(mode, python) for mode in StartMode), LandlockCage(python)]


@cache
def select_cage(name: str) -> Cage:
    """Return a cage by its name, or the best one; raise `NoCage` if it does not work here."""
    if name == Uncaged.name:
        return Uncaged()
    if name not in CAGE_NAMES:
        raise BadInput(f"unknown cage {name!r}: {did_you_mean(name, CAGE_NAMES)}")
    # A bot's uid may not be able to reach our own Python, but every user can reach the system's.
    cages = [*_isolating_cages(), *_isolating_cages(_SYSTEM_PYTHON)]
    reasons: dict[str, str] = {}
    for cage in cages:
        if name in (AUTO, cage.name):
            reason = cage.problem()
            if reason is None:
                return cage
            reasons.setdefault(cage.name, reason)
    raise NoCage(reasons)


def best_cage() -> Cage:
    """Return the best cage that works here."""
    return select_cage(AUTO)

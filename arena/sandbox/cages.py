"""Which cage can this machine give its bots, and how does a bot get into it?

The best one that works is found by trying: a bot's own Python is started in each until one does.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from subprocess import Popen, TimeoutExpired

from arena.errors import ArenaError, BadInput, did_you_mean
from arena.limits import Limits, limits_of
from arena.manifest import Manifest
from arena.sandbox import bubblewrap, landlock
from arena.sandbox.bubblewrap import Way
from arena.sandbox.environments import Environment, environment_for, plain_environment
from arena.sandbox.folders import copy_folder
from arena.sandbox.inmate import Inmate, command_inside
from arena.sandbox.locks import Lock, lock_of
from arena.sandbox.places import Place
from arena.sandbox.process import BotProcess, Process, start
from arena.sandbox.syscalls import this_machine
from arena.sandbox.watched import WatchedProcess
from arena.wire.messages import SOCKET

Launch = Callable[[Path, Callable[[], None]], Process]
"""Start the bot's process, given its socket and what to call when it ends."""

_FIRST_UID = 1 << 30
_UIDS = 256
"""So many bots of one referee have uids of their own at the same time."""
_TRIAL = "import arena"
_TRIAL_S = 20.0
INSTALL = "apt-get install bubblewrap"


class NoCage(ArenaError):
    """This machine cannot hold bots that are not trusted."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        """Say of every cage that was tried what is missing."""
        self.reasons = reasons
        told = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
        super().__init__(
            f"this machine cannot hold bots that are not trusted ({told}). Install bubblewrap "
            f"({INSTALL}), or run bots of your own with --cage none"
        )


class Cage(ABC):
    """A way to run bots."""

    name: str
    """As it is asked for."""
    mark: str
    """What results say of it."""
    warning: str = ""
    """What a user must know who runs bots in it; empty for a full cage."""

    @abstractmethod
    def launcher(
        self, bot: Manifest, set_here: Mapping[str, int], lock: Lock | None = None
    ) -> Launch:
        """Prepare a bot, and return what starts it.

        `set_here` are limits for everybody, `lock` is what the bot's requirements once came to.
        """

    def why_not(self) -> str | None:
        """Try it; return what is missing, or None if it works."""
        return None


class NoneCage(Cage):
    """Plain processes of this user: for one's own bots, in development."""

    name = mark = "none"
    warning = "no cage: these bots can read, change and send whatever you can"

    def launcher(
        self, bot: Manifest, set_here: Mapping[str, int], lock: Lock | None = None
    ) -> Launch:
        """Return what starts a bot as it is, where it is."""
        program, *rest = bot.command
        if bot.runs_python:
            program = sys.executable
        elif bot.local_program():
            program = str(bot.folder / program)
        else:
            program = shutil.which(program) or program
        inherited = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": os.environ.get("HOME", "/"),
        }

        def launch(socket: Path, on_exit: Callable[[], None]) -> Process:
            variables = {**_variables(str(socket)), **inherited, **bot.environment}
            popen = start([program, *rest], folder=bot.folder, environment=variables)
            return BotProcess(popen, on_exit)

        return launch


class _RealCage(Cage):
    """What all real cages do the same."""

    seen_folder: str | None = None
    """Where the bot's folder is seen inside; None for where it really is."""
    seen_environment: str | None = None
    allows_processes = True

    def __init__(self, python: Path | None = None) -> None:
        """Say which Python bots get, if not the one that runs this."""
        self._python = python

    def launcher(
        self, bot: Manifest, set_here: Mapping[str, int], lock: Lock | None = None
    ) -> Launch:
        """Copy the bot into a place of its own and return what starts it there."""
        if bot.is_foreign:
            raise BadInput(
                f"{' '.join(bot.command)!r} is a command line, and no cage knows which files it "
                "needs: make it a folder with a bot.toml, or trust it with --cage none"
            )
        limits = limits_of(bot.limits, set_here=set_here)
        if limits.processes and not self.allows_processes:
            raise BadInput(f"{bot.name} starts processes, which needs bubblewrap: {INSTALL}")
        environment = self._environment_of(bot, lock)
        place = Place()
        folder = place.path / "bot"
        copy_folder(bot.folder, folder, only=bot.only)
        command, prefixes = command_inside(
            bot,
            folder=self.seen_folder or str(folder),
            environment=self.seen_environment or str(environment.root),
        )
        inmate = Inmate(command, folder, environment, bot.environment, prefixes, limits)

        def launch(socket: Path, on_exit: Callable[[], None]) -> Process:
            uid = _next_uid()
            if uid is not None:
                os.chown(socket, uid, uid)
            process = self.process(*self.begin(inmate, socket, uid), on_exit, limits)
            process.home = place
            return process

        return launch

    def _environment_of(self, bot: Manifest, lock: Lock | None) -> Environment:
        if not bot.requirements:
            return plain_environment(python=self._python)
        return environment_for(lock or lock_of(bot.requirements), python=self._python)

    @abstractmethod
    def begin(
        self, inmate: Inmate, socket: Path | None, uid: int | None
    ) -> tuple[Popen[bytes], int]:
        """Start what has been prepared, and return it with the descriptor of its news, if any."""

    @abstractmethod
    def process(
        self, popen: Popen[bytes], news: int, on_exit: Callable[[], None], limits: Limits
    ) -> WatchedProcess:
        """Watch over what was started."""

    def why_not(self) -> str | None:
        """Start a bot's Python in it."""
        if this_machine() is None:
            return f"the filter of system calls is not written for {os.uname().machine}"
        try:
            environment = plain_environment(python=self._python)
        except BadInput as error:
            return str(error)
        command = (f"{self.seen_environment or environment.root}/bin/python", "-c", _TRIAL)
        place = Place()
        folder = place.path / "bot"
        folder.mkdir()
        folder.chmod(0o755)
        popen, news = self.begin(
            Inmate(command, folder, environment, {}, (), Limits()), None, _next_uid()
        )
        try:
            said = popen.communicate(timeout=_TRIAL_S)[0].decode(errors="replace").split("\n")
        except TimeoutExpired:
            popen.kill()
            popen.communicate()
            return f"nothing happened in it for {_TRIAL_S:g} s"
        finally:
            if news >= 0:
                os.close(news)
            place.remove()
        if popen.returncode:
            return next(filter(None, reversed(said)), f"it ended with {popen.returncode}")
        return None


class BubblewrapCage(_RealCage):
    """Bubblewrap, started in one of its ways."""

    mark = "bubblewrap"
    seen_folder = bubblewrap.BOT
    seen_environment = bubblewrap.ENVIRONMENT

    def __init__(self, way: Way, python: Path | None = None) -> None:
        """Say how it is started."""
        super().__init__(python)
        self.name = way.value
        self._way = way

    def begin(
        self, inmate: Inmate, socket: Path | None, uid: int | None
    ) -> tuple[Popen[bytes], int]:
        """Start bubblewrap."""
        return bubblewrap.begin(self._way, inmate, _variables(bubblewrap.SOCKET), socket, uid)

    def process(
        self, popen: Popen[bytes], news: int, on_exit: Callable[[], None], limits: Limits
    ) -> WatchedProcess:
        """Watch over it."""
        return bubblewrap.BubblewrappedProcess(popen, on_exit, limits, news)

    def why_not(self) -> str | None:
        """Try it, if this user may and it is there."""
        for program in ("bwrap", "prlimit", "setpriv"):
            if shutil.which(program) is None:
                return f"{program} is not installed"
        if (self._way is Way.USER) == (os.geteuid() == 0):
            return "it is for ordinary users" if self._way is Way.USER else "it is for root"
        return super().why_not()


class LandlockCage(_RealCage):
    """The fallback without namespaces."""

    name = mark = "landlock"
    allows_processes = False
    warning = (
        "a lesser cage (Landlock): bots can see which files there are and knock at unix sockets; "
        f"for the full one: {INSTALL}"
    )

    def begin(
        self, inmate: Inmate, socket: Path | None, uid: int | None
    ) -> tuple[Popen[bytes], int]:
        """Start it."""
        if socket and uid is not None:
            # No namespace hides one bot's socket from the others. The folder stays ours to sweep.
            os.chown(socket.parent, -1, uid)
            socket.parent.chmod(0o710)
        return landlock.begin(inmate, {**_variables(str(socket)), "HOME": "/"}, uid), -1

    def process(
        self, popen: Popen[bytes], news: int, on_exit: Callable[[], None], limits: Limits
    ) -> WatchedProcess:
        """Watch over it."""
        return landlock.LandlockedProcess(popen, on_exit, limits)

    def why_not(self) -> str | None:
        """Try it, if the kernel has Landlock."""
        return super().why_not() if landlock.is_there() else "this kernel has no Landlock"


AUTO = "auto"
NAMES = (AUTO, *(way.value for way in Way), LandlockCage.name, NoneCage.name)
"""What can be asked for."""
_SYSTEMS_PYTHON = Path("/usr/bin/python3")


def _real_cages(python: Path | None = None) -> list[_RealCage]:
    """List the cages, the best first."""
    return [*(BubblewrapCage(way, python) for way in Way), LandlockCage(python)]


@cache
def cage_named(name: str) -> Cage:
    """Return the cage that is asked for, or the best one, if it works here."""
    if name == NoneCage.name:
        return NoneCage()
    if name not in NAMES:
        raise BadInput(f"there is no cage {name!r}: {did_you_mean(name, NAMES)}")
    # A bot's uid may not be able to reach our own Python; everybody can reach the system's.
    cages = [*_real_cages(), *_real_cages(_SYSTEMS_PYTHON)]
    reasons: dict[str, str] = {}
    for cage in cages:
        if name in (AUTO, cage.name):
            reason = cage.why_not()
            if reason is None:
                return cage
            reasons.setdefault(cage.name, reason)
    raise NoCage(reasons)


def best_cage() -> Cage:
    """Find the best cage that works here, by trying."""
    return cage_named(AUTO)


def _variables(socket: str) -> dict[str, str]:
    """Return what every bot finds in its environment."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "MALLOC_ARENA_MAX": "2",
        # What gRPC says on its own account would bury what the bot prints.
        "GRPC_VERBOSITY": "NONE",
        SOCKET: socket,
    }


_counted = itertools.count()


def _next_uid() -> int | None:
    """Return a uid that no other bot has, where there is a choice."""
    if os.geteuid() != 0:
        return None
    return _FIRST_UID + os.getpid() * _UIDS + next(_counted) % _UIDS

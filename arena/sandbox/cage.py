"""How does a bot get into a cage?"""

from __future__ import annotations

import os
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from subprocess import Popen, TimeoutExpired

from arena.errors import BadInput, PlatformError
from arena.limits import Limits, limits_of
from arena.manifest import Manifest
from arena.sandbox.control_group import ControlGroup
from arena.sandbox.control_groups import group_for
from arena.sandbox.environments import (
    Environment,
    UnfitPython,
    environment_for,
    plain_environment,
)
from arena.sandbox.folders import copy_folder
from arena.sandbox.inmate import Inmate, command_inside
from arena.sandbox.locks import Lock, lock_of
from arena.sandbox.places import Place, fresh
from arena.sandbox.process import BotProcess, Launch, Process, start
from arena.sandbox.syscalls import this_machine
from arena.sandbox.uids import next_uid
from arena.sandbox.watched import WatchedProcess
from arena.wire.messages import SOCKET

INSTALL = "apt-get install bubblewrap"
"""What gives a machine the full cage."""
_TRIAL = "import arena"
_TRIAL_S = 20.0


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


class NoneCage(Cage):
    """Plain processes of this user: for one's own bots, in development."""

    name = mark = "none"
    warning = "no cage: these bots can read, change and send whatever you can"

    def launcher(
        self, bot: Manifest, set_here: Mapping[str, int], lock: Lock | None = None
    ) -> Launch:
        """Return what starts a bot as it is, where it is."""
        # Nothing enforces them, but one that asks for too much is refused as in any cage.
        limits_of(bot.limits, set_here=set_here)
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
            variables = {**variables_for(str(socket)), **inherited, **bot.environment}
            popen = start([program, *rest], folder=bot.folder, environment=variables)
            return BotProcess(popen, on_exit)

        return launch


class RealCage(Cage):
    """What all real cages do the same."""

    seen_folder: str | None = None
    """Where the bot's folder is seen inside; None for where it really is."""
    seen_environment: str | None = None
    allows_processes = True

    def __init__(self, python: Path | None = None) -> None:
        """Say which Python bots get, if not the one that runs this."""
        self.python = python

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
            uid = next_uid()
            try:
                if uid is not None:
                    os.chown(socket, uid, uid)
                # One process is known by its number; several need a group to be told apart.
                group = group_for(place.path) if limits.processes else None
                popen, news = self.begin(inmate, socket, uid, group)
                process = self.process(popen, news, on_exit, limits, group)
            except OSError as error:
                # It is the cage that is started here, and what is the bot's comes after it.
                what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
                raise PlatformError(f"no bot can be started: {what}") from None
            process.home, process.environment = place, environment
            return process

        return launch

    def _environment_of(self, bot: Manifest, lock: Lock | None) -> Environment:
        if not bot.requirements:
            return plain_environment(python=self.python)
        return environment_for(lock or lock_of(bot.requirements), python=self.python)

    @abstractmethod
    def begin(
        self,
        inmate: Inmate,
        socket: Path | None,
        uid: int | None,
        group: ControlGroup | None = None,
    ) -> tuple[Popen[bytes], int]:
        """Start what has been prepared, and return it with the descriptor of its news, if any."""

    @abstractmethod
    def process(
        self,
        popen: Popen[bytes],
        news: int,
        on_exit: Callable[[], None],
        limits: Limits,
        group: ControlGroup | None = None,
    ) -> WatchedProcess:
        """Watch over what was started."""

    def why_not(self) -> str | None:
        """Start a bot's Python in it; return what is missing, or None if it works."""
        if this_machine() is None:
            return f"the filter of system calls is not written for {os.uname().machine}"
        try:
            environment = plain_environment(python=self.python)
        except UnfitPython as error:
            return str(error)
        command = (f"{self.seen_environment or environment.root}/bin/python", "-c", _TRIAL)
        with fresh() as place:
            folder = place / "bot"
            folder.mkdir()
            folder.chmod(0o755)
            inmate = Inmate(command, folder, environment, {}, (), Limits())
            try:
                popen, news = self.begin(inmate, None, next_uid())
            except OSError as error:
                return f"{error.filename or 'it'} cannot be started: {error.strerror}"
            if news >= 0:
                os.close(news)
            return _trial(popen)


def _trial(popen: Popen[bytes]) -> str | None:
    """Return what is wrong with a program that should simply end."""
    with popen:
        try:
            said = popen.communicate(timeout=_TRIAL_S)[0].decode(errors="replace").split("\n")
        except TimeoutExpired:
            return f"nothing happened in it for {_TRIAL_S:g} s"
        finally:
            popen.kill()
    if popen.returncode:
        return next(filter(None, reversed(said)), f"it ended with {popen.returncode}")
    return None


def variables_for(socket: str) -> dict[str, str]:
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

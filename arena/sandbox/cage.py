"""Cages: prepare a bot and start it, isolated or not."""

from __future__ import annotations

import os
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from subprocess import Popen, TimeoutExpired

from arena.errors import BadInput, PlatformError
from arena.sandbox.bot_process import BotProcess, Launch, Process, start_process
from arena.sandbox.image.programs import PATH, find_program, install_folders
from arena.sandbox.limits.syscalls import supported_machine
from arena.sandbox.limits.watchdog import WatchedProcess
from arena.sandbox.packages.cache import cache_folder, is_intact
from arena.sandbox.packages.environments import (
    Environment,
    UnsuitablePython,
    environment_for,
    plain_environment,
)
from arena.sandbox.packages.lockfile import Lockfile, lockfile_for
from arena.sandbox.tempdir import TempDir, temp_dir
from arena.sandbox.uids import next_uid
from arena.submission.limits import Limits, effective_limits
from arena.submission.manifest import Manifest
from arena.submission.package import copy_folder
from arena.wire.envelope import SOCKET

INSTALL = "apt-get install bubblewrap"
"""The command that enables the full cage."""
_TRIAL = "import arena"
_TRIAL_S = 20.0


@dataclass(frozen=True, slots=True)
class Payload:
    """A bot with everything needed to start it in a cage."""

    command: Sequence[str]
    """The command, with paths as they are in the cage."""
    folder: Path
    """A copy of the bot's folder."""
    environment: Environment
    bot_variables: Mapping[str, str]
    """Environment variables from the bot's manifest."""
    limits: Limits
    image: Path | None = None
    """The root folder of its cage, if that is not this machine's."""
    prefixes: Sequence[Path] = ()
    """Folders of programs that are installed outside the system folders."""


def command_inside(
    bot: Manifest, program: Path | None, *, folder: str, environment: str
) -> tuple[str, ...]:
    """Return a bot's command as it is in a cage, where these are its folder and environment.

    `program` is the installed program that runs it, if any.
    """
    rest = bot.command[1:]
    if bot.runs_python:
        return (f"{environment}/bin/python", *rest)
    local = bot.local_program()
    return (f"{folder}/{local}" if local else str(program), *rest)


class Cage(ABC):
    """A way to run bots."""

    name: str
    """Its name on the command line."""
    mark: str
    """The kind of cage that is stored with results."""
    warning: str = ""
    """A warning for users who run bots in it; empty for a full cage."""
    seals: bool = False
    """Whether nothing that a bot can touch tells later bots that it was touched."""

    @abstractmethod
    def launcher(
        self,
        bot: Manifest,
        run_limits: Mapping[str, int],
        lock: Lockfile | None = None,
        *,
        home: TempDir | None = None,
    ) -> Launch:
        """Prepare a bot and return the function that starts it.

        `run_limits` apply to every bot of this run. `lock` lists the wheels that were chosen for
        the bot's requirements earlier. Files that are copied are in `home`, a folder in `base`,
        until the caller removes it, or else in a folder that goes with the function.
        """

    def base(self) -> Path | None:
        """Return where folders of bots are made; None for the usual temporary folder."""
        return None


class Uncaged(Cage):
    """No cage: bots run as plain processes of this user, for developing your own bots."""

    name = mark = "none"
    warning = "no cage: these bots can read, change and send anything that you can"

    def launcher(
        self,
        bot: Manifest,
        run_limits: Mapping[str, int],
        lock: Lockfile | None = None,
        *,
        home: TempDir | None = None,
    ) -> Launch:
        """Return the function that starts a bot in its own folder."""
        # Limits are not enforced here, but a bot that asks for too much is refused as in any cage.
        effective_limits(bot.limits, run_limits=run_limits)
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
            variables = {**environment_variables(str(socket)), **inherited, **bot.environment}
            popen = start_process([program, *rest], folder=bot.folder, environment=variables)
            return BotProcess(popen, on_exit)

        return launch


class IsolatingCage(Cage):
    """Base class of the cages that isolate bots."""

    folder_inside: str | None = None
    """Where the bot's folder is mounted in the cage; None if it is not moved."""
    environment_inside: str | None = None

    def __init__(self, python: Path | None = None) -> None:
        """Use another Python for bots than the one that is running."""
        self.python = python
        self._environments: dict[tuple[Path, Lockfile], Environment] = {}
        """By cache folder and lockfile: to find one again takes as long as to start a bot."""

    def launcher(
        self,
        bot: Manifest,
        run_limits: Mapping[str, int],
        lock: Lockfile | None = None,
        *,
        home: TempDir | None = None,
    ) -> Launch:
        """Copy the bot into a temporary folder and return the function that starts it there."""
        if bot.is_command_line:
            raise BadInput(
                f"{' '.join(bot.command)!r} is a command line: its files are unknown, so it cannot "
                "run in a cage; make a folder with a bot.toml, or trust it with --cage none"
            )
        limits = effective_limits(bot.limits, run_limits=run_limits)
        program = find_program(bot)
        environment = self._environment_for(bot, lock)
        temp = home or TempDir(self.base())
        folder = temp.path / "bot"
        copy_folder(bot.folder, folder, only=bot.only)
        command = command_inside(
            bot,
            program,
            folder=self.folder_inside or str(folder),
            environment=self.environment_inside or str(environment.root),
        )
        payload = Payload(command, folder, environment, bot.environment, limits)
        payload = self.complete(payload, program)

        def launch(socket: Path, on_exit: Callable[[], None]) -> Process:
            uid = next_uid()
            try:
                if uid is not None:
                    os.chown(socket, uid, uid)
                popen, status_fd = self.start(payload, socket, uid)
                process = self.watch(popen, status_fd, on_exit, limits)
            except OSError as error:
                # This starts the cage; errors of the bot itself come later.
                what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
                raise PlatformError(f"cannot start a bot: {what}") from None
            process.temp_dir, process.environment = temp, environment
            return process

        return launch

    def _environment_for(self, bot: Manifest, lock: Lockfile | None) -> Environment:
        wanted = (lock or lockfile_for(bot.requirements)) if bot.requirements else Lockfile(())
        key = cache_folder(), wanted
        known = self._environments.get(key)
        if known is None or not is_intact(known.root):
            environment = environment_for(wanted, python=self.python)
            known = self._environments[key] = self.place(environment)
        return known

    def place(self, environment: Environment) -> Environment:
        """Return the environment as bots see it, which may be a copy."""
        return environment

    def complete(self, payload: Payload, program: Path | None) -> Payload:
        """Add the files of this machine that a bot needs, or a program that runs it needs."""
        return replace(payload, prefixes=install_folders(program) if program else ())

    @abstractmethod
    def start(
        self, payload: Payload, socket: Path | None, uid: int | None
    ) -> tuple[Popen[bytes], int]:
        """Start a prepared bot; return its process and a status descriptor, or -1 for none."""

    def watch(
        self, popen: Popen[bytes], status_fd: int, on_exit: Callable[[], None], limits: Limits
    ) -> WatchedProcess:
        """Watch a process that was started, and enforce its limits."""
        return WatchedProcess(popen, on_exit, limits)

    def obstacle(self, payload: Payload) -> str | None:
        """Return which permission of a folder keeps bots from starting, or None."""
        return None

    def problem(self) -> str | None:
        """Start a bot's Python in this cage; return what is wrong, or None if it works."""
        if supported_machine() is None:
            return f"the system call filter does not support {os.uname().machine}"
        try:
            environment = self.place(plain_environment(python=self.python))
        except UnsuitablePython as error:
            return str(error)
        command = (f"{self.environment_inside or environment.root}/bin/python", "-c", _TRIAL)
        with temp_dir(self.base()) as temp:
            folder = temp / "bot"
            folder.mkdir()
            folder.chmod(0o755)
            payload = Payload(command, folder, environment, {}, Limits())
            payload = self.complete(payload, None)
            obstacle = self.obstacle(payload)
            if obstacle:
                return obstacle
            try:
                popen, status_fd = self.start(payload, None, next_uid())
            except OSError as error:
                return f"cannot start {error.filename or 'it'}: {error.strerror}"
            if status_fd >= 0:
                os.close(status_fd)
            return _run_trial(popen)


def _run_trial(popen: Popen[bytes]) -> str | None:
    """Wait for a program that should succeed; return what went wrong, or None."""
    with popen:
        try:
            output = popen.communicate(timeout=_TRIAL_S)[0].decode(errors="replace").split("\n")
        except TimeoutExpired:
            return f"a test program did not finish within {_TRIAL_S:g} s"
        finally:
            popen.kill()
    if popen.returncode:
        return next(filter(None, reversed(output)), f"exit code {popen.returncode}")
    return None


def environment_variables(socket: str) -> dict[str, str]:
    """Return the environment variables that every bot gets."""
    return {
        "PATH": PATH,
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "MALLOC_ARENA_MAX": "2",
        # gRPC's own messages would drown out the bot's output.
        "GRPC_VERBOSITY": "NONE",
        SOCKET: socket,
    }

"""Setups: the cages in which attacks run, and the user who starts them.

Root tries all setups. For those of an ordinary user, it changes to an otherwise unused uid, with a
copy of our code that this user can read.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.errors import BadInput
from arena.sandbox.image.memory import memory_bases
from arena.sandbox.packages.environments import Environment, UnsuitablePython, plain_environment
from tests.escapes.attack import BUBBLEWRAP, LANDLOCK, Attack
from tests.escapes.observe import descendants
from tests.escapes.probes.lasting import STEP
from tests.escapes.probes.pairs import BITS
from tests.escapes.probes.shared import LARGE
from tests.privileges import copy_packages

_ROOT = Path(__file__).parents[2]
_SYSTEM_PYTHON = Path("/usr/bin/python3")
_FREE_UID = 1 << 29
"""Uids from here on are not assigned to users."""
_PATIENCE_S = 600
_LARGE_BYTES = BITS * STEP


class HostFailed(Exception):
    """The process that runs the attacks has failed."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A cage, and who starts it."""

    name: str
    cage: str
    as_root: bool

    @property
    def kind(self) -> str:
        """The kind of cage: bubblewrap or Landlock."""
        return LANDLOCK if self.cage == LANDLOCK else BUBBLEWRAP


CAGED_SETUPS = (
    Setup("user", "user", as_root=False),
    Setup("root", "root", as_root=True),
    Setup("landlock-root", LANDLOCK, as_root=True),
    Setup("landlock-user", LANDLOCK, as_root=False),
)
OUTSIDE = Setup("outside", "none", as_root=False)
OUTSIDE_AS_ROOT = Setup("outside as root", "none", as_root=True)
ALL_SETUPS = (OUTSIDE, *CAGED_SETUPS, OUTSIDE_AS_ROOT)


def is_root() -> bool:
    """Return whether this process may change its user."""
    return os.geteuid() == 0


def available_setups() -> list[Setup]:
    """List the setups that this user can run."""
    return [setup for setup in CAGED_SETUPS if is_root() or not setup.as_root]


def outside_setup(attack: Attack) -> Setup | None:
    """Return the setup without a cage in which an attack must succeed, if it can here."""
    if attack.untried_outside(is_root=is_root()):
        return None
    return OUTSIDE_AS_ROOT if attack.needs_root else OUTSIDE


def results_of(setup: Setup, attacks: Iterable[Attack]) -> dict[str, Any]:
    """Run attacks in a process of the right user; `cannot` says why that is impossible."""
    with _work_folder() as folder:
        secret = secrets.token_hex(16)
        try:
            command, variables = (
                _command_for_us if is_root() == setup.as_root else _command_for_user
            )(folder)
        except BadInput as error:
            return {"cannot": str(error)}
        targets = folder / "targets"
        words = [*command, "-m", "tests.escapes.host", setup.cage, targets, secret]
        words += [attack.title for attack in attacks]
        variables = {**variables, **_base_variables(folder), "ESCAPES_SECRET": secret}
        return _run_host(words, variables)


@contextmanager
def _work_folder() -> Iterator[Path]:
    # Reachable by other users, with a short path; not in /tmp, which a cage would hide.
    folder = Path(tempfile.mkdtemp(prefix="escapes-", dir="/var/tmp"))
    try:
        folder.chmod(0o755)
        (folder / "targets").mkdir(mode=0o755)
        with _memory_folder() as memory:
            (folder / "tmp").symlink_to(memory)
            yield folder
    finally:
        shutil.rmtree(folder)


@contextmanager
def _memory_folder() -> Iterator[Path]:
    """Make a folder in memory, for the files that bots see."""
    base = next(iter(memory_bases()), Path("/var/tmp"))
    folder = Path(tempfile.mkdtemp(prefix="escapes-", dir=base))
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        # What the host shared with its bots is just being removed by a separate process.
        while folder.exists():
            shutil.rmtree(folder, ignore_errors=True)


def _base_variables(folder: Path) -> dict[str, str]:
    return {
        "PATH": os.defpath,
        "HOME": str(folder / "targets" / "home"),
        "TMPDIR": str((folder / "tmp").resolve()),
        "ARENA_MEMORY": str((folder / "tmp").resolve()),
        "GRPC_VERBOSITY": "NONE",
    }


def _command_for_us(folder: Path) -> tuple[list[str], dict[str, str]]:
    for python in (None, _SYSTEM_PYTHON):
        with suppress(UnsuitablePython):
            _copy_cache(plain_environment(python=python), folder)
    return [sys.executable], {"PYTHONPATH": str(_ROOT), "ARENA_CACHE": str(folder / "cache")}


def _command_for_user(folder: Path) -> tuple[list[str], dict[str, str]]:
    """Return the command and variables for an ordinary user to run Python with our code."""
    uid = _FREE_UID + os.getpid()
    become = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--inh-caps=-all"]
    become.append("--")
    environment = _find_reachable_environment(become)
    code = folder / "code"
    for name in ("arena", "tests/escapes"):
        shutil.copytree(_ROOT / name, code / name)
    for name in ("__init__.py", "privileges.py"):
        shutil.copy(_ROOT / "tests" / name, code / "tests")
    cache = _copy_cache(environment, folder)
    for name in ("targets", "tmp", "cache"):
        _chown_tree((folder / name).resolve(), uid)
    copy_packages(code)
    variables = {"PYTHONPATH": str(code), "ARENA_CACHE": str(cache)}
    return [*become, str(environment.interpreter)], variables


def _copy_cache(environment: Environment, folder: Path) -> Path:
    """Copy the cache, to be attacked; building a new one takes longer than all attacks."""
    cache = folder / "cache"
    copy = cache / "environments" / environment.root.name
    if not copy.exists():
        shutil.copytree(environment.root, copy, symlinks=True)
        (copy / LARGE).write_bytes(os.urandom(_LARGE_BYTES))
        # Whatever the umask is.
        (copy / LARGE).chmod(0o644)
    return cache


def _find_reachable_environment(become: list[str]) -> Environment:
    """Return an environment whose Python another user can run."""
    for python in (None, _SYSTEM_PYTHON):
        environment = plain_environment(python=python)
        # It may start but not find its library.
        code = "import os, sys; os.listdir(sys.argv[1])"
        command = [*become, str(environment.interpreter), "-I", "-S", "-c", code]
        command.append(str(environment.prefix))
        if subprocess.run(command, stderr=subprocess.DEVNULL, cwd="/").returncode == 0:
            return environment
    raise BadInput("no Python on this machine can be run by an ordinary user")


def _chown_tree(folder: Path, uid: int) -> None:
    os.chown(folder, uid, uid)
    for path in folder.rglob("*"):
        os.chown(path, uid, uid, follow_symlinks=False)


def _run_host(words: list[Any], variables: dict[str, str]) -> dict[str, Any]:
    """Run a host, and clean up all its processes."""
    with subprocess.Popen(
        words,
        env=variables,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as host:
        try:
            output, errors = host.communicate(timeout=_PATIENCE_S)
        except BaseException as error:
            for pid in [*descendants(host.pid), host.pid]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                raise HostFailed(f"it did not finish within {_PATIENCE_S} s") from None
            raise
    if host.returncode:
        raise HostFailed(errors.decode(errors="replace"))
    results: dict[str, Any] = json.loads(output)
    return results

"""Who runs the attacks, and in which cage?

Root tries all the ways of starting a cage; for those of an ordinary user it becomes one that
nobody else is, with a copy of our code where that user can read it.
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
from arena.sandbox.control_group import ControlGroup
from arena.sandbox.control_groups import own_group, why_no_groups
from arena.sandbox.environments import Environment, plain_environment
from tests.escapes.attack import BUBBLEWRAP, LANDLOCK, Attack
from tests.escapes.sight import descendants

_ROOT = Path(__file__).parents[2]
_SYSTEMS_PYTHON = Path("/usr/bin/python3")
_FREE_UID = 1 << 29
"""Nobody is given uids from here on."""
_PATIENCE_S = 600
HAS_GROUP = "ESCAPES_HAS_GROUP"
"""A variable by which a host knows that it must be able to make control groups."""


class HostFailed(Exception):
    """The process that lets attacks happen has failed itself."""


@dataclass(frozen=True, slots=True)
class Way:
    """A cage, and who starts it."""

    name: str
    cage: str
    as_root: bool
    is_delegated: bool = False
    """Whether the user is given a control group; then only what may start processes is tried."""

    @property
    def kind(self) -> str:
        """Which of the two kinds of cages it is."""
        return LANDLOCK if self.cage == LANDLOCK else BUBBLEWRAP


CAGED = (
    Way("user", "user", as_root=False),
    Way("rootdrop", "rootdrop", as_root=True),
    Way("rootin", "rootin", as_root=True),
    Way("landlock-root", LANDLOCK, as_root=True),
    Way("landlock-user", LANDLOCK, as_root=False),
    Way("user with a group", "user", as_root=False, is_delegated=True),
)
OUTSIDE = Way("outside", "none", as_root=False)
OUTSIDE_AS_ROOT = Way("outside as root", "none", as_root=True)
EVERY_WAY = (OUTSIDE, *CAGED, OUTSIDE_AS_ROOT)


def is_root() -> bool:
    """Tell whether this process may become anybody."""
    return os.geteuid() == 0


def ways_here() -> list[Way]:
    """List the cages that this user can start."""
    return [way for way in CAGED if is_root() or not (way.as_root or way.is_delegated)]


def is_tried(way: Way, attack: Attack) -> bool:
    """Tell whether an attack is made in a way."""
    return not way.is_delegated or bool(attack.limits.get("processes"))


def outside_of(attack: Attack) -> Way | None:
    """Return where an attack can be seen to succeed, if it can here."""
    if attack.untried_outside(is_root=is_root()):
        return None
    return OUTSIDE_AS_ROOT if attack.needs_root else OUTSIDE


def results_of(way: Way, attacks: Iterable[Attack]) -> dict[str, Any]:
    """Let attacks happen in a process of the right user; `cannot` says why that is impossible."""
    with _a_folder() as folder:
        secret = secrets.token_hex(16)
        try:
            command, variables = (_for_us if is_root() == way.as_root else _for_a_user)(folder)
        except BadInput as error:
            return {"cannot": str(error)}
        scene = folder / "scene"
        words = [*command, "-m", "tests.escapes.host", way.cage, scene, secret]
        words += [attack.title for attack in attacks]
        variables = {**variables, **_places(folder), "ESCAPES_SECRET": secret}
        if not way.is_delegated:
            return _told(words, variables)
        if why_no_groups():
            return {"cannot": f"there are no control groups: {why_no_groups()}"}
        with _delegated_group(folder) as group:
            return _told([*group.joining(), *words], {**variables, HAS_GROUP: "1"})


@contextmanager
def _delegated_group(folder: Path) -> Iterator[ControlGroup]:
    """Make a control group and give it to the user who has a folder."""
    group = ControlGroup(own_group() / folder.name)
    uid = (folder / "scene").stat().st_uid
    try:
        for path in (group.path, group.path / "cgroup.procs"):
            os.chown(path, uid, uid)
        yield group
    finally:
        left = [path for path in group.path.iterdir() if path.is_dir()]
        for path in left:
            path.rmdir()
        group.remove(1.0)
        if left:
            raise HostFailed(f"control groups were left behind: {left}")


@contextmanager
def _a_folder() -> Iterator[Path]:
    # Other users must get there, by a short path; and a cage would cover what is in /tmp.
    folder = Path(tempfile.mkdtemp(prefix="escapes-", dir="/var/tmp"))
    try:
        folder.chmod(0o755)
        for name in ("scene", "tmp"):
            (folder / name).mkdir(mode=0o755)
        yield folder
    finally:
        shutil.rmtree(folder)


def _places(folder: Path) -> dict[str, str]:
    return {
        "PATH": os.defpath,
        "HOME": str(folder / "scene" / "home"),
        "TMPDIR": str(folder / "tmp"),
        "GRPC_VERBOSITY": "NONE",
    }


def _for_us(folder: Path) -> tuple[list[str], dict[str, str]]:
    variables = {"PYTHONPATH": str(_ROOT)}
    if not is_root():
        variables["ARENA_CACHE"] = str(_cache_with(plain_environment(), folder))
    return [sys.executable], variables


def _for_a_user(folder: Path) -> tuple[list[str], dict[str, str]]:
    """Return how an ordinary user runs Python with our code."""
    uid = _FREE_UID + os.getpid()
    become = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--inh-caps=-all"]
    become.append("--")
    environment = _reachable(become)
    code = folder / "code"
    for name in ("arena", "tests/escapes"):
        shutil.copytree(_ROOT / name, code / name)
    shutil.copy(_ROOT / "tests" / "__init__.py", code / "tests")
    cache = _cache_with(environment, folder)
    for place in ("scene", "tmp", "cache"):
        _give(folder / place, uid)
    packages = next(environment.root.glob("lib/python*/site-packages"))
    variables = {"PYTHONPATH": f"{code}:{packages}", "ARENA_CACHE": str(cache)}
    return [*become, str(environment.interpreter)], variables


def _cache_with(environment: Environment, folder: Path) -> Path:
    """Make a cache that can be attacked; making it anew takes longer than all the attacks."""
    cache = folder / "cache"
    shutil.copytree(environment.root, cache / "environments" / environment.root.name, symlinks=True)
    return cache


def _reachable(become: list[str]) -> Environment:
    """Return the environment of a Python that another user can run."""
    for python in (None, _SYSTEMS_PYTHON):
        environment = plain_environment(python=python)
        # It may start and yet not find its library.
        code = "import os, sys; os.listdir(sys.argv[1])"
        command = [*become, str(environment.interpreter), "-I", "-S", "-c", code]
        command.append(str(environment.prefix))
        if subprocess.run(command, stderr=subprocess.DEVNULL, cwd="/").returncode == 0:
            return environment
    raise BadInput("no Python of this machine can be run by an ordinary user")


def _give(folder: Path, uid: int) -> None:
    os.chown(folder, uid, uid)
    for path in folder.rglob("*"):
        os.chown(path, uid, uid, follow_symlinks=False)


def _told(words: list[Any], variables: dict[str, str]) -> dict[str, Any]:
    """Run a host, and leave nothing of it."""
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
            told, complaints = host.communicate(timeout=_PATIENCE_S)
        except BaseException as error:
            for pid in [*descendants(host.pid), host.pid]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                raise HostFailed(f"it said nothing for {_PATIENCE_S} s") from None
            raise
    if host.returncode:
        raise HostFailed(complaints.decode(errors="replace"))
    results: dict[str, Any] = json.loads(told)
    return results

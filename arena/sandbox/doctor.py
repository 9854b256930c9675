"""Find out what this machine has, and lacks, to run bots."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import suppress
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from arena.errors import PlatformError
from arena.sandbox.cage import Cage
from arena.sandbox.cages import landlock_exec
from arena.sandbox.cages.bubblewrap import BubblewrapCage
from arena.sandbox.limits.syscalls import supported_machine
from arena.sandbox.packages.cache import cache_folder
from arena.sandbox.uids import closed_folder, setpriv_command
from arena.submission.limits import Limits
from arena.wire.backend import IN_USE, PYTHON, VARIABLE

_TIMEOUT_S = 10
_NOBODY = 65534
_MIN_FREE_BYTES = 1 << 30
_SETTINGS = {
    "kernel.unprivileged_userns_clone": ("0", "1"),
    "kernel.apparmor_restrict_unprivileged_userns": ("1", "0"),
    "user.max_user_namespaces": ("0", "10000"),
}
"""Settings that can forbid user namespaces, each with the value that does and one that does not."""


class Availability(Enum):
    """Whether something is installed and recent enough."""

    OK = "ok"
    MISSING = "missing"
    OLD = "old"


class Finding(NamedTuple):
    """The result of one check."""

    subject: str
    verdict: Availability
    detail: str
    remedy: str = ""
    """The command that fixes it, if there is one."""


def cage_findings() -> list[Finding]:
    """Check what a cage needs."""
    return [
        _python(),
        # The first release that can limit the size of /tmp.
        _program("bubblewrap", "bwrap", package="bubblewrap", minimum="0.7"),
        _user_namespaces(),
        _seccomp(),
        _program("setpriv", "setpriv", package="util-linux"),
        _program("prlimit", "prlimit", package="util-linux"),
        _program("flock", "flock", package="util-linux"),
        _landlock(),
    ]


def other_findings() -> list[Finding]:
    """Check what else bots and leagues may need."""
    return [
        _pip(),
        _program("Node", "node", package="nodejs", minimum="18"),
        # The first release with STRICT tables.
        _check_release(
            "SQLite", sqlite3.sqlite_version, minimum="3.37", remedy=_apt("libsqlite3-0")
        ),
        _codec(),
        _cache(),
        _temporary_folder(),
        _cores_and_memory(),
    ]


def sealing_finding(cage: Cage | None) -> Finding:
    """Say where the files of bots are, and whether a bot may leave signs in them for later ones."""
    subject = "sealed bots"
    if not isinstance(cage, BubblewrapCage):
        return Finding(subject, Availability.MISSING, "bots see files on disks: needs bubblewrap")
    where = "; ".join(f"{name} in {folder}, {about}" for name, folder, about in cage.shared_files())
    if cage.seals:
        return Finding(subject, Availability.OK, f"files in memory: {where}")
    detail = f"bots can leave signs for later ones: {cage.why_unsealed}; {where}"
    return Finding(subject, Availability.MISSING, detail)


def is_open_to_all(path: Path) -> bool:
    """Return whether every user can reach and run a program."""
    return closed_folder(path) is None and bool(path.stat().st_mode & 0o001)


def _apt(package: str) -> str:
    return f"apt-get install {package}"


def _check_release(
    subject: str, release: str, *, minimum: str = "", remedy: str, location: str = ""
) -> Finding:
    """Check the version of something that is installed."""
    detail = f"{release or 'unknown version'}{location}"
    if _numbers(release) < _numbers(minimum):
        return Finding(subject, Availability.OLD, f"{detail}: needs {minimum} or newer", remedy)
    return Finding(subject, Availability.OK, detail)


def _numbers(release: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", release)]


def _program(subject: str, name: str, *, package: str, minimum: str = "") -> Finding:
    path = shutil.which(name)
    if path is None:
        return Finding(subject, Availability.MISSING, "not installed", _apt(package))
    result = _run(path, "--version")
    release = re.search(r"\d+(\.\d+)+", result.stdout if result else "")
    text = release[0] if release else ""
    return _check_release(
        subject, text, minimum=minimum, remedy=_apt(package), location=f", {path}"
    )


def _run(*command: str) -> subprocess.CompletedProcess[str] | None:
    """Run a program; return None if it cannot be run."""
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None


def _python() -> Finding:
    program = Path(sys.executable).resolve()
    access = "usable by every user" if is_open_to_all(program) else "not usable by other users"
    detail = f"{platform.python_version()}, {program}, {access}"
    return Finding("Python", Availability.OK, detail)


def _user_namespaces() -> Finding:
    subject = "user namespaces"
    # Root is always allowed to, so the check runs as another user.
    dropped = setpriv_command(_NOBODY) if os.geteuid() == 0 else []
    done = _run(*dropped, "unshare", "--user", "--map-root-user", "--mount", "true")
    if done is None:
        detail = "cannot be checked without setpriv and unshare"
        return Finding(subject, Availability.MISSING, detail, _apt("util-linux"))
    if done.returncode == 0:
        return Finding(subject, Availability.OK, "available to ordinary users")
    for name, (bad, good) in _SETTINGS.items():
        path = Path("/proc/sys", name.replace(".", "/"))
        if path.exists() and path.read_text().strip() == bad:
            detail = f"forbidden by {name}={bad}"
            return Finding(subject, Availability.MISSING, detail, f"sysctl -w {name}={good}")
    return Finding(subject, Availability.MISSING, done.stderr.strip())


def _seccomp() -> Finding:
    machine = supported_machine()
    if machine is None:
        detail = f"the system call filter does not support {platform.machine()}"
        return Finding("seccomp", Availability.MISSING, detail)
    if not Path("/proc/sys/kernel/seccomp").exists():
        return Finding("seccomp", Availability.MISSING, "this kernel cannot filter system calls")
    return Finding("seccomp", Availability.OK, f"a filter for {machine}")


def _landlock() -> Finding:
    found = landlock_exec.abi()
    if found == 0:
        return Finding(
            "Landlock", Availability.MISSING, "not in this kernel: needs Linux 5.13 or newer"
        )
    detail = f"version {found}"
    if found < 6:
        detail += ": version 6 (Linux 6.12) also blocks signals and abstract sockets"
        return Finding("Landlock", Availability.OLD, detail)
    return Finding("Landlock", Availability.OK, detail)


def _codec() -> Finding:
    if IN_USE is not PYTHON:
        return Finding("codec", Availability.OK, "in C")
    if os.environ.get(VARIABLE):
        return Finding("codec", Availability.OK, f"in Python, as {VARIABLE} demands")
    detail = "in Python, which is slower: the codec in C is compiled when this package is installed"
    return Finding("codec", Availability.MISSING, detail, _apt("gcc python3-dev"))


def _pip() -> Finding:
    try:
        release = version("pip")
    except PackageNotFoundError:
        remedy = f"{sys.executable} -m ensurepip"
        detail = "not installed: bots cannot have requirements"
        return Finding("pip", Availability.MISSING, detail, remedy)
    remedy = f"{sys.executable} -m pip install --upgrade pip"
    # The first release that reports what it would install.
    return _check_release("pip", release, minimum="22.2", remedy=remedy)


def _cache() -> Finding:
    try:
        folder = cache_folder()
    except PlatformError as error:
        return Finding("cache folder", Availability.MISSING, str(error))
    detail = f"{folder}, {_size(folder) >> 20} MiB"
    return _check_folder("cache folder", folder, detail, variable="ARENA_CACHE")


def _temporary_folder() -> Finding:
    subject = "temporary folder"
    try:
        folder = Path(tempfile.gettempdir())
    except FileNotFoundError:
        detail = "none is writable: set TMPDIR to a folder that is"
        return Finding(subject, Availability.MISSING, detail)
    return _check_folder(subject, folder, str(folder), variable="TMPDIR")


def _check_folder(subject: str, folder: Path, detail: str, *, variable: str) -> Finding:
    """Check a folder that must be writable."""
    if not os.access(folder, os.W_OK):
        detail += f": not writable, set {variable} to a folder that is"
        return Finding(subject, Availability.MISSING, detail)
    free = shutil.disk_usage(folder).free
    detail += f", {free / (1 << 30):.1f} GiB free"
    if free < _MIN_FREE_BYTES:
        detail += f": free {_MIN_FREE_BYTES >> 30} GiB, or set {variable} to another folder"
        return Finding(subject, Availability.MISSING, detail)
    return Finding(subject, Availability.OK, detail)


def _size(folder: Path) -> int:
    total = 0
    for path, _, files in os.walk(folder):
        for name in files:
            # Other processes may be removing files.
            with suppress(FileNotFoundError):
                total += os.lstat(os.path.join(path, name)).st_size
    return total


def _cores_and_memory() -> Finding:
    subject = "cores and memory"
    figures = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
    # MemFree would leave out memory that the kernel can reclaim at any time.
    total, free = (int(figures[name].split()[0]) >> 10 for name in ("MemTotal", "MemAvailable"))
    detail = f"{len(os.sched_getaffinity(0))} cores, {free} of {total} MiB of memory available"
    needed = Limits().memory_mib
    if free < needed:
        return Finding(subject, Availability.MISSING, f"{detail}: one bot may use {needed} MiB")
    return Finding(subject, Availability.OK, detail)

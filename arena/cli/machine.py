"""What does this machine have of all that is needed to run bots?"""

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
from arena.limits import Limits
from arena.sandbox import landlocked
from arena.sandbox.cache import cache_folder
from arena.sandbox.control_groups import own_group, why_no_groups
from arena.sandbox.syscalls import this_machine
from arena.sandbox.uids import dropping_to

_PATIENCE_S = 10
_NOBODY = 65534
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_LEAST_DISK = 1 << 30
_SETTINGS = {
    "kernel.unprivileged_userns_clone": ("0", "1"),
    "kernel.apparmor_restrict_unprivileged_userns": ("1", "0"),
    "user.max_user_namespaces": ("0", "10000"),
}
"""What forbids user namespaces: each setting with the value that does, and one that does not."""


class Verdict(Enum):
    """Whether something is there and good enough."""

    OK = "ok"
    MISSING = "missing"
    OLD = "old"


class Finding(NamedTuple):
    """One thing that was looked at."""

    subject: str
    verdict: Verdict
    detail: str
    remedy: str = ""
    """The command that helps, if there is one."""


def for_the_cage() -> list[Finding]:
    """Look at what a cage is made of."""
    return [
        _python(),
        # The first release that can limit the size of /tmp.
        _program("bubblewrap", "bwrap", package="bubblewrap", least="0.7"),
        _user_namespaces(),
        _seccomp(),
        _program("setpriv", "setpriv", package="util-linux"),
        _program("prlimit", "prlimit", package="util-linux"),
        _landlock(),
    ]


def for_the_rest() -> list[Finding]:
    """Look at what else bots and leagues may need."""
    return [
        _pip(),
        _program("Node", "node", package="nodejs", least="18"),
        _browser(),
        # The first release with STRICT tables.
        _judged("SQLite", sqlite3.sqlite_version, least="3.37", remedy=_apt("libsqlite3-0")),
        _control_groups(),
        _cache(),
        _temporary_folder(),
        _cores_and_memory(),
    ]


def is_open_to_all(path: Path) -> bool:
    """Tell whether any user at all can reach and run a program."""
    return all(each.stat().st_mode & 0o001 for each in (path, *path.parents))


def _apt(package: str) -> str:
    return f"apt-get install {package}"


def _judged(
    subject: str, release: str, *, least: str = "", remedy: str, where: str = ""
) -> Finding:
    """Judge a release of something that is there."""
    told = f"{release or 'of an unknown release'}{where}"
    if _numbers(release) < _numbers(least):
        return Finding(subject, Verdict.OLD, f"{told}: {least} or newer is needed", remedy)
    return Finding(subject, Verdict.OK, told)


def _numbers(release: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", release)]


def _program(subject: str, name: str, *, package: str, least: str = "") -> Finding:
    path = shutil.which(name)
    if path is None:
        return Finding(subject, Verdict.MISSING, "not installed", _apt(package))
    said = _run(path, "--version")
    release = re.search(r"\d+(\.\d+)+", said.stdout if said else "")
    text = release[0] if release else ""
    return _judged(subject, text, least=least, remedy=_apt(package), where=f", {path}")


def _run(*command: str) -> subprocess.CompletedProcess[str] | None:
    """Run a program; None if that cannot be done."""
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None


def _python() -> Finding:
    program = Path(sys.executable).resolve()
    reach = "every user can" if is_open_to_all(program) else "other users cannot"
    told = f"{platform.python_version()}, {program}, which {reach} reach"
    return Finding("Python", Verdict.OK, told)


def _user_namespaces() -> Finding:
    subject = "user namespaces"
    # Root is not asked whether it may, so that somebody else must try.
    dropped = dropping_to(_NOBODY) if os.geteuid() == 0 else []
    done = _run(*dropped, "unshare", "--user", "--map-root-user", "--mount", "true")
    if done is None:
        told = "cannot be tried without setpriv and unshare"
        return Finding(subject, Verdict.MISSING, told, _apt("util-linux"))
    if done.returncode == 0:
        return Finding(subject, Verdict.OK, "ordinary users can make them")
    for name, (bad, good) in _SETTINGS.items():
        path = Path("/proc/sys", name.replace(".", "/"))
        if path.exists() and path.read_text().strip() == bad:
            told = f"forbidden by {name}={bad}"
            return Finding(subject, Verdict.MISSING, told, f"sysctl -w {name}={good}")
    return Finding(subject, Verdict.MISSING, done.stderr.strip())


def _seccomp() -> Finding:
    machine = this_machine()
    if machine is None:
        told = f"the filter of system calls is not written for {platform.machine()}"
        return Finding("seccomp", Verdict.MISSING, told)
    if not Path("/proc/sys/kernel/seccomp").exists():
        return Finding("seccomp", Verdict.MISSING, "this kernel cannot filter system calls")
    return Finding("seccomp", Verdict.OK, f"a filter for {machine}")


def _landlock() -> Finding:
    found = landlocked.abi()
    if found == 0:
        return Finding("Landlock", Verdict.MISSING, "this kernel has none; from 5.13 on it can")
    told = f"version {found}"
    if found < 6:
        told += ": from 6 on (Linux 6.12) it also keeps bots from signals and abstract sockets"
        return Finding("Landlock", Verdict.OLD, told)
    return Finding("Landlock", Verdict.OK, told)


def _control_groups() -> Finding:
    subject = "control groups"
    why_not = why_no_groups()
    if why_not is None:
        told = f"for bots that may start processes, below {own_group()}"
        return Finding(subject, Verdict.OK, told)
    told = f"{why_not}; without them, bots that may start processes are watched less closely"
    return Finding(subject, Verdict.MISSING, told)


def _pip() -> Finding:
    try:
        release = version("pip")
    except PackageNotFoundError:
        remedy = f"{sys.executable} -m ensurepip"
        return Finding("pip", Verdict.MISSING, "bots cannot have requirements", remedy)
    remedy = f"{sys.executable} -m pip install --upgrade pip"
    # The first release that tells what it would install.
    return _judged("pip", release, least="22.2", remedy=remedy)


def _browser() -> Finding:
    path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if path is None:
        return Finding("browser", Verdict.MISSING, "no Chromium to test pages", _apt("chromium"))
    return Finding("browser", Verdict.OK, path)


def _cache() -> Finding:
    try:
        folder = cache_folder()
    except PlatformError as error:
        return Finding("cache folder", Verdict.MISSING, str(error))
    told = f"{folder}, {_size(folder) >> 20} MiB"
    return _folder("cache folder", folder, told, variable="ARENA_CACHE")


def _temporary_folder() -> Finding:
    subject = "temporary folder"
    try:
        folder = Path(tempfile.gettempdir())
    except FileNotFoundError:
        told = "there is none that can be written to: set TMPDIR to one that can"
        return Finding(subject, Verdict.MISSING, told)
    return _folder(subject, folder, str(folder), variable="TMPDIR")


def _folder(subject: str, folder: Path, told: str, *, variable: str) -> Finding:
    """Judge a folder that is to be written to."""
    if not os.access(folder, os.W_OK):
        told += f": it cannot be written to, set {variable} to one that can"
        return Finding(subject, Verdict.MISSING, told)
    free = shutil.disk_usage(folder).free
    told += f", {free / (1 << 30):.1f} GiB of disk free"
    if free < _LEAST_DISK:
        told += f": make {_LEAST_DISK >> 30} GiB free, or set {variable} to another folder"
        return Finding(subject, Verdict.MISSING, told)
    return Finding(subject, Verdict.OK, told)


def _size(folder: Path) -> int:
    total = 0
    for path, _, files in os.walk(folder):
        for name in files:
            # Others may be tidying up.
            with suppress(FileNotFoundError):
                total += os.lstat(os.path.join(path, name)).st_size
    return total


def _cores_and_memory() -> Finding:
    subject = "cores and memory"
    figures = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
    # What is free in the kernel's own sense leaves out what it can give back at any time.
    total, free = (int(figures[name].split()[0]) >> 10 for name in ("MemTotal", "MemAvailable"))
    told = f"{len(os.sched_getaffinity(0))} cores, {free} of {total} MiB of memory free"
    needed = Limits().memory_mib
    if free < needed:
        return Finding(subject, Verdict.MISSING, f"{told}: one bot may use {needed}")
    return Finding(subject, Verdict.OK, told)

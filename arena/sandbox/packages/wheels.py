"""Install packages without running any of their code.

pip runs in a process that cannot start another one, so that anything that would have to be built
fails. Wheels are only unpacked.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from arena.errors import ArenaError, BadInput, PlatformError
from arena.sandbox.packages.games import BrokenInstallation

MAX_BYTES = 1 << 30
"""Maximum unpacked size of one bot's packages."""
_TIMEOUT_S = 600
_POLL_S = 0.25
_NO_PROGRAM = "no program may be started"
# Only wheels are requested, but a wheel may require a source package by its URL, and pip would
# build it.
_RUN_PIP = f"""
import runpy, sys
def refuse(event, _):
    if event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork"):
        raise PermissionError("{_NO_PROGRAM}")
sys.addaudithook(refuse)
runpy.run_module("pip", run_name="__main__", alter_sys=True)
"""
_NOT_FOUND = re.compile(r"No matching distribution found for (.+?)(?: \(from .*)?$", re.MULTILINE)
_UNREACHABLE = re.compile(
    r"(?i:connection broken)|Max retries exceeded|connection error: |too many \d+ error responses"
    r"|Could not fetch URL \S+: (?:5\d\d|4(?:01|07|08|25|29)) |HTTP error \d+ while getting"
    r"|incomplete-download|Read timed out|problem confirming the ssl certificate"
)
"""Messages of pip, some only in its log, about an index that cannot be reached. An index that
answers 404 can be reached, but has no such package."""
_DISK_ERROR = re.compile(r"\[Errno (?:5|12|13|23|24|28|30|122)\] ([^:\n]+)")
"""Messages of pip about a disk that is full, read-only or failing."""
_CAUSES = re.compile(r"The conflict is caused by:\n((?:    .+\n)+)")


class BadRequirements(BadInput):
    """A bot has a requirement that cannot be met."""


def install(
    *arguments: str, folder: Path, max_bytes: int = 2 * MAX_BYTES, timeout_s: float = _TIMEOUT_S
) -> None:
    """Run `pip install` in a folder, which also holds its downloads.

    Downloads and unpacked files exist at the same time, hence twice the bytes.
    """
    output, log = folder / "output.txt", folder / "log.txt"
    with output.open("wb") as file:
        pip = subprocess.Popen(
            [*_pip(), "--log", log, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            cwd=folder,
            env={**os.environ, "TMPDIR": str(folder)},
        )
    with pip:
        try:
            _watch(pip, folder, max_bytes=max_bytes, until=time.monotonic() + timeout_s)
        finally:
            pip.kill()
    if pip.returncode != 0:
        raise _failure(_read(output), _read(log))


def _read(path: Path) -> str:
    """Read a file that pip may have written."""
    with suppress(FileNotFoundError):
        return path.read_text(encoding="utf-8", errors="replace")
    return ""


def _pip() -> list[str]:
    command = [sys.executable, "-I", "-c", _RUN_PIP, "install", "--only-binary", ":all:"]
    command += ["--progress-bar", "off", "--no-color", "--no-input"]
    command += ["--disable-pip-version-check", "--root-user-action", "ignore"]
    return command


def check_size(folder: Path, max_bytes: int = MAX_BYTES) -> None:
    """Refuse a folder that is too large."""
    total = 0
    for path, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.lstat(os.path.join(path, name)).st_size
            except FileNotFoundError:
                continue
    if total > max_bytes:
        raise BadRequirements(
            f"the required packages are larger than {max_bytes >> 20} MiB: require fewer"
        )


def _watch(pip: subprocess.Popen[bytes], folder: Path, *, max_bytes: int, until: float) -> None:
    while True:
        try:
            pip.wait(_POLL_S)
            return
        except subprocess.TimeoutExpired:
            check_size(folder, max_bytes)
        if time.monotonic() > until:
            raise PlatformError("downloading the required packages took too long: try again later")


def _failure(output: str, log: str) -> ArenaError:
    """Turn pip's output into an error, whose class depends on who is at fault."""
    if "No module named pip" in output:
        return BrokenInstallation(
            f"{sys.executable} has no pip, which is needed to install the requirements of bots: "
            f"run `{sys.executable} -m ensurepip`"
        )
    disk_error = _DISK_ERROR.search(output)
    if disk_error:
        return PlatformError(f"the required packages cannot be written: {disk_error[1]}")
    missing = _NOT_FOUND.search(output)
    if _UNREACHABLE.search(output + log):
        what = missing[1] if missing else "the required packages"
        return PlatformError(f"cannot download {what}: the package index cannot be reached")
    if missing:
        return BadRequirements(
            f"no wheel of {missing[1]} for this Python: there is no such package or version, or it "
            "exists only as source, which is not built here"
        )
    causes = _CAUSES.search(output)
    if causes:
        return BadRequirements(
            f"the requirements contradict each other: {_describe_conflict(causes[1])}"
        )
    if "DO NOT MATCH THE HASHES" in output:
        return BadRequirements(
            "a wheel differs from the locked one (SHA-256 mismatch): lock the requirements again"
        )
    if _NO_PROGRAM in output:
        return BadRequirements(
            "one of the required packages exists only as source, which is not built here"
        )
    lines = (
        re.findall(r"^ERROR: (.+)", output, re.MULTILINE) or output.splitlines() or ["no output"]
    )
    return BadRequirements(f"pip failed: {lines[-1]}")


def _describe_conflict(causes: str) -> str:
    lines = [line.strip() for line in causes.splitlines()]
    whole = "; ".join(lines).replace("The user requested (constraint)", "an installed game has")
    return whole.replace("The user requested", "the bot requires")

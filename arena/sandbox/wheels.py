"""How are packages fetched without running any code of theirs?

pip does it, in a process that cannot start another: whatever would have to be built fails. A wheel
is only unpacked.
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
from arena.sandbox.installed import BrokenInstallation

MOST_BYTES = 1 << 30
"""What the packages of one bot may take, unpacked."""
_PATIENCE_S = 600
_LOOK_S = 0.25
_NO_PROGRAM = "no program may be started"
# Only wheels are asked for, but a wheel may require a package by its address, as source: pip would
# build that.
_PIP_ALONE = f"""
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
"""What pip says, some of it in its log only, of an index that does not give what it has. One that
answers 404 is there, and has no such package."""
_REFUSED = re.compile(r"\[Errno (?:5|12|13|23|24|28|30|122)\] ([^:\n]+)")
"""What pip says of a disk that is full, read-only or failing."""
_CAUSES = re.compile(r"The conflict is caused by:\n((?:    .+\n)+)")


class BadRequirements(BadInput):
    """A bot requires something that it cannot have."""


def install(
    *arguments: str, folder: Path, most_bytes: int = 2 * MOST_BYTES, most_s: float = _PATIENCE_S
) -> None:
    """Run `pip install` in a folder, where it also keeps what it has downloaded.

    That and what is unpacked lie there at once, hence twice the bytes.
    """
    said, log = folder / "said.txt", folder / "log.txt"
    with said.open("wb") as file:
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
            _watch(pip, folder, most_bytes=most_bytes, until=time.monotonic() + most_s)
        finally:
            pip.kill()
    if pip.returncode != 0:
        raise _failure(_read(said), _read(log))


def _read(path: Path) -> str:
    """Read what pip has written, if it came to that."""
    with suppress(FileNotFoundError):
        return path.read_text(encoding="utf-8", errors="replace")
    return ""


def _pip() -> list[str]:
    command = [sys.executable, "-I", "-c", _PIP_ALONE, "install", "--only-binary", ":all:"]
    command += ["--progress-bar", "off", "--no-color", "--no-input"]
    command += ["--disable-pip-version-check", "--root-user-action", "ignore"]
    return command


def check_size(folder: Path, most_bytes: int = MOST_BYTES) -> None:
    """Refuse a folder that holds too much."""
    total = 0
    for path, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.lstat(os.path.join(path, name)).st_size
            except FileNotFoundError:
                continue
    if total > most_bytes:
        raise BadRequirements(
            f"the required packages take more than {most_bytes >> 20} MiB: require fewer"
        )


def _watch(pip: subprocess.Popen[bytes], folder: Path, *, most_bytes: int, until: float) -> None:
    while True:
        try:
            pip.wait(_LOOK_S)
            return
        except subprocess.TimeoutExpired:
            check_size(folder, most_bytes)
        if time.monotonic() > until:
            raise PlatformError("the required packages took too long to fetch: try again later")


def _failure(said: str, log: str) -> ArenaError:
    """Make one sentence of all that pip has said, and find out who is to blame."""
    if "No module named pip" in said:
        return BrokenInstallation(
            f"the requirements of bots are fetched with pip, and {sys.executable} has none: "
            f"run `{sys.executable} -m ensurepip`"
        )
    refused = _REFUSED.search(said)
    if refused:
        return PlatformError(f"the required packages cannot be written: {refused[1]}")
    missing = _NOT_FOUND.search(said)
    if _UNREACHABLE.search(said + log):
        what = missing[1] if missing else "what a bot requires"
        return PlatformError(
            f"{what} cannot be fetched, because the package index cannot be reached"
        )
    if missing:
        return BadRequirements(
            f"there is no wheel of {missing[1]} for this Python: either there is no such package "
            "or version, or it exists only as source, which is not built here"
        )
    causes = _CAUSES.search(said)
    if causes:
        return BadRequirements(f"the requirements contradict each other: {_told(causes[1])}")
    if "DO NOT MATCH THE HASHES" in said:
        return BadRequirements(
            "a wheel is not the one that was locked, its SHA-256 hash differs: lock again"
        )
    if _NO_PROGRAM in said:
        return BadRequirements(
            "one of the required packages exists only as source, which is not built here"
        )
    lines = re.findall(r"^ERROR: (.+)", said, re.MULTILINE) or said.splitlines() or ["nothing"]
    return BadRequirements(f"pip failed and said: {lines[-1]}")


def _told(causes: str) -> str:
    lines = [line.strip() for line in causes.splitlines()]
    whole = "; ".join(lines).replace("The user requested (constraint)", "the SDK has")
    return whole.replace("The user requested", "the bot requires")

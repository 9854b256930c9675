"""Attacks that read what does not belong to the bot."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from .common import Contained, facts, open_secret


def passwd() -> str:
    """Read the list of users."""
    return f"{len(Path('/etc/passwd').read_text())} bytes"


def home() -> str:
    """Read a file in a home."""
    return open_secret(Path(facts().home_file).read_text())


def existence() -> str:
    """Learn that a file exists."""
    return f"it has {os.stat(facts().home_file).st_size} bytes"


def league() -> str:
    """Read the league."""
    return open_secret(Path(facts().league_file).read_text())


def other_bot() -> str:
    """Read another bot's folder."""
    return open_secret(Path(facts().other_folder, "secret.txt").read_text())


def environ() -> str:
    """Read the referee's environment variables."""
    return open_secret(Path(f"/proc/{facts().referee}/environ").read_text())


def memory_by_proc() -> str:
    """Read another process's memory from its file in /proc."""
    with open(f"/proc/{facts().canary}/mem", "rb", buffering=0) as file:
        file.seek(facts().canary_address)
        return open_secret(file.read(len(facts().secret)).decode())


def processes() -> str:
    """List the processes of the machine."""
    found = [name for name in os.listdir("/proc") if name.isdecimal()]
    if str(facts().canary) not in found:
        raise Contained(f"{len(found)} processes, and the canary is not among them")
    return f"{len(found)} processes"


def variables() -> str:
    """Look for the secret in its environment variables."""
    return open_secret(str(os.environ))


def descriptors() -> str:
    """Look for the secret in inherited descriptors."""
    for descriptor in range(3, 1024):
        with contextlib.suppress(OSError, UnicodeDecodeError, Contained):
            return open_secret(os.pread(descriptor, 1000, 0).decode())
    raise Contained("none of them can be read")


def packages() -> str:
    """List packages that bots must not see."""
    found = []
    for folder in facts().packages:
        with contextlib.suppress(OSError):
            found += os.listdir(folder)
    if not found:
        raise Contained("there are none")
    return f"{len(found)} packages"


def referee_code() -> str:
    """Read the referee's source code."""
    return f"{len(Path(facts().referee_code).read_text())} bytes"


def link() -> str:
    """Follow a link in the bot's folder."""
    return open_secret(Path("link.txt").read_text())


def near_a_program() -> str:
    """Read a file near the bot's program, which is installed in a home."""
    return open_secret(Path(facts().program_file).read_text())

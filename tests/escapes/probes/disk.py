"""Attacks that fill a disk, or write where a bot must not."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import IO

from .common import MIB, Contained, facts, pause

_STEP = b"x" * MIB


def _write(file: IO[bytes], amount: int) -> None:
    for _ in range(amount):
        if file.write(_STEP) < MIB:
            raise Contained("it is full")


def tmp() -> str:
    """Write more than allowed to /tmp."""
    with tempfile.TemporaryFile(dir="/tmp", buffering=0) as file:
        _write(file, 10)
        pause()
        _write(file, 50)
    return "60 MiB in /tmp"


def big_file() -> str:
    """Write a sparse file larger than /tmp may be."""
    with tempfile.TemporaryFile(dir="/tmp", buffering=0) as file:
        file.truncate(256 * MIB)
        return f"a file of {os.fstat(file.fileno()).st_size // MIB} MiB"


def shared_memory() -> str:
    """Write to /dev/shm."""
    with tempfile.TemporaryFile(dir="/dev/shm", buffering=0) as file:
        _write(file, 60)
    return "60 MiB in /dev/shm"


def elsewhere() -> str:
    """Write anywhere else."""
    refusals = set()
    for folder in (".", "..", "/", "/etc", "/dev", "/run", "/run/arena", "/var/tmp", "/usr"):
        try:
            with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
                _write(file, 8)
            return f"8 MiB in {folder}"
        except OSError as error:
            refusals.add(error.strerror)
    raise Contained(", ".join(map(str, refusals)))


def inodes() -> str:
    """Create very many empty files in /tmp."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        for number in range(2000):
            Path(folder, str(number)).touch()
            if number == 300:
                pause()
    return "2000 files"


def own_code() -> str:
    """Write to its own program."""
    with open(__file__, "ab"):
        return "its own program is open for writing"


def environment() -> str:
    """Write to the packages of all bots."""
    refusals = []
    for folder in (facts().environment, "/env"):
        path = Path(folder, f"probe-{facts().secret}")
        try:
            path.touch()
        except OSError as error:
            refusals.append(str(error.strerror))
        else:
            path.unlink()
            return f"wrote to {folder}"
    raise Contained(", ".join(refusals))


def league() -> str:
    """Write to the league."""
    with open(facts().league_file, "ab") as file:
        file.write(b"x")
    return "wrote to the league"


def kernel_settings() -> str:
    """Open kernel settings for writing; nothing is written."""
    refusals = set()
    for name in ("sys/kernel/core_pattern", "sys/vm/drop_caches", "sysrq-trigger"):
        try:
            os.close(os.open(f"/proc/{name}", os.O_WRONLY))
        except OSError as error:
            refusals.add(error.strerror)
        else:
            return f"opened /proc/{name} for writing"
    raise Contained(", ".join(map(str, refusals)))


def devices() -> str:
    """Open devices; nothing is read or written."""
    opened = []
    for name in ("zero", "full", "ptmx", "fuse", "kvm", "kmsg", "mem", "net/tun", "tty"):
        try:
            os.close(os.open(f"/dev/{name}", os.O_RDONLY | os.O_NOCTTY))
        except OSError:
            continue
        opened.append(name)
    if not opened:
        raise Contained("none of them")
    return ", ".join(opened)

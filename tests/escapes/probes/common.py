"""What all probes share: facts about the targets, system calls, and errors."""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

MIB = 1 << 20
NOTICED_S = 0.7
"""The watchdog notices an excess that lasts this long, even on a busy machine."""


class Contained(Exception):
    """An attack that did not succeed."""


class Facts(NamedTuple):
    """What an attacker knows about the targets: more than a bot could find out."""

    secret: str
    """A word that is in everything that the bot must not read."""
    referee: int
    """A pid, like all numbers without another description."""
    canary: int
    canary_address: int
    """The address of the secret in its memory."""
    home_file: str
    league_file: str
    other_folder: str
    """The folder of another running bot."""
    other_socket: str
    unix_socket: str
    """A process listens on it, as on all sockets and ports below."""
    abstract_socket: str
    tcp_port: int
    udp_port: int
    environment: str
    """The folder of the bots' Python."""
    referee_code: str
    program_file: str
    """A file near a program that is installed in a home."""
    packages: list[str]
    """Folders with packages that bots must not see."""
    terminal: str
    """The referee's terminal."""
    calls: dict[str, int]
    """The numbers of system calls on this machine."""
    refused: list[str]
    """System calls that cages refuse, whatever their arguments."""
    hello: str
    """A bot's Hello message, in hexadecimal."""


@cache
def facts() -> Facts:
    """Read the facts about the targets."""
    with open("facts.json", encoding="utf-8") as file:
        return Facts(**json.load(file))


libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def check_result(result: int) -> int:
    """Return the result of a call; raise OSError if it failed."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def call(name: str, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    """Make a system call by name."""
    values = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    return check_result(libc.syscall(ctypes.c_long(facts().calls[name]), *values))


def shared_file(name: str) -> Path:
    """Return a file of the SDK, which all bots can read and none can write."""
    folders = [Path(folder) for folder in (sys.prefix, facts().environment)]
    found = (
        path for folder in folders for path in folder.glob(f"lib/*/site-packages/arena/{name}")
    )
    return next(found)


def open_secret(text: str) -> str:
    """Return a claim of success if the text contains the secret."""
    if facts().secret not in text:
        raise Contained(f"the secret is not in {text[:40]!r}")
    return "read the secret"


def until_refused(most: int, step: Callable[[], object]) -> int:
    """Repeat a step up to `most` times; return how often it succeeded."""
    for done in range(most):
        try:
            step()
        except OSError:
            return done
    return most


def pause() -> None:
    """Wait until the watchdog has noticed."""
    time.sleep(NOTICED_S)

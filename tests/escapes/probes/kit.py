"""What does every probe need: the facts of its scene, the kernel's calls, and ways to say no."""

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
"""What is over a limit for so long is noticed by whoever looks twenty times a second, when busy."""


class Contained(Exception):
    """An attack that did not get what it was after."""


class Facts(NamedTuple):
    """What an attacker knows of the scene: more than a bot could find out."""

    secret: str
    """A word that is in everything that is not the bot's to read."""
    referee: int
    """A process, as are all numbers that are not said to be something else."""
    canary: int
    canary_address: int
    """Where in its memory the secret is."""
    canary_descriptor: int
    """Which of its descriptors the secret can be read from."""
    home_file: str
    league_file: str
    other_folder: str
    """The folder of another bot that runs."""
    other_socket: str
    unix_socket: str
    """Somebody listens there, as everywhere below."""
    abstract_socket: str
    tcp_port: int
    tcp6_port: int
    udp_port: int
    environment: str
    """The folder of the Python that bots get."""
    referees_code: str
    program_file: str
    """Near a program that is installed in a home."""
    packages: list[str]
    """Folders of packages that are not for bots."""
    terminal: str
    """The referee's."""
    calls: dict[str, int]
    """The numbers of the kernel's calls on this machine."""
    refused: list[str]
    """Those that are refused in a cage, whatever their arguments."""
    hello: str
    """What a bot says first, in hexadecimal."""


@cache
def facts() -> Facts:
    """Read what the scene has written down."""
    with open("facts.json", encoding="utf-8") as file:
        return Facts(**json.load(file))


libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def checked(result: int) -> int:
    """Return what a call has returned, unless it has failed."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def call(name: str, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    """Make a call of the kernel by its name."""
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    return checked(libc.syscall(ctypes.c_long(facts().calls[name]), *words))


def shared_file(name: str) -> Path:
    """Return a file of the SDK, which all bots see and none can write to."""
    places = [Path(folder) for folder in (sys.prefix, facts().environment)]
    found = (path for place in places for path in place.glob(f"lib/*/site-packages/arena/{name}"))
    return next(found)


def open_secret(text: str) -> str:
    """Claim that something was read, if it was the secret."""
    if facts().secret not in text:
        raise Contained(f"the secret is not in {text[:40]!r}")
    return "read the secret"


def until_refused(most: int, step: Callable[[], object]) -> int:
    """Repeat a step so often at most; return how often it was done before it failed."""
    for done in range(most):
        try:
            step()
        except OSError:
            return done
    return most


def pause() -> None:
    """Wait until one is noticed."""
    time.sleep(NOTICED_S)

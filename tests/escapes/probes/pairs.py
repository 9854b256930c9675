"""One of two bots in two cages that try to reach each other through something that both see.

The host tells each of them over its own socket what to do, as a referee would. It sets the moments
at which one sends and the other receives, but never passes on what is sent.
"""

from __future__ import annotations

import os
import socket
from typing import NoReturn

from .common import Contained

BITS = 16
"""How many bits the host gives to a sender."""


class Channel:
    """A channel that passes one bit at a time, by these four steps in this order."""

    def prepare(self) -> None:
        """Prepare to receive."""

    def send(self, bit: bool) -> None:
        """Send."""
        raise NotImplementedError

    def receive(self) -> bool:
        """Return what was received."""
        raise NotImplementedError

    def reset(self) -> None:
        """Undo what was done to send."""


def take_part(channel: Channel) -> NoReturn:
    """Do what the host says until it closes the connection; report errors to the host."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.environ["ARENA_SOCKET"])
        with connection.makefile("rw", encoding="utf-8") as lines:
            for line in lines:
                try:
                    answer = _obey(channel, *line.split())
                except (Contained, OSError) as error:
                    answer = f"refused: {error or type(error).__name__}"
                print(answer, file=lines, flush=True)
    raise Contained("the host has closed the connection")


def _obey(channel: Channel, order: str, number: str = "0") -> str:
    match order:
        case "prepare":
            channel.prepare()
        case "send":
            channel.send(number == "1")
        case "receive":
            return str(int(channel.receive()))
        case "reset":
            channel.reset()
    return "done"

"""One of two bots that try to reach each other, in two cages, through something that both see.

The host tells each of them over its own socket what to do, as a referee would: it gives the moments
at which one speaks and the other listens, but never what is said.
"""

from __future__ import annotations

import os
import socket
from typing import NoReturn

from .kit import Contained


class Channel:
    """A way to pass one bit at a time; each bit takes the four steps once, in this order."""

    partner = 0
    """The process of the other bot, as the host numbers it."""

    def listen(self) -> None:
        """Prepare to receive."""

    def say(self, bit: bool) -> None:
        """Send."""
        raise NotImplementedError

    def hear(self) -> bool:
        """Return what was received."""
        raise NotImplementedError

    def rest(self) -> None:
        """Undo what was done to send."""


def take_part(channel: Channel) -> NoReturn:
    """Do what the host says, until it hangs up; an error is told to the host, which judges."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.environ["ARENA_SOCKET"])
        with connection.makefile("rw", encoding="utf-8") as lines:
            for line in lines:
                try:
                    answer = _obey(channel, *line.split())
                except (Contained, OSError) as error:
                    answer = f"refused: {error or type(error).__name__}"
                print(answer, file=lines, flush=True)
    raise Contained("the host has hung up")


def _obey(channel: Channel, order: str, number: str = "0") -> str:
    match order:
        case "listen":
            channel.partner = int(number)
            channel.listen()
        case "say":
            channel.say(number == "1")
        case "hear":
            return str(int(channel.hear()))
        case "rest":
            channel.rest()
    return "done"

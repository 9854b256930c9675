"""The interface of a player."""

from __future__ import annotations

from abc import ABC, abstractmethod

from arena.records import Entrant
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage
from arena.referee.observing import Observer


class Player(ABC):
    """A player that can sit at many tables at once."""

    entrant: Entrant
    observer: Observer | None = None
    """Called after every decision in a match of the player; None for those who only decide."""

    @abstractmethod
    async def play(self, mailbox: Mailbox) -> Breakage:
        """Answer the requests of a mailbox until cancelled or broken, then clean up.

        After a breakage `play` is called again when there is more to play.
        """

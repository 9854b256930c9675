"""The interface of a player."""

from __future__ import annotations

from abc import ABC, abstractmethod

from arena.records import Entrant
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage


class Player(ABC):
    """A player that can sit at many tables at once."""

    entrant: Entrant

    @abstractmethod
    async def play(self, mailbox: Mailbox) -> Breakage:
        """Answer the requests of a mailbox until cancelled or broken, then clean up.

        After a breakage `play` is called again when there is more to play.
        """

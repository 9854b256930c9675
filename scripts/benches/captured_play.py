"""Play matches between caged bots, and keep every message that the referee sends.

Keeping them costs memory and time, so nothing is measured meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from remote_play import CLOCK, WARM_UP, fixtures, play_remotely

from arena.games.registry import AnyGame
from arena.indices import Seat
from arena.records import Entrant, Record
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage, Ended, MatchInPlay, PendingDecision
from arena.referee.players.encode import encode_batch
from arena.referee.players.remote import RemotePlayer
from arena.sandbox.bot_process import Launch
from arena.sandbox.select import AUTO, select_cage


class Sent(NamedTuple):
    """The content of one message to a bot."""

    bot: str
    starts: Sequence[tuple[MatchInPlay, Seat]]
    requests: Sequence[PendingDecision]
    ends: Sequence[Ended]

    def encode(self) -> bytes:
        """Encode the message, as the referee does."""
        return encode_batch(
            self.starts, self.requests, self.ends, clock=CLOCK, wants_legal_actions=False
        )


class CapturedPlay(NamedTuple):
    """All messages of a run, in their order, and the records of its matches."""

    game: AnyGame
    sent: list[Sent]
    records: list[Record]

    @property
    def decisions(self) -> int:
        """The number of decisions that bots were asked for."""
        return sum(len(each.requests) for each in self.sent)

    def encode_all(self) -> list[bytes]:
        """Encode all messages; every event is encoded again."""
        for each in self.sent:
            for match, _ in each.starts:
                match.encoded_events = []
        return [each.encode() for each in self.sent]


class CapturingPlayer(RemotePlayer):
    """A bot whose messages are kept."""

    def __init__(self, entrant: Entrant, launch: Launch, sent: list[Sent]) -> None:
        """Add the messages to `sent`."""
        super().__init__(entrant, launch)
        self._sent = sent

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Play, and keep what is taken from the mailbox."""
        take_all = mailbox.take_all

        def take_and_keep() -> tuple[
            list[tuple[MatchInPlay, Seat]], list[PendingDecision], list[Ended]
        ]:
            taken = take_all()
            self._sent.append(Sent(self.entrant.name, *taken))
            return taken

        # The mailbox belongs to the referee, which has no other place to look at its messages.
        mailbox.take_all = take_and_keep  # type: ignore[method-assign]
        return await super().play(mailbox)


def capture(game: AnyGame, count: int, tables: int) -> CapturedPlay:
    """Play `count` matches; leave out the matches that warm the bots up."""
    sent: list[Sent] = []
    run = asyncio.run(
        play_remotely(
            fixtures(game, count),
            tables,
            select_cage(AUTO),
            make_player=lambda entrant, launch: CapturingPlayer(entrant, launch, sent),
        )
    )
    counted = [_without_warm_up(each) for each in sent]
    return CapturedPlay(game, [each for each in counted if any(each[1:])], run.records)


def _without_warm_up(sent: Sent) -> Sent:
    return Sent(
        sent.bot,
        [each for each in sent.starts if each[0].fixture.number >= WARM_UP],
        [each for each in sent.requests if each.match.fixture.number >= WARM_UP],
        [each for each in sent.ends if each.match.fixture.number >= WARM_UP],
    )

"""A bot cannot tell a check from an event."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.checks.run import check_bot
from arena.games.randomness import seed_from
from arena.records import Entrant
from arena.referee.clock import EVENT_CLOCK, read_clock
from arena.referee.players.remote import RemotePlayer
from arena.tournament.spec import DEFAULT_CLOCK, Kind, Spec
from arena.wire.v1.match_pb2 import FromBot, FromReferee, Hello, MatchStart
from tests.builders.bots import HONEST
from tests.builders.matches import make_fixtures, play_fixtures, random_player
from tests.check.test_check import passed
from tests.referee.fake_bots import FakeBot

GAMES = ["meow", "jackal"]


class Listener(FakeBot):
    """A bot that records the starts of its matches; each launch counts as a process."""

    def __init__(self) -> None:
        super().__init__()
        self.starts: list[list[MatchStart]] = []
        """By process."""

    def launch(self, socket: Path, on_exit: Callable[[], None]) -> FakeBot:
        """Connect, as a new process."""
        self.starts.append([])
        return super().launch(socket, on_exit)

    async def converse(self, call: Any) -> None:
        """Send Hello with two games, then play."""
        games = Hello(protocol=1, games=GAMES, wants_legal_actions=True)
        await call.write(FromBot(hello=games).SerializeToString())
        starts = self.starts[-1]
        while (received := await call.read()) and isinstance(received, bytes):
            message = FromReferee.FromString(received)
            starts += message.starts
            await self.answer(call, message)
            self.end_after_goodbye(message)


def match_starts_in_a_check() -> list[list[MatchStart]]:
    """Check a bot; return the match starts that each of its processes received."""
    listener = Listener()
    assert passed(
        check_bot(str(HONEST), seed_from(0), launcher=lambda bot: listener.launch, tables=4)
    )
    return [starts for starts in listener.starts if starts]


def match_starts_in_an_event() -> list[MatchStart]:
    """Play a few matches as in an event; return the match starts that a bot received."""
    listener = Listener()
    players = [RemotePlayer(Entrant("bot"), listener.launch), random_player("random")]
    play_fixtures(
        players, make_fixtures(4, 2), tables=4, clock=read_clock(Spec(Kind.SWISS, "meow").clock)
    )
    (starts,) = listener.starts
    return starts


@pytest.fixture(scope="module")
def processes() -> list[list[MatchStart]]:
    """Return the match starts that each process received in a check."""
    return match_starts_in_a_check()


def test_a_check_uses_the_clock_of_an_event(processes: list[list[MatchStart]]) -> None:
    assert read_clock(DEFAULT_CLOCK) == EVENT_CLOCK
    (usual,) = {start.clock.SerializeToString() for start in match_starts_in_an_event()}
    clocks = {start.clock.SerializeToString() for starts in processes for start in starts}
    assert clocks == {usual}


def test_a_process_in_a_check_plays_one_game_and_variant_as_in_an_event(
    processes: list[list[MatchStart]],
) -> None:
    usual = {field.name for start in match_starts_in_an_event() for field, _ in start.ListFields()}
    for starts in processes:
        assert {field.name for start in starts for field, _ in start.ListFields()} <= {
            *usual,
            "seat",
        }
        assert len({(start.game, start.parameters.SerializeToString()) for start in starts}) == 1
        assert [start.match for start in starts] == list(range(1, len(starts) + 1))

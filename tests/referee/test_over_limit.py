"""Exceeding a limit is distinguished from crashing and from hanging up."""

from __future__ import annotations

from typing import Any

import pytest

from arena.records import Entrant, Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.players.player import Player
from arena.referee.players.remote import RemotePlayer
from arena.wire.v1.match_pb2 import FromReferee
from tests.builders.matches import make_fixtures, play_fixtures, random_player
from tests.referee.fake_bots import FakeBot

pytestmark = pytest.mark.usefixtures("short_crash_window")
CLOCK = Clock(30.0, 5.0)


class Greedy(FakeBot):
    """Ends or hangs up, at a request or before Hello; it may have exceeded a limit."""

    def __init__(self, end: str, *, at: int, over: str | None) -> None:
        super().__init__()
        self._end = end
        self._answers = at
        self._over = over
        self.matches = 0

    def over_limit(self) -> str | None:
        """Return the limit that it exceeded."""
        return self._over

    def describe_exit(self) -> str:
        """Return how it ended."""
        return "was ended by SIGKILL"

    def add_matches(self, count: int) -> None:
        """Count the matches."""
        self.matches += count

    async def converse(self, call: Any) -> None:
        """Send and receive messages, or end before Hello."""
        if self._answers < 0:
            self.on_exit()
        else:
            await super().converse(call)

    async def answer(self, call: Any, message: FromReferee) -> None:
        """Answer, or end."""
        if message.requests and self._answers == 0:
            if self._end == "ends":
                self.on_exit()
            call.cancel()
        self._answers -= bool(message.requests)
        await super().answer(call, message)


def play_against_random(greedy: Greedy) -> Record:
    """Play one match against a random player."""
    players: list[Player] = [RemotePlayer(Entrant("greedy"), greedy.launch), random_player("a")]
    (record,) = play_fixtures(players, make_fixtures(1, 2), tables=1, clock=CLOCK)
    return record


@pytest.mark.parametrize("end", ["ends", "hangs up"])
@pytest.mark.parametrize("at", [-1, 0, 3])
def test_a_fault_names_the_limit_that_was_exceeded_and_the_figures(end: str, at: int) -> None:
    record = play_against_random(Greedy(end, at=at, over="memory 731 MiB of 512"))
    (fault,) = record.faults
    assert fault.ending is SeatEnding.OVER_LIMIT
    assert fault.sentence == "it exceeded a limit: memory 731 MiB of 512"
    assert record.places[0] == 2


@pytest.mark.parametrize(
    ("end", "ending"), [("ends", SeatEnding.CRASHED), ("hangs up", SeatEnding.HUNG_UP)]
)
def test_a_bot_within_its_limits_crashes_or_hangs_up(end: str, ending: SeatEnding) -> None:
    assert play_against_random(Greedy(end, at=3, over=None)).ending_of(0) is ending


@pytest.mark.parametrize("tables", [1, 3])
def test_a_process_counts_the_matches_that_it_starts(tables: int) -> None:
    greedy = Greedy("never", at=10**6, over=None)
    players: list[Player] = [RemotePlayer(Entrant("greedy"), greedy.launch), random_player("a")]
    play_fixtures(players, make_fixtures(3, 2), tables=tables, clock=CLOCK)
    assert greedy.matches == 3

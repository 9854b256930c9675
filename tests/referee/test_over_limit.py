"""Is going over a limit told from crashing and from hanging up?"""

from __future__ import annotations

from typing import Any

import pytest

from arena.records import Entrant, Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.desk import Player
from arena.referee.players.remote import RemotePlayer
from arena.wire.v1.match_pb2 import FromReferee
from tests.referee.actors import Actor
from tests.referee.matches import anybody, fixtures, played

CLOCK = Clock(30.0, 5.0)


class Greedy(Actor):
    """Ends, or hangs up, at some request or before its hello; it may have gone over a limit."""

    def __init__(self, end: str, *, at: int, over: str | None) -> None:
        super().__init__()
        self._end = end
        self._answers = at
        self._over = over
        self.matches = 0

    def over_limit(self) -> str | None:
        """Say which limit it was."""
        return self._over

    def how_it_ended(self) -> str:
        """Say how it was ended."""
        return "was ended by SIGKILL"

    def began(self, matches: int) -> None:
        """Count the matches."""
        self.matches += matches

    async def converse(self, call: Any) -> None:
        """Talk, if it comes to that."""
        if self._answers < 0:
            self.on_exit()
        else:
            await super().converse(call)

    async def answer(self, call: Any, message: FromReferee) -> None:
        """Answer, or come to an end."""
        if message.requests and self._answers == 0:
            if self._end == "ends":
                self.on_exit()
            call.cancel()
        self._answers -= bool(message.requests)
        await super().answer(call, message)


def against(greedy: Greedy) -> Record:
    """Play one match against somebody at random."""
    players: list[Player] = [RemotePlayer(Entrant("greedy"), greedy.launch), anybody("a")]
    (record,) = played(players, fixtures(1, 2), tables=1, clock=CLOCK)
    return record


@pytest.mark.parametrize("end", ["ends", "hangs up"])
@pytest.mark.parametrize("at", [-1, 0, 3])
def test_a_bot_over_a_limit_is_told_which_and_by_how_much(end: str, at: int) -> None:
    record = against(Greedy(end, at=at, over="memory 731 MiB of 512"))
    (fault,) = record.faults
    assert fault.ending is SeatEnding.OVER_LIMIT
    assert fault.sentence == "it went over a limit: memory 731 MiB of 512"
    assert record.places[0] == 2


@pytest.mark.parametrize(
    ("end", "ending"), [("ends", SeatEnding.CRASHED), ("hangs up", SeatEnding.HUNG_UP)]
)
def test_a_bot_within_its_limits_crashes_or_hangs_up(end: str, ending: SeatEnding) -> None:
    assert against(Greedy(end, at=3, over=None)).ending_of(0) is ending


@pytest.mark.parametrize("tables", [1, 3])
def test_a_process_is_told_how_many_matches_it_sits_down_to(tables: int) -> None:
    greedy = Greedy("never", at=10**6, over=None)
    players: list[Player] = [RemotePlayer(Entrant("greedy"), greedy.launch), anybody("a")]
    played(players, fixtures(3, 2), tables=tables, clock=CLOCK)
    assert greedy.matches == 3

"""Can a bot tell whether it is being checked, or plays in an event?"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.events.spec import DEFAULT_CLOCK, Kind, Spec
from arena.games.randomness import seed_from
from arena.records import Entrant
from arena.referee.checking.check import check
from arena.referee.checking.steps import passed
from arena.referee.clock import EVENT_CLOCK, read_clock
from arena.referee.players.remote import RemotePlayer
from arena.wire.v1.match_pb2 import FromBot, FromReferee, Hello, MatchStart
from tests.referee.actors import Actor
from tests.referee.matches import anybody, fixtures, played

GAMES = ["meow", "jackal"]


class Listener(Actor):
    """A bot that remembers how its matches began; each launch of it is a process."""

    def __init__(self) -> None:
        super().__init__()
        self.starts: list[list[MatchStart]] = []
        """By process."""

    def launch(self, socket: Path, on_exit: Callable[[], None]) -> Actor:
        """Begin to talk."""
        self.starts.append([])
        return super().launch(socket, on_exit)

    async def converse(self, call: Any) -> None:
        """Say hello as one that plays two games, and play."""
        games = Hello(protocol=1, games=GAMES, wants_legal_actions=True)
        await call.write(FromBot(hello=games).SerializeToString())
        starts = self.starts[-1]
        while (heard := await call.read()) and isinstance(heard, bytes):
            message = FromReferee.FromString(heard)
            starts += message.starts
            await self.answer(call, message)


def heard_in_a_check() -> list[list[MatchStart]]:
    """Check a bot, and return what each of its processes was told."""
    listener = Listener()
    word = str(Path(__file__).parents[1] / "rogues" / "honest.py")
    assert passed(check(word, seed_from(0), launcher=lambda bot: listener.launch, tables=4))
    return [starts for starts in listener.starts if starts]


def heard_in_an_event() -> list[MatchStart]:
    """Play a few matches as an event has them, and return what a bot was told."""
    listener = Listener()
    players = [RemotePlayer(Entrant("bot"), listener.launch), anybody("random")]
    played(players, fixtures(4, 2), tables=4, clock=read_clock(Spec(Kind.SWISS, "meow").clock))
    (starts,) = listener.starts
    return starts


@pytest.fixture(scope="module")
def processes() -> list[list[MatchStart]]:
    """Give what the processes of a bot were told when it was checked."""
    return heard_in_a_check()


def test_a_check_is_played_by_the_clock_of_an_event(processes: list[list[MatchStart]]) -> None:
    assert read_clock(DEFAULT_CLOCK) == EVENT_CLOCK
    (usual,) = {start.clock.SerializeToString() for start in heard_in_an_event()}
    told = {start.clock.SerializeToString() for starts in processes for start in starts}
    assert told == {usual}


def test_a_process_in_a_check_has_matches_of_one_kind_as_in_an_event(
    processes: list[list[MatchStart]],
) -> None:
    usual = {field.name for start in heard_in_an_event() for field, _ in start.ListFields()}
    for starts in processes:
        assert {field.name for start in starts for field, _ in start.ListFields()} <= {
            *usual,
            "seat",
        }
        assert len({(start.game, start.parameters.SerializeToString()) for start in starts}) == 1
        assert [start.match for start in starts] == list(range(1, len(starts) + 1))

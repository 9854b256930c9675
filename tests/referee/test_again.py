"""Is a player who is asked again asked the same?"""

from __future__ import annotations

import asyncio

import pytest

from arena.games.randomness import Seed, seed_from
from arena.games.registry import GAME_IDS, AnyGame, game_named
from arena.records import Entrant, Fault, How, Record, SeatEnding
from arena.referee.again import Repetition, Reply, play_again
from arena.referee.clock import DEFAULT_CLOCK
from arena.referee.players.local import Choose, LocalPlayer, Sit, at_random
from arena.referee.table import Request
from tests.referee.matches import fixtures, played

SEATS = 3


def recorded(game_id: str, *, first: Sit = at_random) -> Record:
    """Play a match at random, but for the player in seat 0."""
    players = [LocalPlayer(Entrant("a"), first if seat == 0 else at_random) for seat in range(3)]
    (record,) = played(players, fixtures(1, SEATS, game_id), tables=1, clock=DEFAULT_CLOCK)
    return record


def again(record: Record, seat: int, sit: Sit) -> Repetition:
    """Ask a player again."""
    return asyncio.run(play_again(record, seat, LocalPlayer(Entrant("b"), sit)))


def replies(record: Record, seat: int) -> tuple[Reply, ...]:
    """Return what was answered in a match."""
    return tuple(
        Reply(number, decision.action, decision.action)
        for number, decision in enumerate(record.decisions)
        if decision.seat == seat and decision.how is How.CHOSEN
    )


def cheating(after: int) -> Sit:
    """Make a way to play at random but for one decision."""

    def sit(game: AnyGame, seed: Seed) -> Choose:
        choose = at_random(game, seed)
        return lambda request: 10**6 if request.number == after else choose(request)

    return sit


@pytest.mark.parametrize("seat", range(SEATS))
@pytest.mark.parametrize("game_id", GAME_IDS)
def test_who_plays_by_the_same_seed_answers_the_same(game_id: str, seat: int) -> None:
    record = recorded(game_id)
    assert again(record, seat, at_random) == Repetition(replies(record, seat))


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_answers_are_compared_and_not_played(game_id: str) -> None:
    record = recorded(game_id)
    views = []

    def watching(choose: Choose) -> Choose:
        def watch(request: Request) -> int:
            views.append((request.view, *request.events))
            return choose(request)

        return watch

    again(record, 0, lambda game, seed: watching(at_random(game, seed)))
    then, views = views, []
    again(record, 0, lambda game, seed: watching(at_random(game, seed_from(99))))
    assert views == then


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_it_goes_up_to_the_fault(game_id: str) -> None:
    record = recorded(game_id, first=cheating(after=2))
    once_more = again(record, 0, cheating(after=2))
    assert isinstance(once_more.fault, Fault)
    assert once_more.fault.ending is SeatEnding.ILLEGAL_ACTION
    assert once_more.fault.sentence == record.faults[0].sentence
    assert once_more.replies == replies(record, 0)
    mended = again(record, 0, at_random)
    assert mended.fault is None
    assert mended.replies == once_more.replies
    assert mended.instead in range(game_named(game_id).action_count)


def test_others_who_faulted_fault_again() -> None:
    record = recorded("meow", first=cheating(after=2))
    assert again(record, 1, at_random) == Repetition(replies(record, 1))

"""Reproducing a match repeats the recorded requests exactly."""

from __future__ import annotations

import asyncio

import pytest

from arena.games.randomness import Seed, seed_from
from arena.games.registry import GAME_IDS, AnyGame, game_named
from arena.indices import Seat
from arena.records import Entrant, Fault, How, Record, SeatEnding
from arena.referee.clock import DEFAULT_CLOCK
from arena.referee.players.local import Chooser, LocalPlayer, MakeChooser, random_chooser
from arena.referee.reproduce import Reply, Reproduction, reproduce
from arena.referee.table import DecisionRequest
from tests.builders.matches import make_fixtures, play_fixtures

SEATS = 3


def play_recorded(game_id: str, *, first: MakeChooser = random_chooser) -> Record:
    """Play a match with random players, except in seat 0."""
    players = [
        LocalPlayer(Entrant("a"), first if seat == 0 else random_chooser) for seat in range(3)
    ]
    (record,) = play_fixtures(
        players, make_fixtures(1, SEATS, game_id), tables=1, clock=DEFAULT_CLOCK
    )
    return record


def reproduce_with(record: Record, seat: int, make_chooser: MakeChooser) -> Reproduction:
    """Repeat the requests to a player."""
    return asyncio.run(reproduce(record, Seat(seat), LocalPlayer(Entrant("b"), make_chooser)))


def replies(record: Record, seat: int) -> tuple[Reply, ...]:
    """Return the answers of a match."""
    return tuple(
        Reply(number, decision.action, decision.action)
        for number, decision in enumerate(record.decisions)
        if decision.seat == seat and decision.how is How.CHOSEN
    )


def illegal_at(after: int) -> MakeChooser:
    """Return a random chooser that differs in one decision."""

    def make_chooser(game: AnyGame, seed: Seed) -> Chooser:
        choose = random_chooser(game, seed)
        return lambda request: 10**6 if request.number == after else choose(request)

    return make_chooser


@pytest.mark.parametrize("seat", range(SEATS))
@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_player_with_the_same_seed_gives_the_same_answers(game_id: str, seat: int) -> None:
    record = play_recorded(game_id)
    assert reproduce_with(record, seat, random_chooser) == Reproduction(replies(record, seat))


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_requests_do_not_depend_on_the_new_answers(game_id: str) -> None:
    record = play_recorded(game_id)
    views = []

    def watching(choose: Chooser) -> Chooser:
        def watch(request: DecisionRequest) -> int:
            views.append((request.view, *request.events))
            return choose(request)

        return watch

    reproduce_with(record, 0, lambda game, seed: watching(random_chooser(game, seed)))
    then, views = views, []
    reproduce_with(record, 0, lambda game, seed: watching(random_chooser(game, seed_from(99))))
    assert views == then


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_requests_are_repeated_up_to_the_fault(game_id: str) -> None:
    record = play_recorded(game_id, first=illegal_at(after=2))
    repeated = reproduce_with(record, 0, illegal_at(after=2))
    assert isinstance(repeated.fault, Fault)
    assert repeated.fault.ending is SeatEnding.ILLEGAL_ACTION
    assert repeated.fault.sentence == record.faults[0].sentence
    assert repeated.replies == replies(record, 0)
    fixed = reproduce_with(record, 0, random_chooser)
    assert fixed.fault is None
    assert fixed.replies == repeated.replies
    assert fixed.instead in range(game_named(game_id).action_count)


def test_faults_of_other_seats_are_repeated() -> None:
    record = play_recorded("meow", first=illegal_at(after=2))
    assert reproduce_with(record, 1, random_chooser) == Reproduction(replies(record, 1))

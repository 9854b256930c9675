"""A player who watches sees every step of a match as its seat does, and no more."""

from __future__ import annotations

import asyncio
from random import Random

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.conformance import Setting
from arena.games.randomness import seed_from
from arena.indices import PlayerIndex, Seat
from arena.records import Entrant, Fault, Record, SeatEnding, replay_record
from arena.referee.clock import NO_CLOCK
from arena.referee.model import Fixture
from arena.referee.observing import Observation
from arena.referee.players.local import LocalPlayer, random_chooser
from arena.referee.referee import Referee
from arena.referee.table import Answer, DecisionRequest, table
from tests.builders.records import drive, setting_of
from tests.builders.settings import SETTINGS

settings = st.sampled_from(SETTINGS)
seeds = st.integers(0, 10_000)
few = hypothesis.settings(max_examples=6)


def observe_match(setting: Setting, seed: int, seat: Seat) -> tuple[list[Observation], Record]:
    """Play a match in which seat 1 faults at its third decision; return what a seat observed."""
    seen: list[Observation] = []
    rng = Random(seed)

    def answer(asked: DecisionRequest) -> Answer | Fault:
        if asked.seat == 1 and asked.number == 2:
            return Fault(Seat(1), SeatEnding.CRASHED, "it crashed")
        return Answer(rng.choice(setting.game.legal_actions(asked.view)))

    entrants = [Entrant(f"bot-{number}") for number in range(setting.seats)]
    match = table(
        setting.game,
        seed_from(seed),
        setting.parameters,
        entrants,
        observers={seat: seen.append},
    )
    finished, _ = drive(match, answer)
    return seen, finished.record


@few
@given(settings, seeds, st.data())
def test_an_observer_gets_the_view_of_its_seat_at_every_step_and_every_event_once(
    setting: Setting, seed: int, draw: st.DataObject
) -> None:
    seat = Seat(draw.draw(st.integers(0, setting.seats - 1)))
    seen, record = observe_match(setting, seed, seat)
    events: list[object] = []
    for observation, (decision, state) in zip(seen, replay_record(record), strict=True):
        assert observation.view == setting.game.view_of(state, seat)
        assert observation.actor == (decision.seat if decision else None)
        events += observation.events
        assert events == state.events


@few
@given(settings, seeds)
def test_an_observer_learns_no_choice_but_its_own(setting: Setting, seed: int) -> None:
    seen, record = observe_match(setting, seed, Seat(0))
    for observation, decision in zip(seen[1:], record.decisions, strict=True):
        assert observation.decision == (decision if decision.seat == 0 else None)


@pytest.mark.parametrize("seat", [0, 2])
def test_the_referee_lets_a_player_watch_that_wants_to(seat: int) -> None:
    setting = setting_of("meow", 3)
    players = [LocalPlayer(Entrant(f"bot-{each}"), random_chooser) for each in range(3)]
    seen: list[Observation] = []
    players[seat].observer = seen.append
    seating = tuple(map(PlayerIndex, range(3)))
    fixture = Fixture(0, setting.game, setting.parameters, seed_from(5), seating)

    async def play() -> Record:
        referee = Referee(players, NO_CLOCK)
        records = [record async for _, record in referee.play([fixture], tables=1)]
        return records[0]

    record = asyncio.run(play())
    assert len(seen) == len(record.decisions) + 1
    assert {observation.view.seat for observation in seen} == {seat}

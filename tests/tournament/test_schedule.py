"""The rounds of a schedule are planned on demand, from any round on."""

from __future__ import annotations

import pytest

from arena.games.randomness import seed_from
from arena.tournament.schedule import PlannedRound, RoundsSoFar, Schedule, schedule_of
from arena.tournament.spec import Kind, Spec


def schedule(entrants: int, **limits: int) -> Schedule:
    """Plan a round-robin at tables of three."""
    spec = Spec(Kind.ROUND_ROBIN, "meow", seats=3, **limits)  # type: ignore[arg-type]
    return schedule_of(spec, entrants, seed_from(1))


def plan_round(from_schedule: Schedule, number: int) -> PlannedRound | None:
    """Return a round of a schedule that does not depend on results."""
    return from_schedule.round(number, RoundsSoFar())


def test_a_long_schedule_is_planned_only_on_demand() -> None:
    long = schedule(1000, rounds=1_000_000)
    assert long.rounds == 1_000_000


@pytest.mark.parametrize("limits", [{}, {"rounds": 9}, {"matches": 17}], ids=str)
def test_an_event_can_be_resumed_at_any_round(limits: dict[str, int]) -> None:
    whole = schedule(7, **limits)
    rounds = [plan_round(whole, number) for number in range(1, whole.rounds + 1)]
    assert None not in rounds
    assert plan_round(whole, whole.rounds + 1) is None
    for number, one in enumerate(rounds, start=1):
        assert plan_round(schedule(7, **limits), number) == one

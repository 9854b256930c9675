"""Are an event's rounds made when they are due, wherever it is taken up?"""

from __future__ import annotations

import pytest

from arena.events.schedule import Round, Schedule, schedule_of
from arena.events.spec import Kind, Spec
from arena.games.randomness import seed_from
from arena.scheduling.swiss import History


def schedule(entrants: int, **limits: int) -> Schedule:
    """Plan a round-robin at tables of three."""
    spec = Spec(Kind.ROUND_ROBIN, "meow", seats=3, **limits)  # type: ignore[arg-type]
    return schedule_of(spec, entrants, seed_from(1))


def planned(of: Schedule, number: int) -> Round | None:
    """Ask for a round of a schedule that does not follow results."""
    return of.round(number, History)


def test_a_long_schedule_is_not_made_before_it_is_asked_for() -> None:
    long = schedule(1000, rounds=1_000_000)
    assert long.rounds == 1_000_000


@pytest.mark.parametrize("limits", [{}, {"rounds": 9}, {"matches": 17}], ids=str)
def test_an_event_can_be_taken_up_at_any_round(limits: dict[str, int]) -> None:
    whole = schedule(7, **limits)
    rounds = [planned(whole, number) for number in range(1, whole.rounds + 1)]
    assert None not in rounds
    assert planned(whole, whole.rounds + 1) is None
    for number, one in enumerate(rounds, start=1):
        assert planned(schedule(7, **limits), number) == one


def test_a_round_may_be_asked_for_again() -> None:
    twice = schedule(7)
    assert planned(twice, 2) == planned(twice, 2)

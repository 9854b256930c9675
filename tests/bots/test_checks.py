"""House bots pass the check."""

from __future__ import annotations

import pytest

from arena.checks.run import check_bot
from arena.checks.steps import StepStatus
from arena.games.randomness import seed_from
from arena.referee.clock import EVENT_CLOCK, Clock
from tests.bots.inprocess import BOTS
from tests.cages import launcher

ONE_SECOND = Clock(1.0, counts_cpu=True)
"""With so little time for a whole match, search does not search, so its decisions repeat."""


@pytest.mark.parametrize(
    ("name", "clock"),
    [
        ("greedy-meow", EVENT_CLOCK),
        pytest.param("random", EVENT_CLOCK, marks=pytest.mark.slow),
        pytest.param("greedy-trio", EVENT_CLOCK, marks=pytest.mark.slow),
        pytest.param("greedy-jackal", EVENT_CLOCK, marks=pytest.mark.slow),
        pytest.param("greedy-lifeislife", EVENT_CLOCK, marks=pytest.mark.slow),
        pytest.param("search", ONE_SECOND, marks=pytest.mark.slow),
    ],
)
def test_a_house_bot_passes_the_check_without_a_warning(name: str, clock: Clock) -> None:
    steps = check_bot(str(BOTS / name), seed_from(0), launcher=launcher, clock=clock, tables=4)
    assert not [s for s in steps if s.status in (StepStatus.FAILED, StepStatus.WARNING)]

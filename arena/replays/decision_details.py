"""What a seat could have done instead at each decision, and the time that its clock had left."""

from __future__ import annotations

from typing import NamedTuple

from arena.games.registry import game_named
from arena.records import Decision, How, Record, replay_record
from arena.text import short_duration

MAX_LISTED = 8
"""Maximum number of alternatives that are listed."""


class DecisionDetails(NamedTuple):
    """What is known about a decision besides the action."""

    alternatives: tuple[str, ...]
    """The first `MAX_LISTED` other legal actions, if the seat chose."""
    more: int
    """The number of legal actions beyond those."""
    left_us: int | None
    """Microseconds on the seat's clock after the decision; None without a clock."""

    @property
    def sentence(self) -> str:
        """The alternatives in words; empty if there are none."""
        if not self.alternatives:
            return ""
        more = f" and {self.more:,} more" if self.more else ""
        return f"instead of {', '.join(self.alternatives)}{more}"


def details_of(record: Record) -> list[DecisionDetails]:
    """Return the details of every decision of a record, which is not verified."""
    text = game_named(record.game_id).action_text
    bank_us, increment_us = _clock_us(record.clock)
    left_us = [bank_us] * len(record.entrants)
    details = []
    legal: list[int] = []
    for decision, state in replay_record(record):
        if decision is not None:
            others = [action for action in legal if action != decision.action]
            if decision.how is not How.CHOSEN:
                others = []
            else:
                left_us[decision.seat] += increment_us - decision.time_us
            details.append(
                DecisionDetails(
                    tuple(map(text, others[:MAX_LISTED])),
                    max(0, len(others) - MAX_LISTED),
                    left_us[decision.seat] if bank_us else None,
                )
            )
        legal = state.legal_actions()
    return details


def decision_time(decision: Decision, left_us: int | None = None) -> str:
    """Write how long a decision took and what the clock has left, or why it took no time."""
    if decision.how is not How.CHOSEN:
        return str(decision.how.value)
    time = short_duration(decision.time_us)
    # A record is not verified: its clock may have run out long ago.
    return time if left_us is None else f"{time}, {short_duration(max(0, left_us))} left"


def _clock_us(clock: str) -> tuple[int, int]:
    """Return bank and increment in microseconds; no bank if there is no clock."""
    bank, _, increment = clock.removeprefix("cpu:").partition("+")
    try:
        return round(float(bank) * 1e6), round(float(increment or 0) * 1e6)
    except (ValueError, OverflowError):
        return 0, 0

"""How far an event in play has come."""

from __future__ import annotations

from typing import NamedTuple

from arena.text import clock_time, quantity
from arena.workers.assignments import MachineLoad
from arena.workers.pace import Pace


class BlockInPlay(NamedTuple):
    """A block that a worker is playing."""

    since: float
    """When it was handed out, in seconds since 1970."""
    matches: int
    """The number of its matches that are not over."""
    bots: tuple[str, ...]


class EventProgress(NamedTuple):
    """The progress of an event."""

    event: str
    jobs: int
    round: int
    counted: int
    """The number of matches that are over."""
    expected: int
    """The number of matches if all rounds are like those so far; 0 if its end is not known."""
    faults: int
    planned: int = 0
    """The number of matches of all rounds that are planned; when so many are over, no deal is to be
    played again."""
    pace: Pace = Pace()
    """Since this process started."""
    leaders: tuple[tuple[str, float], ...] = ()
    """Who leads, with points per match."""
    blocks: tuple[BlockInPlay, ...] = ()
    """The first handed out first."""
    machines: tuple[MachineLoad, ...] = ()
    """Those of the cluster that it is played on."""

    @property
    def share_done(self) -> float:
        """The share of the event that has been played; 0 if its end is not known."""
        return min(1.0, (self.counted + self.pace.begun) / self.expected) if self.expected else 0.0

    @property
    def left(self) -> str:
        """The time left as a clock shows it; empty if it is not known."""
        left_s = self.pace.left_s(self.expected - self.counted) if self.expected else None
        return "" if left_s is None else f"{clock_time(left_s)} left"

    @property
    def played(self) -> str:
        """How many matches are over, of how many."""
        total = quantity(self.expected or self.counted, "match", "matches")
        return f"{self.counted:,}/{total}" if self.expected else total

    def _waits(self) -> list[str]:
        """Say what a cluster waits for: its results come in chunks."""
        if not self.machines or self.pace.matches:
            return []
        matches = sum(load.matches for load in self.machines)
        chunks = quantity(sum(load.chunks for load in self.machines), "chunk")
        if not matches:
            return ["waiting for the workers"]
        return [
            f"{quantity(matches, 'match', 'matches')} in play, waiting for the first of {chunks}"
        ]

    def line(self) -> str:
        """Describe the progress in one line, the most important first."""
        parts = [self.played, *filter(None, [self.left]), *(self._waits() or self.pace.words())]
        if self.machines:
            workers = quantity(self.jobs, "worker")
            parts.append(f"{workers} on {quantity(len(self.machines), 'machine')}")
        parts += [quantity(self.faults, "fault")] * bool(self.faults)
        if self.leaders:
            leaders = ", ".join(f"{name} {share:.0%}" for name, share in self.leaders)
            parts.append(f"leading: {leaders}")
        return "  ".join(parts)

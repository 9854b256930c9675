"""How far an event in play has come, and its speed."""

from __future__ import annotations

from typing import NamedTuple

from arena.text import clock_time, quantity
from arena.workers.pool import MachineLoad


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
    round_share: float | None
    """The share of the round that has been played; None if there is only one."""
    counted: int
    """The number of matches stored."""
    expected: int
    """The number of matches if all rounds are like those so far; 0 if its end is not known."""
    faults: int
    new: int
    """The number of matches stored since this process started."""
    seconds: float
    """The time since then."""
    leaders: tuple[tuple[str, float], ...] = ()
    """Who leads, with points per match."""
    blocks: tuple[BlockInPlay, ...] = ()
    """The first handed out first."""
    machines: tuple[MachineLoad, ...] = ()
    """Those of the cluster that it is played on."""

    @property
    def rate(self) -> float:
        """Matches per second."""
        return self.new / max(self.seconds, 1e-9)

    @property
    def share_done(self) -> float:
        """The share of the event that has been played; 0 if its end is not known."""
        return self.counted / self.expected if self.expected else 0.0

    @property
    def parts(self) -> list[tuple[str, float]]:
        """The round, if there are several, and the machines, each with the share that it has.

        A machine's share is that of all matches played so far.
        """
        parts = []
        if self.round_share is not None:
            parts.append((f"round {self.round}", self.round_share))
        played = sum(load.played for load in self.machines)
        for load in self.machines:
            name = f"{load.name}: {quantity(load.played, 'match', 'matches')}"
            parts.append((name, load.played / max(played, 1)))
        return parts

    def line(self) -> str:
        """Describe the progress in one line, the most important first."""
        played = quantity(self.counted, "match", "matches")
        if self.expected:
            played = f"{self.counted}/{quantity(self.expected, 'match', 'matches')}"
        parts = [played, f"round {self.round}", f"{self.rate:.1f}/s"]
        if self.rate > 0 and self.expected:
            parts.append(f"{clock_time((self.expected - self.counted) / self.rate)} left")
        if self.machines:
            workers = quantity(self.jobs, "worker")
            parts.append(f"{workers} on {quantity(len(self.machines), 'machine')}")
        parts.append(quantity(self.faults, "fault"))
        if self.leaders:
            leaders = ", ".join(f"{name} {share:.0%}" for name, share in self.leaders)
            parts.append(f"leading: {leaders}")
        return "  ".join(parts)

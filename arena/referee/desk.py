"""What is in play for one process of a bot, and how do its answers get back?

Every process has a desk. What waits for it there (matches that begin, decisions that are wanted,
matches that ended) is handed over all at once whenever the bot owes no answer, so a bot at many
tables gets large messages and a bot at one table gets small ones, by the same code.

The law that no process meets a deal twice is enforced here: a desk takes no match whose deal its
process has met. A bot remembers, so a deal that it meets again is one that it knows.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.records import Entrant, Fault, SeatEnding, bot_seed
from arena.referee.clock import Clock
from arena.referee.table import Answer, Finished, Request, Table
from arena.referee.turns import Turns

STALL_S = 0.25
"""When the referee itself was held up for longer than this, no bot is blamed for being late."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match that is to be played."""

    number: int
    game: AnyGame
    parameters: Any
    seed: Seed
    seating: tuple[int, ...]
    """For each seat the place of its player on the floor; nobody sits in two seats."""
    salt: bytes = b""
    """What tells this match from others of the same deal; no bot ever sees it."""


@dataclass(slots=True, eq=False)
class Match:
    """A match in play."""

    fixture: Fixture
    tag: int
    """Tells this playing of it from others; a match that began later has a higher one."""
    table: Table
    time_left_s: list[float]
    """For each seat what is left by the match's clock."""
    wall_left_s: list[float]
    """For each seat what is left by the wall clock: the same list if that is the match's clock."""
    told: list[int]
    """For each seat how many events it has been told."""
    events: list[bytes] = field(default_factory=list)
    """The public events as they travel, as far as they were needed."""
    numbers: dict[int, int] = field(default_factory=dict)
    """By seat, the number by which its process knows this playing of it."""
    desks: Sequence[Desk] = ()
    """For each seat the desk of the process that plays there."""
    doomed: dict[int, Breakage] = field(default_factory=dict)
    """By seat, the bots that broke between two decisions of this match."""

    def bot_seed(self, seat: int) -> Seed:
        """Return the seed for the random choices of the bot in a seat."""
        return bot_seed(self.fixture.seed, self.fixture.salt, seat)


@dataclass(slots=True, eq=False)
class Pending:
    """A decision that is wanted of a bot."""

    match: Match
    request: Request
    sent: bytes = b""
    """The request as it travelled."""

    @property
    def number(self) -> int:
        """The number by which the process knows the match."""
        return self.match.numbers[self.request.seat]

    @property
    def time_left_s(self) -> float:
        """What the seat's clock shows."""
        return self.match.time_left_s[self.request.seat]

    @property
    def wall_left_s(self) -> float:
        """What the wall clock shows for the seat."""
        return self.match.wall_left_s[self.request.seat]


@dataclass(frozen=True, slots=True)
class Breakage:
    """A bot that cannot go on, and why."""

    ending: SeatEnding
    sentence: str
    named: int | None = None
    """The number of the match that its last message was about, if it was about one."""
    reply: bytes = b""
    stderr: bytes = b""
    platform: bool = False
    """Whether the machine is to blame, not the bot."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What a bot is told when a match is over for it."""

    match: Match
    seat: int
    ending: SeatEnding | None
    """None if the match was void."""
    sentence: str
    finished: Finished | None = None
    """The match's end, unless the bot did not live to see it."""


class Hall(Protocol):
    """What a desk needs of the floor that it stands on."""

    clock: Clock
    freezes: bool
    """Whether a bot is frozen while it owes nothing."""
    turns: Turns
    """Taken by a bot while its clock runs."""
    stalled_s: float
    """For how long the referee itself has been held up so far, in all."""

    def answered(self, pending: Pending, answer: Answer | Fault) -> None:
        """Take an answer."""


class Desk:
    """What waits for one process, and the way for its answers to get back to the floor."""

    def __init__(self, floor: Hall, place: int = 0) -> None:
        """Set up an empty desk for a process of the player in a place."""
        self.floor = floor
        self.place = place
        self._something = asyncio.Event()
        self.is_occupied = False
        """Whether somebody works at the desk, or is about to."""
        self.was_greeted = False
        """Whether the bot that now works at the desk has said hello."""
        self.clear()

    def clear(self) -> None:
        """Take everything away: the process that worked here has ended."""
        self._seated = 0
        """How many matches the process has been seated at. It numbers them: a number that counted
        other matches, too, would tell the process where it is in a schedule."""
        self._met: set[Seed] = set()
        """The deals that the process knows, or is about to."""
        self.starts: list[tuple[Match, int]] = []
        """Matches that begin, with the bot's seat."""
        self.requests: list[Pending] = []
        """Decisions that are wanted and not handed over yet."""
        self.ends: list[Ended] = []
        self.owed: dict[int, Pending] = {}
        """By the match's number, the decisions that were handed over and are not answered yet."""
        self.live: dict[int, Match] = {}
        """By tag, the matches that the bot plays and that are not over for it."""
        self.voids: list[Ended] = []
        """Void matches. The bot hears of them when the next match is over: if it were told while
        they are played again, and broke, nobody could tell which of the two it was."""
        self.concerned: set[int] = set()
        """The tags of the matches that the last message to the bot was about."""

    def has_met(self, deal: Seed) -> bool:
        """Tell whether the process knows a deal, or is about to."""
        return deal in self._met

    def seat(self, match: Match, seat: int) -> None:
        """Let the process play a match; the deal must be new to it."""
        deal = match.fixture.seed
        if deal in self._met:
            raise AssertionError(f"match {match.fixture.number}: a process meets its deal twice")
        self._met.add(deal)
        self._seated += 1
        match.numbers[seat] = self._seated
        self.live[match.tag] = match
        self.starts.append((match, seat))

    def heard(self) -> list[Match]:
        """List the live matches whose start has been handed over."""
        unheard = [match for match, _ in self.starts]
        return [match for match in self.live.values() if match not in unheard]

    def calls_off(self, match: Match) -> bool:
        """Forget a match if the bot has not heard of its start; tell whether that was so."""
        others = [(each, seat) for each, seat in self.starts if each is not match]
        is_unheard = len(others) < len(self.starts)
        self.starts = others
        if is_unheard:
            self._met.discard(match.fixture.seed)
        return is_unheard

    def tell_voids(self) -> None:
        """Let the bot hear of the matches that were void."""
        if self.voids:
            self.ends += self.voids
            self.voids = []
            self.wake()

    def wake(self) -> None:
        """Let the bot know that something waits."""
        self._something.set()

    async def wait(self) -> None:
        """Wait until something is on the desk."""
        await self._something.wait()
        self._something.clear()

    def hand_over(self) -> tuple[list[tuple[Match, int]], list[Pending], list[Ended]]:
        """Take everything that waits; the bot owes an answer to each decision from now on."""
        taken = self.starts, self.requests, self.ends
        self.starts, self.requests, self.ends = [], [], []
        for pending in taken[1]:
            self.owed[pending.number] = pending
        matches = [
            *(match for match, _ in taken[0]),
            *(pending.match for pending in taken[1]),
            *(ended.match for ended in taken[2]),
        ]
        self.concerned = {match.tag for match in matches}
        return taken

    def answer(self, pending: Pending, answer: Answer | Fault) -> None:
        """Bring an answer back to the floor."""
        del self.owed[pending.number]
        self.floor.answered(pending, answer)


class Player(ABC):
    """Somebody who can sit at many tables at once."""

    entrant: Entrant

    @abstractmethod
    async def play(self, desk: Desk) -> Breakage:
        """Answer what comes to the desk, until cancelled or broken; then leave nothing behind.

        After a breakage `play` is called again when there is more to do.
        """

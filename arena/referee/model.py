"""The values that the referee, its mailboxes and its players share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.indices import PlayerIndex, Seat
from arena.records import Fault, SeatEnding, ServiceUse, bot_seed
from arena.referee.clock import Clock
from arena.referee.table import Answer, DecisionRequest, Finished, Table
from arena.referee.turns import Starts, Turns

if TYPE_CHECKING:
    from arena.referee.mailbox import Mailbox


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match to be played."""

    number: int
    game: AnyGame
    parameters: Any
    seed: Seed
    seating: tuple[PlayerIndex, ...]
    """The player in each seat; no player sits in two."""
    salt: bytes = b""
    """Distinguishes this match from others of the same deal; never shown to a bot."""


@dataclass(slots=True, eq=False)
class MatchInPlay:
    """The state of a match that is being played."""

    fixture: Fixture
    tag: int
    """Identifies this attempt at the fixture; later matches have higher tags."""
    table: Table
    time_left_s: list[float]
    """Time left on the clock of the match, by seat."""
    wall_left_s: list[float]
    """Time left on the wall clock, by seat; the same list if that is the clock of the match."""
    events_sent: list[int]
    """Number of events sent to each seat."""
    encoded_events: list[bytes] = field(default_factory=list)
    """The public events in wire format, as many as have been needed so far."""
    numbers: dict[Seat, int] = field(default_factory=dict)
    """The number under which the process in each seat knows this match."""
    mailboxes: Sequence[Mailbox] = ()
    """The mailbox of the process in each seat."""
    broken_seats: dict[Seat, Breakage] = field(default_factory=dict)
    """Breakages between two decisions of this match, by seat."""
    cpu_us: dict[Seat, int] = field(default_factory=dict)
    """CPU time for the answers so far, by seat; only for seats where it is measured."""
    memory_kib: dict[Seat, int] = field(default_factory=dict)
    """Peak memory of the process in each seat, once the match is over for it."""
    service_use: dict[Seat, ServiceUse] = field(default_factory=dict)
    """What models have asked of their services so far, by seat."""

    def bot_seed(self, seat: Seat) -> Seed:
        """Return the seed for the random choices of the bot in a seat."""
        return bot_seed(self.fixture.seed, self.fixture.salt, seat)


@dataclass(slots=True, eq=False)
class PendingDecision:
    """A decision that a bot has to make."""

    match: MatchInPlay
    request: DecisionRequest
    sent: bytes = b""
    """The request as sent, up to `EVIDENCE_BYTES`."""

    @property
    def number(self) -> int:
        """The number under which the process knows the match."""
        return self.match.numbers[self.request.seat]

    @property
    def time_left_s(self) -> float:
        """Time left on the seat's clock."""
        return self.match.time_left_s[self.request.seat]

    @property
    def wall_left_s(self) -> float:
        """Time left on the seat's wall clock."""
        return self.match.wall_left_s[self.request.seat]


@dataclass(frozen=True, slots=True)
class Breakage:
    """Why a bot cannot continue."""

    ending: SeatEnding
    sentence: str
    match_number: int | None = None
    """The match that its last message named, if any, by the number known to the bot."""
    reply: bytes = b""
    printed: bytes = b""
    is_machine_fault: bool = False
    """Whether the machine is at fault, not the bot."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a match, as reported to one bot."""

    match: MatchInPlay
    seat: Seat
    ending: SeatEnding | None
    """None if the match was void."""
    sentence: str
    finished: Finished | None = None
    """The finished match; None if it ended early for this bot."""


@dataclass(slots=True, eq=False)
class Conditions:
    """The settings and state that all mailboxes of a referee share."""

    clock: Clock
    turns: Turns
    """A bot takes a turn while its clock runs."""
    starts: Starts
    """A bot waits here before its process is started."""
    take_answer: Callable[[PendingDecision, Answer | Fault], None]
    """Called with every answer."""
    freezes: bool = False
    """Whether a bot is frozen while no answer is expected from it."""
    stalled_s: float = 0.0
    """Total time for which the referee itself has been held up."""

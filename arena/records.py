"""What are the facts of a finished match?

A record holds all that is needed to play the match again and to see who did what: it is written by
the referee, kept by replays and leagues, and never changed. A bot's fault is one of the facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from arena.games.core import Outcome
from arena.games.randomness import Seed, derive
from arena.games.registry import game_named

STDERR_BYTES = 64 * 1024
"""How much of what a bot last printed is kept for its author."""
EVIDENCE_BYTES = 64 * 1024
"""How much of a message, from its beginning, is kept as evidence of a fault."""


class SeatEnding(Enum):
    """How a match ended for one seat."""

    PLAYED = "played"
    ILLEGAL_ACTION = "illegal action"
    OVERRUN = "overran its clock"
    CRASHED = "crashed"
    HUNG_UP = "hung up"
    NONSENSE = "nonsense on the wire"
    NO_HELLO = "never said hello"
    WRONG_VERSION = "wrong protocol version"
    OVER_LIMIT = "went over a limit"


class Entrant(NamedTuple):
    """Who sat in a seat."""

    name: str
    version: str = ""
    """What tells two bots of one name apart; empty for those that are not versioned."""


class How(Enum):
    """How an action came to be played."""

    CHOSEN = "chosen"
    FORCED = "forced"
    """It was the only legal one, and nobody was asked."""
    STAND_IN = "stand-in"
    """The seat had faulted, and a random legal action was drawn for it."""


class Decision(NamedTuple):
    """An action that was played."""

    seat: int
    action: int
    how: How
    time_us: int
    """Thinking time in microseconds, as the clock counts it; 0 where nobody was asked."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What a bot did wrong, with the evidence."""

    seat: int
    ending: SeatEnding
    sentence: str
    """One sentence with the figures, safe to show to anybody."""
    request: bytes = b""
    """The request that it failed to answer, exactly as sent: the first `EVIDENCE_BYTES` of it."""
    reply: bytes = b""
    """The message that was wrong, exactly as received: the first `EVIDENCE_BYTES` of it."""
    time_left_s: float | None = None
    """What its clock showed when it was asked."""
    stderr: bytes = b""
    """The last that it printed."""


class Break(NamedTuple):
    """A bot that broke at several matches at once, and in none of them when it played them again.

    Nobody can tell which match it was. They were void and played again; the breakage is entered
    with the last of them.
    """

    seat: int
    ending: SeatEnding
    sentence: str


@dataclass(frozen=True, slots=True)
class Record:
    """A finished match."""

    game_id: str
    parameters: str
    """As the game writes them."""
    seed: Seed
    entrants: tuple[Entrant, ...]
    clock: str
    """As the referee was told: "60+0.5", "cpu:60+0.5"; empty for none."""
    decisions: tuple[Decision, ...]
    faults: tuple[Fault, ...]
    """In the order they happened; at most one a seat."""
    outcome: Outcome
    """What the rules say of the match as it was played, stand-ins included."""
    places: tuple[int, ...]
    """The result: seats that faulted are last, the others as the rules place them."""
    cage: str = ""
    """What held the bots: "bubblewrap", "landlock" or "none"; empty if nobody was a process."""
    salt: bytes = b""
    """What tells this match from others of the same deal: with the seed it gives the bots' seeds
    and the commitment."""
    breaks: tuple[Break, ...] = ()
    """The breakages of its bots, in this match and others at once, that no fault explains."""

    def bot_seed(self, seat: int) -> Seed:
        """Return the seed for the random choices of the bot in a seat."""
        return bot_seed(self.seed, self.salt, seat)

    def ending_of(self, seat: int) -> SeatEnding:
        """Tell how the match ended for a seat."""
        for fault in self.faults:
            if fault.seat == seat:
                return fault.ending
        return SeatEnding.PLAYED


def bot_seed(seed: Seed, salt: bytes, seat: int) -> Seed:
    """Return the seed for the random choices of a bot: another in every match of a deal."""
    return derive(seed, f"bot {seat} {salt.hex()}".rstrip())


def places_after_faults(
    outcome: Outcome, sides: tuple[int, ...], faulted: set[int]
) -> tuple[int, ...]:
    """Place the seats of sides that faulted last and together; the others close ranks.

    `sides` gives for each seat the side it plays for: itself, or its team.
    """
    lost = {sides[seat] for seat in faulted}
    honest = {sides[s]: outcome.places[s] for s in range(len(sides)) if sides[s] not in lost}
    places = []
    for seat, side in enumerate(sides):
        if side in lost:
            places.append(len(honest) + 1)
        else:
            places.append(1 + sum(place < outcome.places[seat] for place in honest.values()))
    return tuple(places)


def replayed(record: Record) -> Iterator[tuple[Decision | None, Any]]:
    """Play a record again by the rules alone; yield each decision with the state it led to.

    The first state is the deal, with no decision. The state is one object that moves on; its type
    is the game's own, hence Any. Raises `IllegalAction` where the record breaks the rules.
    """
    game = game_named(record.game_id)
    parameters = game.parameters_form.read(record.parameters)
    state = game.start(len(record.entrants), record.seed, parameters, recording=True)
    yield None, state
    for decision in record.decisions:
        state.apply(decision.action)
        yield decision, state


def events_of(record: Record) -> list[Any]:
    """Return everything that happened in the open, in the game's own types."""
    *_, (_, state) = replayed(record)
    events: list[Any] = state.events
    return events

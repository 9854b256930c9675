"""Records of finished matches.

A record contains everything needed to play the match again and to see who did what. It is written
by the referee, stored in replays and leagues, and never changed. A bot's fault is part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple

from arena.games.outcome import Outcome
from arena.games.randomness import Seed, derive
from arena.games.registry import game_named
from arena.indices import Seat

SEALING_CAGE = "bubblewrap"
"""The mark of the cages in which nothing that a bot can touch keeps a trace of it."""
PRINTED_BYTES = 64 * 1024
"""Size of the end of a bot's output that is kept for its author."""
HASH_BYTES = 16
"""Size of the part of a bot's hash that a record keeps."""
OUTPUT_BYTES = 64 * 1024
"""Size of the beginning of what a bot printed in a match that is kept with its decisions."""
NOTES_CHARACTERS = 16 * 1024
"""Length of all notes of a seat in a match that are kept; what no longer fits is dropped."""
EVIDENCE_BYTES = 64 * 1024
"""Size of the beginning of a message that is kept as evidence of a fault."""


class SeatEnding(Enum):
    """How a match ended for one seat."""

    PLAYED = "played"
    ILLEGAL_ACTION = "illegal action"
    OVERRUN = "ran out of time"
    CRASHED = "crashed"
    HUNG_UP = "closed the connection"
    NONSENSE = "invalid message"
    NO_HELLO = "sent no Hello"
    WRONG_VERSION = "wrong protocol version"
    OVER_LIMIT = "exceeded a limit"

    @property
    def code(self) -> str:
        """The code for the league's file and for JSON; the value is the wording for people."""
        return self.name.lower()


class Entrant(NamedTuple):
    """The bot or player in a seat."""

    name: str
    version: str = ""
    """Distinguishes bots of the same name; empty if there are no versions."""
    hash: bytes = b""
    """The first `HASH_BYTES` of the hash of its package; empty if it has none."""


def hash_prefix(text: str) -> bytes:
    """Return the part of a bot's hash that a record keeps; the hash is in hexadecimal."""
    return bytes.fromhex(text)[:HASH_BYTES]


class How(Enum):
    """How an action was decided."""

    CHOSEN = "chosen"
    FORCED = "forced"
    """It was the only legal action; the seat was not asked."""
    STAND_IN = "stand-in"
    """The seat had faulted; a random legal action was played for it."""


class Decision(NamedTuple):
    """An action that was played."""

    seat: Seat
    action: int
    how: How
    time_us: int
    """Thinking time in microseconds by the clock of the match; 0 if the seat was not asked."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The fault of a bot, with the evidence."""

    seat: Seat
    ending: SeatEnding
    sentence: str
    """One sentence with the figures; it may be shown in public."""
    request: bytes = b""
    """The request that it failed to answer, as sent, up to `EVIDENCE_BYTES`."""
    reply: bytes = b""
    """The invalid message, as received, up to `EVIDENCE_BYTES`."""
    time_left_s: float | None = None
    """Time left on its clock when the request was sent."""
    printed: bytes = b""
    """The last output of the bot, stdout and stderr together."""


class Output(NamedTuple):
    """What a bot printed before one of its decisions, stdout and stderr together."""

    decision: int
    """The number of the decision."""
    content: bytes


class Note(NamedTuple):
    """What a bot said about one of its decisions, for whoever looks at the replay."""

    decision: int
    """The number of the decision."""
    text: str


class Break(NamedTuple):
    """A breakage during several matches at once that did not recur when they were repeated.

    It is unclear which match caused it. The matches were void and were repeated; the breakage is
    recorded with the last of them.
    """

    seat: Seat
    ending: SeatEnding
    sentence: str


class ServiceUse(NamedTuple):
    """What a model in a seat asked of its service in a match."""

    requests: int = 0
    rethinks: int = 0
    """Answers that were sent back because they were no legal move."""
    retries: int = 0
    """Requests that were repeated because the service could not take them."""
    tokens_in: int = 0
    tokens_out: int = 0
    cost_micros: int = 0
    """In millionths of the unit in which its prices are given."""


class Usage(NamedTuple):
    """What the bot in a seat used, as far as it was measured."""

    cpu_us: int | None = None
    """CPU time in microseconds while its answers were awaited, whatever the clock counts."""
    memory_kib: int | None = None
    """The peak memory of its process until the match was over for it; a process plays many matches
    at once."""
    service: ServiceUse | None = None
    """Only of a model."""


@dataclass(frozen=True, slots=True)
class Record:
    """A finished match."""

    game_id: str
    parameters: str
    """In the notation of the game."""
    seed: Seed
    entrants: tuple[Entrant, ...]
    clock: str
    """Such as "60+0.5" or "cpu:60+0.5"; empty for no clock."""
    decisions: tuple[Decision, ...]
    faults: tuple[Fault, ...]
    """In order of occurrence, at most one per seat."""
    outcome: Outcome
    """The outcome by the rules, with the actions of stand-ins."""
    places: tuple[int, ...]
    """The result: seats that faulted are last, the others are placed by the rules."""
    cage: str = ""
    """The cage of the bots: "bubblewrap", "bubblewrap-disk" (with files on a disk), "landlock" or
    "none"; empty if no bot was a process."""
    salt: bytes = b""
    """Distinguishes this match from others of the same deal. The bots' seeds and the commitment are
    derived from it and the seed."""
    breaks: tuple[Break, ...] = ()
    """Breakages of its bots that no fault explains; see `Break`."""
    outputs: tuple[Output, ...] = ()
    """What the bots printed, in the order of decisions, up to `OUTPUT_BYTES` of each seat; empty
    unless the match was played to be looked at."""
    notes: tuple[Note, ...] = ()
    """What the bots said about their decisions, in the order of decisions, up to `NOTES_CHARACTERS`
    of each seat. No player sees them during the match."""
    usage: tuple[Usage, ...] = field(default=(), compare=False)
    """By seat; empty if nothing was measured. It is not part of a replay."""

    def bot_seed(self, seat: int) -> Seed:
        """Return the seed for the random choices of the bot in a seat."""
        return bot_seed(self.seed, self.salt, seat)

    def ending_of(self, seat: int) -> SeatEnding:
        """Return how the match ended for a seat."""
        for fault in self.faults:
            if fault.seat == seat:
                return fault.ending
        return SeatEnding.PLAYED


def bot_seed(seed: Seed, salt: bytes, seat: int) -> Seed:
    """Return the seed for the random choices of a bot; it differs in every match of a deal."""
    return derive(seed, f"bot {seat} {salt.hex()}".rstrip())


def places_after_faults(
    outcome: Outcome, sides: tuple[int, ...], faulted: Set[int]
) -> tuple[int, ...]:
    """Place the sides that faulted last, tied with each other; the others move up.

    `sides` is the side of each seat: the seat itself, or its team.
    """
    lost = {sides[seat] for seat in faulted}
    place_of_side = {sides[s]: outcome.places[s] for s in range(len(sides)) if sides[s] not in lost}
    ordered = sorted(place_of_side.values())
    # The index of a place is the number of sides before it.
    return tuple(
        1 + (len(ordered) if side in lost else ordered.index(outcome.places[seat]))
        for seat, side in enumerate(sides)
    )


def start_record(record: Record, *, recording: bool) -> Any:
    """Return the state at the beginning of a match; with `recording`, it keeps public events."""
    parameters = parameters_of(record.game_id, record.parameters)
    return game_named(record.game_id).start(
        len(record.entrants), record.seed, parameters, recording=recording
    )


@lru_cache(maxsize=16)
def parameters_of(game_id: str, text: str) -> Any:
    """Return the parameters of a game, in its own type; an event has the same for all matches."""
    return game_named(game_id).parameters_form.read(text)


def replay_record(record: Record) -> Iterator[tuple[Decision | None, Any]]:
    """Play the decisions of a record by the rules; yield each with the state after it.

    The first state is the deal, without a decision. All states are the same object, which changes;
    its type is the game's own, hence Any. Raises `IllegalAction` if the record breaks the rules.
    """
    state = start_record(record, recording=True)
    yield None, state
    for decision in record.decisions:
        state.apply(decision.action)
        yield decision, state


def events_of(record: Record) -> list[Any]:
    """Return all public events of a match, in the game's own types."""
    *_, (_, state) = replay_record(record)
    events: list[Any] = state.events
    return events

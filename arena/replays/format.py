"""Write the record of a match as bytes, and read it back.

The sections, in this order: the match, the players, the decisions (64 per section), each fault with
its evidence, each break, each output, each note, the result. Equal records give equal bytes.
README.md specifies every byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple, TypeVar

from arena.errors import BadReplay
from arena.games.outcome import Ending, Outcome
from arena.games.randomness import Seed
from arena.indices import Seat
from arena.records import Break, Decision, Entrant, Fault, How, Note, Output, Record, SeatEnding
from arena.replays.chain import ChainReader, write_chain
from arena.replays.varint import (
    BLOB,
    OPTIONAL_FLOAT,
    SINT,
    TEXT,
    UINT,
    ByteReader,
    Encoding,
    coded,
    encode_uints,
    fields,
    listed,
)

MATCH, PLAYERS, DECISIONS, FAULT, RESULT, BREAK, OUTPUT, NOTE = range(1, 9)
CHUNK = 64
"""Decisions per section, except in the last: damage can be located this precisely."""
# Without limits, a small file could unpack to more than fits into memory.
MAX_SEATS = 100
MAX_DECISIONS = 1 << 20
MAX_BREAKS = 1000
_MAX_CODES = 4096
"""How many codes of decisions are remembered for each size of table; games have a few hundred."""

T = TypeVar("T")

# Listed explicitly: a number must keep its meaning when an enum is rearranged.
_HOWS = {0: How.CHOSEN, 1: How.FORCED, 2: How.STAND_IN}
_HOW_CODES = {how: code for code, how in _HOWS.items()}
_ENDING = coded("the ending of a match", {0: Ending.PLAYED_OUT, 1: Ending.LENGTH_CAP})
_SEAT_ENDING = coded(
    "the ending of a seat",
    {
        1: SeatEnding.PLAYED,
        3: SeatEnding.ILLEGAL_ACTION,
        4: SeatEnding.OVERRUN,
        5: SeatEnding.CRASHED,
        6: SeatEnding.HUNG_UP,
        7: SeatEnding.NONSENSE,
        8: SeatEnding.NO_HELLO,
        9: SeatEnding.WRONG_VERSION,
        10: SeatEnding.OVER_LIMIT,
    },
)


class _Match(NamedTuple):
    """The first section."""

    game_id: str
    parameters: str
    seed: Seed
    clock: str
    cage: str
    decisions: int
    """How many, like all whole numbers here."""
    faults: int
    salt: bytes
    breaks: int
    outputs: int
    notes: int


class _Result(NamedTuple):
    """The last section."""

    outcome_places: Sequence[int]
    scores: Sequence[int]
    ending: Ending
    places: Sequence[int]


_NUMBERS = listed(UINT, most=MAX_SEATS)
_MATCH = fields(_Match, TEXT, TEXT, BLOB, TEXT, TEXT, UINT, UINT, BLOB, UINT, UINT, UINT)
_PLAYERS = listed(fields(Entrant, TEXT, TEXT, BLOB), most=MAX_SEATS)
_FAULT = fields(Fault, UINT, _SEAT_ENDING, TEXT, BLOB, BLOB, OPTIONAL_FLOAT, BLOB)
_BREAK = fields(Break, UINT, _SEAT_ENDING, TEXT)
_OUTPUT = fields(Output, UINT, BLOB)
_NOTE = fields(Note, UINT, TEXT)
_RESULT = fields(_Result, _NUMBERS, listed(SINT, most=MAX_SEATS), _ENDING, _NUMBERS)


def write_replay(record: Record) -> bytes:
    """Write a record, without verifying it."""
    seats, decisions = len(record.entrants), record.decisions
    match = _Match(
        *(record.game_id, record.parameters, record.seed, record.clock, record.cage),
        decisions=len(decisions),
        faults=len(record.faults),
        salt=record.salt,
        breaks=len(record.breaks),
        outputs=len(record.outputs),
        notes=len(record.notes),
    )
    _check_counts("the record", seats, match)
    _check_numbers("the record", "output", record.outputs, len(decisions))
    _check_numbers("the record", "note", record.notes, len(decisions))
    outcome = record.outcome
    result = _Result(outcome.places, outcome.scores, outcome.ending, record.places)
    chunks = [decisions[first : first + CHUNK] for first in range(0, len(decisions), CHUNK)]
    return write_chain(
        [
            (MATCH, _MATCH.encode(match)),
            (PLAYERS, _PLAYERS.encode(record.entrants)),
            *((DECISIONS, _encode_decisions(chunk, seats)) for chunk in chunks),
            *((FAULT, _FAULT.encode(fault)) for fault in record.faults),
            *((BREAK, _BREAK.encode(each)) for each in record.breaks),
            *((OUTPUT, _OUTPUT.encode(output)) for output in record.outputs),
            *((NOTE, _NOTE.encode(note)) for note in record.notes),
            (RESULT, _RESULT.encode(result)),
        ]
    )


def read_replay(data: bytes) -> Record:
    """Read a record that `write_replay` wrote; raise `BadReplay` for anything else."""
    chain = ChainReader(data)
    match = _read(chain, MATCH, "the match", _MATCH)
    players = _read(chain, PLAYERS, "the players", _PLAYERS)
    _check_counts("the replay", len(players), match)
    decisions: list[Decision] = []
    while len(decisions) < match.decisions:
        first, last = len(decisions), min(len(decisions) + CHUNK, match.decisions) - 1
        name = f"decisions {first} to {last}" if first < last else f"decision {first}"
        section = chain.section(DECISIONS, name)
        decisions += _decode_decisions(section, last - first + 1, len(players))
    faults = [_read(chain, FAULT, f"fault {at}", _FAULT) for at in range(match.faults)]
    breaks = [_read(chain, BREAK, f"break {at}", _BREAK) for at in range(match.breaks)]
    outputs = [_read(chain, OUTPUT, f"output {at}", _OUTPUT) for at in range(match.outputs)]
    _check_numbers("the replay", "output", outputs, match.decisions)
    notes = [_read(chain, NOTE, f"note {at}", _NOTE) for at in range(match.notes)]
    _check_numbers("the replay", "note", notes, match.decisions)
    result = _read(chain, RESULT, "the result", _RESULT)
    chain.end()
    return Record(
        game_id=match.game_id,
        parameters=match.parameters,
        seed=match.seed,
        entrants=tuple(players),
        clock=match.clock,
        decisions=tuple(decisions),
        faults=tuple(faults),
        outcome=Outcome(tuple(result.outcome_places), tuple(result.scores), result.ending),
        places=tuple(result.places),
        cage=match.cage,
        salt=match.salt,
        breaks=tuple(breaks),
        outputs=tuple(outputs),
        notes=tuple(notes),
    )


def _read(chain: ChainReader, kind: int, name: str, form: Encoding[T]) -> T:
    """Read a section of one value."""
    section = chain.section(kind, name)
    value = form.read(section)
    section.end()
    return value


def _check_counts(what: str, seats: int, match: _Match) -> None:
    if not 1 <= seats <= MAX_SEATS:
        raise BadReplay(f"{what} has {seats} seats, not 1 to {MAX_SEATS}")
    if match.decisions > MAX_DECISIONS:
        raise BadReplay(f"{what} has {match.decisions} decisions, more than {MAX_DECISIONS}")
    if match.faults > seats:
        raise BadReplay(f"{what} has {match.faults} faults, but only {seats} seats")
    if match.breaks > MAX_BREAKS:
        raise BadReplay(f"{what} has {match.breaks} breaks, more than {MAX_BREAKS}")


def _check_numbers(what: str, kind: str, attached: Sequence[Output | Note], decisions: int) -> None:
    """Check the numbers of the decisions that outputs or notes belong to."""
    numbers = [each.decision for each in attached]
    if numbers != sorted(set(numbers)):
        raise BadReplay(f"{what} has {kind}s that are not in the order of decisions")
    if numbers and not 0 <= numbers[-1] < decisions:
        article = "an" if kind == "output" else "a"
        raise BadReplay(
            f"{what} has {article} {kind} of decision {numbers[-1]}, but only {decisions}"
        )


def _encode_decisions(decisions: Iterable[Decision], seats: int) -> bytes:
    """Write each decision as two numbers: action, seat and how in one, the time in the other."""
    numbers: list[int] = []
    for seat, action, how, time_us in decisions:
        if not 0 <= seat < seats:
            raise BadReplay(
                f"a decision of seat {seat} cannot be written: there are only {seats} seats"
            )
        code = (action * seats + seat) * len(_HOWS) + _HOW_CODES[how]
        numbers += (code, time_us)
    return encode_uints(numbers)


def _decode_decisions(section: ByteReader, count: int, seats: int) -> list[Decision]:
    codes = _codes(seats)
    numbers = iter(section.uints(2 * count))
    section.end()
    # Most of the time to read a replay is spent here: this is `Decision(...)` without its checks.
    make = tuple.__new__
    return [
        make(Decision, (*codes[code], time_us))
        for code, time_us in zip(numbers, numbers, strict=True)
    ]


class _Codes(dict[int, tuple[Seat, int, How]]):
    """What the codes of decisions stand for, at tables of one size; filled as they are met."""

    def __init__(self, seats: int) -> None:
        self._seats = seats

    def __missing__(self, code: int) -> tuple[Seat, int, How]:
        rest, how = divmod(code, len(_HOWS))
        action, seat = divmod(rest, self._seats)
        found = Seat(seat), action, _HOWS[how]
        if len(self) < _MAX_CODES:
            self[code] = found
        return found


@cache
def _codes(seats: int) -> _Codes:
    return _Codes(seats)

"""Write the record of a match as bytes, and read it back.

The sections, in this order: the match, the players, the decisions (64 per section), each fault with
its evidence, each break, each output, each note, the result. Equal records give equal bytes.
README.md specifies every byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import cache
from typing import TypeVar

from arena.errors import BadReplay
from arena.games.outcome import Ending, Outcome
from arena.indices import Seat
from arena.records import Break, Decision, Entrant, Fault, How, Note, Output, Record, SeatEnding
from arena.replays.chain import ChainReader, write_chain
from arena.replays.varint import (
    ByteReader,
    encode_blob,
    encode_list,
    encode_optional_float,
    encode_sint,
    encode_text,
    encode_uint,
    encode_uints,
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
E = TypeVar("E", bound=Enum)

# Listed explicitly: a number must keep its meaning when an enum is rearranged.
_HOWS = {0: How.CHOSEN, 1: How.FORCED, 2: How.STAND_IN}
_ENDINGS = {0: Ending.PLAYED_OUT, 1: Ending.LENGTH_CAP}
_SEAT_ENDINGS = {
    1: SeatEnding.PLAYED,
    3: SeatEnding.ILLEGAL_ACTION,
    4: SeatEnding.OVERRUN,
    5: SeatEnding.CRASHED,
    6: SeatEnding.HUNG_UP,
    7: SeatEnding.NONSENSE,
    8: SeatEnding.NO_HELLO,
    9: SeatEnding.WRONG_VERSION,
    10: SeatEnding.OVER_LIMIT,
}
_HOW_CODES = {how: code for code, how in _HOWS.items()}
_ENDING_CODES = {ending: code for code, ending in _ENDINGS.items()}
_SEAT_ENDING_CODES = {ending: code for code, ending in _SEAT_ENDINGS.items()}


def write_replay(record: Record) -> bytes:
    """Write a record, without verifying it."""
    seats = len(record.entrants)
    decisions = record.decisions
    _check_counts("the record", seats, len(decisions), len(record.faults), len(record.breaks))
    _check_numbers("the record", "output", record.outputs, len(decisions))
    _check_numbers("the record", "note", record.notes, len(decisions))
    chunks = [decisions[first : first + CHUNK] for first in range(0, len(decisions), CHUNK)]
    return write_chain(
        [
            (MATCH, _encode_match(record)),
            (PLAYERS, _encode_entrants(record.entrants)),
            *((DECISIONS, _encode_decisions(chunk, seats)) for chunk in chunks),
            *((FAULT, _encode_fault(fault)) for fault in record.faults),
            *((BREAK, _encode_break(each)) for each in record.breaks),
            *((OUTPUT, _encode_output(output)) for output in record.outputs),
            *((NOTE, _encode_note(note)) for note in record.notes),
            (RESULT, _encode_result(record)),
        ]
    )


def read_replay(data: bytes) -> Record:
    """Read a record that `write_replay` wrote; raise `BadReplay` for anything else."""
    chain = ChainReader(data)
    match = chain.section(MATCH, "the match")
    game_id, parameters, seed, clock = match.text(), match.text(), match.blob(), match.text()
    cage = match.text()
    decision_count, fault_count = match.uint(), match.uint()
    salt = match.blob()
    break_count, output_count, note_count = match.uint(), match.uint(), match.uint()
    match.end()
    players = chain.section(PLAYERS, "the players")
    entrants = players.list_of(
        lambda: Entrant(players.text(), players.text(), players.blob()), max_count=MAX_SEATS
    )
    players.end()
    _check_counts("the replay", len(entrants), decision_count, fault_count, break_count)
    decisions: list[Decision] = []
    while len(decisions) < decision_count:
        first, last = len(decisions), min(len(decisions) + CHUNK, decision_count) - 1
        name = f"decisions {first} to {last}" if first < last else f"decision {first}"
        section = chain.section(DECISIONS, name)
        decisions += _decode_decisions(section, last - first + 1, len(entrants))
    faults = _read_each(chain, FAULT, "fault", fault_count, _decode_fault)
    breaks = _read_each(chain, BREAK, "break", break_count, _decode_break)
    outputs = _read_each(chain, OUTPUT, "output", output_count, _decode_output)
    _check_numbers("the replay", "output", outputs, decision_count)
    notes = _read_each(chain, NOTE, "note", note_count, _decode_note)
    _check_numbers("the replay", "note", notes, decision_count)
    outcome, places = _decode_result(chain.section(RESULT, "the result"))
    chain.end()
    return Record(
        game_id=game_id,
        parameters=parameters,
        seed=seed,
        entrants=entrants,
        clock=clock,
        decisions=tuple(decisions),
        faults=faults,
        outcome=outcome,
        places=places,
        cage=cage,
        salt=salt,
        breaks=breaks,
        outputs=outputs,
        notes=notes,
    )


def _read_each(
    chain: ChainReader, kind: int, name: str, count: int, decode: Callable[[ByteReader], T]
) -> tuple[T, ...]:
    """Read sections of one kind."""
    found: list[T] = []
    for number in range(count):
        section = chain.section(kind, f"{name} {number}")
        found.append(decode(section))
        section.end()
    return tuple(found)


def _check_counts(what: str, seats: int, decisions: int, faults: int, breaks: int) -> None:
    if not 1 <= seats <= MAX_SEATS:
        raise BadReplay(f"{what} has {seats} seats, not 1 to {MAX_SEATS}")
    if decisions > MAX_DECISIONS:
        raise BadReplay(f"{what} has {decisions} decisions, more than {MAX_DECISIONS}")
    if faults > seats:
        raise BadReplay(f"{what} has {faults} faults, but only {seats} seats")
    if breaks > MAX_BREAKS:
        raise BadReplay(f"{what} has {breaks} breaks, more than {MAX_BREAKS}")


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


def _encode_match(record: Record) -> bytes:
    return (
        encode_text(record.game_id)
        + encode_text(record.parameters)
        + encode_blob(record.seed)
        + encode_text(record.clock)
        + encode_text(record.cage)
        + encode_uint(len(record.decisions))
        + encode_uint(len(record.faults))
        + encode_blob(record.salt)
        + encode_uint(len(record.breaks))
        + encode_uint(len(record.outputs))
        + encode_uint(len(record.notes))
    )


def _encode_entrants(entrants: Sequence[Entrant]) -> bytes:
    def encode(entrant: Entrant) -> bytes:
        return encode_text(entrant.name) + encode_text(entrant.version) + encode_blob(entrant.hash)

    return encode_list(encode, entrants)


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


def _encode_fault(fault: Fault) -> bytes:
    return (
        encode_uint(fault.seat)
        + encode_uint(_SEAT_ENDING_CODES[fault.ending])
        + encode_text(fault.sentence)
        + encode_blob(fault.request)
        + encode_blob(fault.reply)
        + encode_optional_float(fault.time_left_s)
        + encode_blob(fault.printed)
    )


def _decode_fault(section: ByteReader) -> Fault:
    return Fault(
        Seat(section.uint()),
        _read_code(section, "the ending of a seat", _SEAT_ENDINGS),
        section.text(),
        section.blob(),
        section.blob(),
        section.optional_float(),
        section.blob(),
    )


def _encode_break(each: Break) -> bytes:
    return (
        encode_uint(each.seat)
        + encode_uint(_SEAT_ENDING_CODES[each.ending])
        + encode_text(each.sentence)
    )


def _decode_break(section: ByteReader) -> Break:
    ending = "the ending of a seat"
    return Break(Seat(section.uint()), _read_code(section, ending, _SEAT_ENDINGS), section.text())


def _encode_output(output: Output) -> bytes:
    return encode_uint(output.decision) + encode_blob(output.content)


def _decode_output(section: ByteReader) -> Output:
    return Output(section.uint(), section.blob())


def _encode_note(note: Note) -> bytes:
    return encode_uint(note.decision) + encode_text(note.text)


def _decode_note(section: ByteReader) -> Note:
    return Note(section.uint(), section.text())


def _encode_result(record: Record) -> bytes:
    for values in (record.outcome.places, record.outcome.scores, record.places):
        if len(values) > MAX_SEATS:
            raise BadReplay(f"a result of {len(values)} seats cannot be written")
    return (
        encode_list(encode_uint, record.outcome.places)
        + encode_list(encode_sint, record.outcome.scores)
        + encode_uint(_ENDING_CODES[record.outcome.ending])
        + encode_list(encode_uint, record.places)
    )


def _decode_result(section: ByteReader) -> tuple[Outcome, tuple[int, ...]]:
    outcome = Outcome(
        section.list_of(section.uint, max_count=MAX_SEATS),
        section.list_of(section.sint, max_count=MAX_SEATS),
        _read_code(section, "the ending of a match", _ENDINGS),
    )
    places = section.list_of(section.uint, max_count=MAX_SEATS)
    section.end()
    return outcome, places


def _read_code(section: ByteReader, what: str, codes: dict[int, E]) -> E:
    code = section.uint()
    if code not in codes:
        raise section.error(what, code)
    return codes[code]

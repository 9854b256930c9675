"""How is the record of a match written as bytes, and read back?

The sections, in this order: the match, the players, the decisions (64 a section), each fault with
its evidence, each break, the result. Equal records give equal bytes: one without a salt and breaks
is written as version 1. README.md has the bytes in full.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TypeVar

from arena.errors import BadReplay
from arena.games.core import Ending, Outcome
from arena.records import Break, Decision, Entrant, Fault, How, Record, SeatEnding
from arena.replays.chain import Chain, chained
from arena.replays.packing import (
    Unpacking,
    put_blob,
    put_fraction,
    put_several,
    put_sint,
    put_text,
    put_uint,
)

MATCH, PLAYERS, DECISIONS, FAULT, RESULT, BREAK = range(1, 7)
CHUNK = 64
"""How many decisions a section has, the last one excepted: damage is located that closely."""
# A small file could otherwise unpack to more than there is memory for.
MOST_SEATS = 100
MOST_DECISIONS = 1 << 20
MOST_BREAKS = 1000

E = TypeVar("E", bound=Enum)

# Written down one by one: what a number means must not change when an enum is rearranged.
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
    """Write a record; whether it is true is not checked."""
    seats = len(record.entrants)
    decisions = record.decisions
    _check_counts("the record", seats, len(decisions), len(record.faults), len(record.breaks))
    chunks = [decisions[first : first + CHUNK] for first in range(0, len(decisions), CHUNK)]
    version = 2 if record.salt or record.breaks else 1
    return chained(
        [
            (MATCH, _put_match(record, version)),
            (PLAYERS, put_several(_put_entrant, record.entrants)),
            *((DECISIONS, _put_decisions(chunk, seats)) for chunk in chunks),
            *((FAULT, _put_fault(fault)) for fault in record.faults),
            *((BREAK, _put_break(each)) for each in record.breaks),
            (RESULT, _put_result(record)),
        ],
        version=version,
    )


def read_replay(data: bytes) -> Record:
    """Read a record that `write_replay` wrote; anything else is a `BadReplay` that says why."""
    chain = Chain(data)
    match = chain.section(MATCH, "the match")
    game_id, parameters, seed, clock = match.text(), match.text(), match.blob(), match.text()
    cage = match.text()
    decision_count, fault_count = match.uint(), match.uint()
    salt, break_count = (match.blob(), match.uint()) if chain.version > 1 else (b"", 0)
    match.end()
    players = chain.section(PLAYERS, "the players")
    entrants = players.several(lambda: Entrant(players.text(), players.text()), most=MOST_SEATS)
    players.end()
    _check_counts("the replay", len(entrants), decision_count, fault_count, break_count)
    decisions: list[Decision] = []
    while len(decisions) < decision_count:
        first, last = len(decisions), min(len(decisions) + CHUNK, decision_count) - 1
        name = f"decisions {first} to {last}" if first < last else f"decision {first}"
        section = chain.section(DECISIONS, name)
        decisions += _read_decisions(section, last - first + 1, len(entrants))
    faults: list[Fault] = []
    while len(faults) < fault_count:
        faults.append(_read_fault(chain.section(FAULT, f"fault {len(faults)}")))
    breaks: list[Break] = []
    while len(breaks) < break_count:
        breaks.append(_read_break(chain.section(BREAK, f"break {len(breaks)}")))
    outcome, places = _read_result(chain.section(RESULT, "the result"))
    chain.end()
    return Record(
        game_id=game_id,
        parameters=parameters,
        seed=seed,
        entrants=entrants,
        clock=clock,
        decisions=tuple(decisions),
        faults=tuple(faults),
        outcome=outcome,
        places=places,
        cage=cage,
        salt=salt,
        breaks=tuple(breaks),
    )


def _check_counts(what: str, seats: int, decisions: int, faults: int, breaks: int) -> None:
    if not 1 <= seats <= MOST_SEATS:
        raise BadReplay(f"{what} has {seats} seats, not 1 to {MOST_SEATS}")
    if decisions > MOST_DECISIONS:
        raise BadReplay(f"{what} has {decisions} decisions, not {MOST_DECISIONS} at most")
    if faults > seats:
        raise BadReplay(f"{what} has {faults} faults, but only {seats} seats")
    if breaks > MOST_BREAKS:
        raise BadReplay(f"{what} has {breaks} breaks, not {MOST_BREAKS} at most")


def _put_match(record: Record, version: int) -> bytes:
    added = put_blob(record.salt) + put_uint(len(record.breaks)) if version > 1 else b""
    return (
        put_text(record.game_id)
        + put_text(record.parameters)
        + put_blob(record.seed)
        + put_text(record.clock)
        + put_text(record.cage)
        + put_uint(len(record.decisions))
        + put_uint(len(record.faults))
        + added
    )


def _put_entrant(entrant: Entrant) -> bytes:
    return put_text(entrant.name) + put_text(entrant.version)


def _put_decisions(decisions: Iterable[Decision], seats: int) -> bytes:
    """Write decisions: one number for action, seat and how together, and one for the time."""
    parts: list[bytes] = []
    for seat, action, how, time_us in decisions:
        if not 0 <= seat < seats:
            raise BadReplay(f"a decision of seat {seat} cannot be written: there are {seats} seats")
        code = (action * seats + seat) * len(_HOWS) + _HOW_CODES[how]
        parts += (put_uint(code), put_uint(time_us))
    return b"".join(parts)


def _read_decisions(section: Unpacking, count: int, seats: int) -> list[Decision]:
    decisions = []
    for _ in range(count):
        code, how = divmod(section.uint(), len(_HOWS))
        action, seat = divmod(code, seats)
        decisions.append(Decision(seat, action, _HOWS[how], section.uint()))
    section.end()
    return decisions


def _put_fault(fault: Fault) -> bytes:
    return (
        put_uint(fault.seat)
        + put_uint(_SEAT_ENDING_CODES[fault.ending])
        + put_text(fault.sentence)
        + put_blob(fault.request)
        + put_blob(fault.reply)
        + put_fraction(fault.time_left_s)
        + put_blob(fault.stderr)
    )


def _read_fault(section: Unpacking) -> Fault:
    fault = Fault(
        section.uint(),
        _coded(section, "the ending of a seat", _SEAT_ENDINGS),
        section.text(),
        section.blob(),
        section.blob(),
        section.fraction(),
        section.blob(),
    )
    section.end()
    return fault


def _put_break(each: Break) -> bytes:
    return put_uint(each.seat) + put_uint(_SEAT_ENDING_CODES[each.ending]) + put_text(each.sentence)


def _read_break(section: Unpacking) -> Break:
    ending = "the ending of a seat"
    found = Break(section.uint(), _coded(section, ending, _SEAT_ENDINGS), section.text())
    section.end()
    return found


def _put_result(record: Record) -> bytes:
    for values in (record.outcome.places, record.outcome.scores, record.places):
        if len(values) > MOST_SEATS:
            raise BadReplay(f"a result of {len(values)} seats cannot be written")
    return (
        put_several(put_uint, record.outcome.places)
        + put_several(put_sint, record.outcome.scores)
        + put_uint(_ENDING_CODES[record.outcome.ending])
        + put_several(put_uint, record.places)
    )


def _read_result(section: Unpacking) -> tuple[Outcome, tuple[int, ...]]:
    outcome = Outcome(
        section.several(section.uint, most=MOST_SEATS),
        section.several(section.sint, most=MOST_SEATS),
        _coded(section, "the ending of a match", _ENDINGS),
    )
    places = section.several(section.uint, most=MOST_SEATS)
    section.end()
    return outcome, places


def _coded(section: Unpacking, what: str, codes: dict[int, E]) -> E:
    code = section.uint()
    if code not in codes:
        raise section.wrong(what, code)
    return codes[code]

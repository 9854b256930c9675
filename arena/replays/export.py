"""Export a match for other programs, with nothing left out.

The result is one document of plain values, ready for JSON: the deal, every action, every random
event and everything that happened in public. README.md explains every name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.games.notation import NOTHING
from arena.games.registry import AnyGame, game_named
from arena.records import Decision, Fault, How, Record, replay_record
from arena.replays.explanation import explain_end
from arena.wire.envelope import commitment

EXPORT = 1
"""The version of the document; it changes when a name or a meaning does."""

# JSON values differ in type, hence Any.


def document(record: Record) -> dict[str, Any]:
    """Return everything that a record and the rules say about a match, without verifying it."""
    game = game_named(record.game_id)
    steps = []
    event_count = 0
    printed = dict(record.outputs)
    notes = dict(record.notes)
    for number, (decision, state) in enumerate(replay_record(record), start=-1):
        events = state.events[event_count:]
        event_count = len(state.events)
        step = {} if decision is None else _decision(game, number, decision)
        if number in printed:
            step["printed"] = printed[number].decode("utf-8", "backslashreplace")
        if number in notes:
            step["note"] = notes[number]
        has_deal = decision is None or changes_hands(game, events)
        steps.append(
            step
            | {
                "events": [_event(game, event) for event in events],
                "deal": _deal(game, state) if has_deal else None,
            }
        )
    return {
        "export": EXPORT,
        "game": record.game_id,
        "parameters": game.settings(game.parameters_form.read(record.parameters)),
        "seed": record.seed.hex(),
        "salt": record.salt.hex(),
        "commitment": commitment(record.seed, record.salt).hex(),
        "clock": record.clock,
        "cage": record.cage,
        "players": [
            {"name": name, "version": version, "hash": hash.hex()}
            for name, version, hash in record.entrants
        ],
        "start": steps[0],
        "decisions": steps[1:],
        "faults": [_fault(record, fault) for fault in record.faults],
        "models": [
            {"seat": seat, **used.service._asdict()}
            for seat, used in enumerate(record.usage)
            if used.service
        ],
        "breaks": [
            {"seat": seat, "ending": ending.code, "sentence": sentence}
            for seat, ending, sentence in record.breaks
        ],
        "outcome": {
            "places": list(record.outcome.places),
            "scores": list(record.outcome.scores),
            "ending": record.outcome.ending.code,
        },
        "places": list(record.places),
        "explanation": explain_end(record)._asdict(),
    }


def stand_in_start(record: Record, seat: int) -> int | None:
    """Return the number of the first decision of a seat's stand-in; None if it never had one."""
    for number, decision in enumerate(record.decisions):
        if decision.seat == seat and decision.how is How.STAND_IN:
            return number
    return None


def changes_hands(game: AnyGame, events: Sequence[Any]) -> bool:
    """Tell whether these events may have changed hands in ways that no event shows."""
    return any(isinstance(event, game.deal_events) for event in events)


def _decision(game: AnyGame, number: int, decision: Decision) -> dict[str, Any]:
    return {
        "number": number,
        "seat": decision.seat,
        "action": game.action_text(decision.action),
        "index": decision.action,
        "how": decision.how.value,
        "time_us": decision.time_us,
    }


def _deal(game: AnyGame, state: Any) -> dict[str, Any]:
    deal = game.hidden_cards(state)
    return {
        "hands": [list(hand) for hand in deal.hands],
        "face_down": list(deal.face_down),
        "views": [game.view_form.show(game.view_of(state, seat)) for seat in range(state.seats)],
    }


def _event(game: AnyGame, event: Any) -> dict[str, Any]:
    text = game.event_form.show(event)
    kind, *words = text.split(" ")
    pairs = (word.partition("=") for word in words)
    fields = {name: _value(getattr(event, name), shown) for name, _, shown in pairs}
    return {"kind": kind, "text": text, "fields": fields}


def _value(value: Any, shown: str) -> Any:
    """Give a field its JSON type: its shape from the value, its words from the notation."""
    if isinstance(value, bool):
        return value
    if isinstance(value, tuple):
        return [_word(part) for part in shown.split(",")] if value else []
    return _word(shown)


def _word(shown: str) -> int | str | None:
    if shown == NOTHING:
        return None
    return int(shown) if shown.removeprefix("-").isdigit() else shown


def _fault(record: Record, fault: Fault) -> dict[str, Any]:
    return {
        "seat": fault.seat,
        "ending": fault.ending.code,
        "sentence": fault.sentence,
        "decision": stand_in_start(record, fault.seat),
        "request": fault.request.hex(),
        "reply": fault.reply.hex(),
        "time_left_s": fault.time_left_s,
        "stderr": fault.printed.decode("utf-8", "backslashreplace"),
    }

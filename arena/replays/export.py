"""How is a match handed to other programs, with nothing left out?

As one document of plain values, ready for JSON: the deal, every action, everything that chance
brought and everything that happened in the open. README.md explains every name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.games.forms import NOTHING
from arena.games.registry import AnyGame, game_named
from arena.records import Decision, Fault, How, Record, replayed
from arena.replays.deals import deal_of
from arena.wire.messages import commitment

EXPORT = 1
"""The version of the document; it changes when a name or a meaning does."""

_HANDS_CHANGED = ("round", "settled")
"""The kinds of events, of all games: a round was dealt, or partners may have swapped."""

# The documents below are JSON, whose values differ in type: hence Any.


def document(record: Record) -> dict[str, Any]:
    """Return all that a record and the rules tell of a match; the record should be a true one."""
    game = game_named(record.game_id)
    steps = []
    told = 0
    for number, (decision, state) in enumerate(replayed(record), start=-1):
        events = state.events[told:]
        told = len(state.events)
        made = {} if decision is None else _made(game, number, decision)
        dealt = decision is None or hands_changed(game, events)
        steps.append(
            made
            | {
                "events": [_event(game, event) for event in events],
                "deal": _deal(game, state) if dealt else None,
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
        "players": [{"name": name, "version": version} for name, version in record.entrants],
        "start": steps[0],
        "decisions": steps[1:],
        "faults": [_fault(record, fault) for fault in record.faults],
        "breaks": [
            {"seat": seat, "ending": ending.value, "sentence": sentence}
            for seat, ending, sentence in record.breaks
        ],
        "outcome": {
            "places": list(record.outcome.places),
            "scores": list(record.outcome.scores),
            "ending": record.outcome.ending.value,
        },
        "places": list(record.places),
    }


def out_since(record: Record, seat: int) -> int | None:
    """Return the number of the first decision of a seat's stand-in; None if it never had one."""
    for number, decision in enumerate(record.decisions):
        if decision.seat == seat and decision.how is How.STAND_IN:
            return number
    return None


def hands_changed(game: AnyGame, events: Sequence[Any]) -> bool:
    """Tell whether hands may hold other cards after these events, in a way no event tells."""
    kinds = (game.event_form.show(event).partition(" ")[0] for event in events)
    return any(kind in _HANDS_CHANGED for kind in kinds)


def _made(game: AnyGame, number: int, decision: Decision) -> dict[str, Any]:
    return {
        "number": number,
        "seat": decision.seat,
        "action": game.action_text(decision.action),
        "index": decision.action,
        "how": decision.how.value,
        "time_us": decision.time_us,
    }


def _deal(game: AnyGame, state: Any) -> dict[str, Any]:
    deal = deal_of(game.id, state)
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
    """Give a field its JSON type: from the value its shape, from the notation its words."""
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
        "ending": fault.ending.value,
        "sentence": fault.sentence,
        "decision": out_since(record, fault.seat),
        "request": fault.request.hex(),
        "reply": fault.reply.hex(),
        "time_left_s": fault.time_left_s,
        "stderr": fault.stderr.decode("utf-8", "backslashreplace"),
    }

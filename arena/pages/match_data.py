"""The data in the page of a match.

A page that shows everything contains every seat's view at every step, the cards that no seat could
see, and the faults. A page for one seat is made only from that seat's views and the public events:
searching the file reveals no more than the seat knew.

Views and events are in their game's notation, which the page's script reads. A step contains only
the fields of a view that have changed since the step before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arena.games.registry import AnyGame, game_named
from arena.records import Decision, Fault, How, Record, replay_record
from arena.replays.decision_details import DecisionDetails, details_of
from arena.replays.explanation import explain_end
from arena.replays.export import stand_in_start
from arena.replays.transcript import crash_line, player_names, printed_lines
from arena.text import plain

# JSON values differ in type, hence Any.


def match_data(record: Record, seat: int | None = None) -> dict[str, Any]:
    """Return what a page may show of a match: everything, or what one seat knew."""
    game = game_named(record.game_id)
    for_everything = {"seed": record.seed.hex()} if seat is None else {}
    events: dict[tuple[str, str], int] = {}
    frames = list(_frames(game, record, seat, events))
    return for_everything | {
        "game": game.id,
        "title": game.title,
        "settings": _changed_settings(game, record),
        "names": player_names(record),
        "versions": [plain(entrant.version) for entrant in record.entrants],
        "clock": record.clock,
        "cage": record.cage,
        "viewpoint": seat,
        "events": list(events),
        "frames": frames,
        "faults": [_fault(record, fault) for fault in record.faults if seat in (None, fault.seat)],
        "places": record.places,
        "scores": record.outcome.scores,
        "endings": [record.ending_of(each).value for each in range(len(record.entrants))],
        "score_word": game.score_word,
        "ending": record.outcome.ending.value,
        "explanation": explain_end(record)._asdict(),
    }


def _changed_settings(game: AnyGame, record: Record) -> list[str]:
    settings = game.settings(game.parameters_form.read(record.parameters))
    default = game.settings(game.default_parameters)
    return [f"{name}={value}" for name, value in settings.items() if value != default[name]]


def _frames(
    game: AnyGame,
    record: Record,
    seat: int | None,
    event_numbers: dict[tuple[str, str], int],
) -> Iterator[dict[str, Any]]:
    """Yield the deal, then each decision with its consequences.

    Many events are alike, so frames contain the numbers of events, which `event_numbers` collects.
    """
    names = player_names(record)
    seats = range(len(record.entrants)) if seat is None else (seat,)
    before: dict[int, dict[str, str]] = {each: {} for each in seats}
    face_down: tuple[str, ...] = ()
    event_count = 0
    printed = dict(record.outputs)
    notes = dict(record.notes)
    details = details_of(record)
    for number, (decision, state) in enumerate(replay_record(record), start=-1):
        events = state.events[event_count:]
        event_count = len(state.events)
        now = {each: _fields(game, game.view_of(state, each)) for each in seats}
        frame = _changes(before, now)
        before = now
        if events:
            narrated = [
                (game.event_form.show(event), game.narrate(event, names)) for event in events
            ]
            frame["events"] = [
                event_numbers.setdefault(event, len(event_numbers)) for event in narrated
            ]
        if decision is not None:
            frame["seat"] = decision.seat
            if seat in (None, decision.seat):
                frame |= _decision(game, decision, events) | _details(details[number])
                if number in printed:
                    frame["printed"] = "\n".join(printed_lines(printed[number]))
                if number in notes:
                    frame["note"] = plain(notes[number])
        if seat is None:
            now_face_down = game.hidden_cards(state).face_down
            if now_face_down != face_down:
                frame["down"] = face_down = now_face_down
        yield frame


def _fields(game: AnyGame, view: Any) -> dict[str, str]:
    lines = (line.partition(": ") for line in game.view_form.show(view).split("\n"))
    return {name: value for name, _, value in lines}


def _changes(
    before: Mapping[int, Mapping[str, str]], now: Mapping[int, Mapping[str, str]]
) -> dict[str, Any]:
    """Return what changed in the views: equally in all of them, and in some of them."""
    changed = {
        seat: {name: value for name, value in view.items() if before[seat].get(name) != value}
        for seat, view in now.items()
    }
    first, *others = changed.values()
    alike = {
        name: value
        for name, value in first.items()
        if all(other.get(name) == value for other in others)
    }
    own = {
        seat: {name: value for name, value in view.items() if name not in alike}
        for seat, view in changed.items()
    }
    own = {seat: view for seat, view in own.items() if view}
    return ({"all": alike} if alike else {}) | ({"own": own} if own else {})


def _decision(game: AnyGame, decision: Decision, events: Sequence[Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {"us": decision.time_us}
    if decision.how is not How.CHOSEN:
        fields = {"how": decision.how.value}
    # The events that follow a secret choice do not belong to one seat.
    if not events or getattr(events[0], "seat", None) != decision.seat:
        fields["secret"] = game.action_text(decision.action)
    return fields


def _details(details: DecisionDetails) -> dict[str, Any]:
    fields: dict[str, Any] = {} if details.left_us is None else {"left_us": details.left_us}
    if details.alternatives:
        fields |= {"instead": details.alternatives}
    if details.more:
        fields |= {"more": details.more}
    return fields


def _fault(record: Record, fault: Fault) -> dict[str, Any]:
    return {
        "seat": fault.seat,
        "ending": fault.ending.value,
        "sentence": plain(fault.sentence),
        "decision": stand_in_start(record, fault.seat),
        "last_line": crash_line(fault),
        "stderr": fault.printed.decode("utf-8", "backslashreplace"),
    }

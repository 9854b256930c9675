"""The data in the page of a match.

A page that shows everything contains every seat's view at every step, the cards that no seat could
see, and the faults. A page for one seat is made only from that seat's views and the public events:
searching the file reveals no more than the seat knew. A step contains only the fields of a view
that have changed since the step before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from arena.analysis.assessment import MISTAKE_PLACES, Analysis
from arena.games.notation import Known, values_of
from arena.games.registry import AnyGame, game_named, variant_words
from arena.pages.template import drawing_of
from arena.records import Decision, Fault, How, Record, replay_record
from arena.replays.explanation import explain_end
from arena.replays.export import stand_in_start
from arena.replays.transcript import player_names, printed_lines
from arena.text import plain

WORST = 5
"""Number of decisions that are listed as the worst."""
LISTED_ACTIONS = 40
"""Of a decision with more legal actions, a page says only how many there were."""

# JSON values differ in type, hence Any.


def match_data(
    record: Record, seat: int | None = None, analysis: Analysis | None = None
) -> dict[str, Any]:
    """Return what a page may show of a match: everything, or what one seat knew.

    With an analysis, it also has what search thinks of the decisions.
    """
    game = game_named(record.game_id)
    for_everything = {"seed": record.seed.hex()} if seat is None else {}
    parameters = game.parameters_form.read(record.parameters)
    names = player_names(record)
    lists = _Lists({}, {}, {}, [])
    frames = list(_frames(game, record, seat, lists))
    return for_everything | {
        "game": game.id,
        "title": game.title,
        "aim": game.aim,
        "variant": variant_words(game, parameters),
        "names": names,
        "sides": game.sides(len(record.entrants), parameters),
        "versions": [plain(entrant.version) for entrant in record.entrants],
        "clock": record.clock,
        "cage": record.cage,
        "viewpoint": seat,
        "event_fields": event_fields(game),
        "events": [event_values(game, event, names) for _, event in lists.events],
        "actions": list(lists.actions),
        "choices": list(lists.choices),
        "frames": frames,
        "faults": [_fault(record, fault) for fault in record.faults if seat in (None, fault.seat)],
        "course": lists.course,
        "analysis": analysis and analysis_data(game, analysis.of_seat(seat)),
        **result_data(record),
    }


def result_data(record: Record) -> dict[str, Any]:
    """Return what everyone may know about the result of a match."""
    return {
        "places": record.places,
        "scores": record.outcome.scores,
        "endings": [record.ending_of(each).value for each in range(len(record.entrants))],
        "score_word": game_named(record.game_id).score_word,
        "ending": record.outcome.ending.value,
        "explanation": explain_end(record)._asdict(),
    }


def analysis_data(game: AnyGame, analysis: Analysis) -> dict[str, Any]:
    """Return an analysis as plain values, ready for JSON."""
    return {
        "effort": str(analysis.effort),
        "mistake": MISTAKE_PLACES,
        "course": analysis.course(),
        "accuracy": [each._asdict() for each in analysis.accuracy()],
        "worst": [each.number for each in analysis.worst(WORST)],
        "decisions": [
            {
                "number": each.number,
                "seat": each.seat,
                "played": game.action_text(each.played),
                "best": game.action_text(each.best),
                "chances": each.chances,
                "place": each.place,
                "loss": each.loss,
                "error": each.error,
                "mistake": each.is_mistake,
                "mark": each.mark,
                "playouts": each.playouts,
            }
            for each in analysis.assessments
        ],
    }


class _Lists(NamedTuple):
    """Values that frames refer to by their numbers, because many are equal."""

    events: dict[tuple[type, Any], int]
    """Each with its type: events of two types may be equal."""
    actions: dict[str, int]
    choices: dict[tuple[int, ...] | int, int]
    """The numbers of the legal actions at a decision, or only how many there were."""
    course: list[tuple[int, tuple[int, ...]]]
    """The frames in which scores change, with the scores by seat; they are public."""


def _frames(
    game: AnyGame,
    record: Record,
    seat: int | None,
    lists: _Lists,
) -> Iterator[dict[str, Any]]:
    """Yield the deal, then each decision with its consequences."""
    seats = range(len(record.entrants)) if seat is None else (seat,)
    before: dict[int, dict[str, Any]] = {each: {} for each in seats}
    known: Known = {}
    face_down: tuple[str, ...] = ()
    event_count = 0
    printed = dict(record.outputs)
    notes = dict(record.notes)
    legal: list[int] = []
    for number, (decision, state) in enumerate(replay_record(record), start=-1):
        events = state.events[event_count:]
        event_count = len(state.events)
        now = {each: view_values(game, game.view_of(state, each), known) for each in seats}
        frame = _changes(before, now)
        before = now
        scores = state.scores()
        if not lists.course or scores != lists.course[-1][1]:
            lists.course.append((number + 1, scores))
        if events:
            frame["events"] = [_number(lists.events, (type(event), event)) for event in events]
        if decision is not None:
            frame["seat"] = decision.seat
            if seat in (None, decision.seat):
                frame |= _decision(game, decision, events, legal, lists)
                if number in printed:
                    frame["printed"] = "\n".join(printed_lines(printed[number]))
                if number in notes:
                    frame["note"] = plain(notes[number])
        if seat is None:
            now_face_down = game.hidden_cards(state).face_down
            if now_face_down != face_down:
                frame["down"] = face_down = now_face_down
        legal = state.legal_actions()
        yield frame


def _number(values: dict[Any, int], value: Any) -> int:
    """Return the number of a value in a list, after adding it if it is new."""
    return values.setdefault(value, len(values))


def view_values(game: AnyGame, view: Any, known: Known | None = None) -> dict[str, Any]:
    """Return the fields of a view, as texts in the notation of a game that has no drawing."""
    if drawing_of(game) != "notation":
        return values_of(view, known)
    lines = (line.partition(": ") for line in game.view_form.show(view).split("\n"))
    return {name: value for name, _, value in lines}


def event_fields(game: AnyGame) -> dict[str, list[str]]:
    """Return the names of `event_values` for each kind of event."""
    return {
        kind: ["kind", "sentence", *record._fields] for kind, record in game.event_types.items()
    }


def event_values(game: AnyGame, event: Any, names: Sequence[str]) -> list[Any]:
    """Return the kind of an event, the sentence that says what happened, and the fields."""
    kind = next(word for word, record in game.event_types.items() if type(event) is record)
    return [kind, game.narrate(event, names), *values_of(event).values()]


def _changes(
    before: Mapping[int, Mapping[str, Any]], now: Mapping[int, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return what changed in the views: equally in all of them, and in some of them."""
    # Most values are the same objects as before; comparing those would take longer.
    changed = {
        seat: {
            name: value
            for name, value in view.items()
            if (was := before[seat].get(name)) is not value and was != value
        }
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
        if len(view) > len(alike)
    }
    return ({"all": alike} if alike else {}) | ({"own": own} if own else {})


def _decision(
    game: AnyGame, decision: Decision, events: Sequence[Any], legal: Sequence[int], lists: _Lists
) -> dict[str, Any]:
    def action_number(action: int) -> int:
        return _number(lists.actions, game.action_text(action))

    fields: dict[str, Any] = {"how": decision.how.value}
    if decision.how is How.CHOSEN:
        is_listed = len(legal) <= LISTED_ACTIONS
        choice = tuple(map(action_number, legal)) if is_listed else len(legal)
        action = action_number(decision.action)
        fields = {"us": decision.time_us, "chose": [action, _number(lists.choices, choice)]}
    # The events that follow a secret choice do not belong to one seat.
    if not events or getattr(events[0], "seat", None) != decision.seat:
        fields["secret"] = game.action_text(decision.action)
    return fields


def _fault(record: Record, fault: Fault) -> dict[str, Any]:
    return {
        "seat": fault.seat,
        "ending": fault.ending.value,
        "sentence": plain(fault.sentence),
        "decision": stand_in_start(record, fault.seat),
        "stderr": fault.printed.decode("utf-8", "backslashreplace"),
    }

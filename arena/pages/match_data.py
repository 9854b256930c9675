"""What does a page about a match know?

A page that shows everything knows every seat's view of every moment, what no seat could see, and
what the bots did wrong. A page for one seat is made from that seat's views and from what happened
in the open, and from nothing else: whoever searches the file finds no more than the seat knew.

Views and events are in their game's notation, which the page's script reads. Of a view only those
fields are told that have changed since the moment before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arena.games.registry import AnyGame, game_named
from arena.records import Decision, Fault, How, Record, replayed
from arena.replays.deals import deal_of
from arena.replays.export import out_since
from arena.replays.story import Teller, names_in, plain

# What follows becomes JSON, whose values differ in type: hence Any.


def match_data(record: Record, teller: Teller, seat: int | None = None) -> dict[str, Any]:
    """Return all that a page may show of a match: everything, or what one seat knew."""
    game = game_named(record.game_id)
    everything = {"seed": record.seed.hex()} if seat is None else {}
    events: dict[tuple[str, str], int] = {}
    frames = list(_frames(game, record, teller, seat, events))
    return everything | {
        "game": game.id,
        "title": game.title,
        "settings": _unusual(game, record),
        "names": names_in(record),
        "versions": [plain(entrant.version) for entrant in record.entrants],
        "clock": record.clock,
        "cage": record.cage,
        "eyes": seat,
        "events": list(events),
        "frames": frames,
        "faults": [_fault(record, fault) for fault in record.faults if seat in (None, fault.seat)],
        "places": record.places,
        "scores": record.outcome.scores,
        "endings": [record.ending_of(each).value for each in range(len(record.entrants))],
        "score_word": game.score_word,
        "ending": record.outcome.ending.value,
    }


def _unusual(game: AnyGame, record: Record) -> list[str]:
    settings = game.settings(game.parameters_form.read(record.parameters))
    usual = game.settings(game.default_parameters)
    return [f"{name}={value}" for name, value in settings.items() if value != usual[name]]


def _frames(
    game: AnyGame,
    record: Record,
    teller: Teller,
    seat: int | None,
    numbers: dict[tuple[str, str], int],
) -> Iterator[dict[str, Any]]:
    """Yield the deal, and then each decision with what came of it.

    Many events are alike, so frames have the numbers of events, which are collected in `numbers`.
    """
    names = names_in(record)
    seats = range(len(record.entrants)) if seat is None else (seat,)
    before: dict[int, dict[str, str]] = {each: {} for each in seats}
    face_down: tuple[str, ...] = ()
    told = 0
    for decision, state in replayed(record):
        events = state.events[told:]
        told = len(state.events)
        now = {each: _fields(game, game.view_of(state, each)) for each in seats}
        frame = _changes(before, now)
        before = now
        if events:
            told_as = [(game.event_form.show(event), teller.tell(event, names)) for event in events]
            frame["events"] = [numbers.setdefault(event, len(numbers)) for event in told_as]
        if decision is not None:
            frame["seat"] = decision.seat
            if seat in (None, decision.seat):
                frame |= _made(game, decision, events)
        if seat is None:
            lying = deal_of(game.id, state).face_down
            if lying != face_down:
                frame["down"] = face_down = lying
        yield frame


def _fields(game: AnyGame, view: Any) -> dict[str, str]:
    lines = (line.partition(": ") for line in game.view_form.show(view).split("\n"))
    return {name: value for name, _, value in lines}


def _changes(
    before: Mapping[int, Mapping[str, str]], now: Mapping[int, Mapping[str, str]]
) -> dict[str, Any]:
    """Tell what changed in the views: alike for all of them, and in some only."""
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


def _made(game: AnyGame, decision: Decision, events: Sequence[Any]) -> dict[str, Any]:
    made: dict[str, Any] = {"us": decision.time_us}
    if decision.how is not How.CHOSEN:
        made = {"how": decision.how.value}
    # What follows from a secret choice is nobody's doing in particular.
    if not events or getattr(events[0], "seat", None) != decision.seat:
        made["secret"] = game.action_text(decision.action)
    return made


def _fault(record: Record, fault: Fault) -> dict[str, Any]:
    return {
        "seat": fault.seat,
        "ending": fault.ending.value,
        "sentence": plain(fault.sentence),
        "decision": out_since(record, fault.seat),
        "stderr": fault.stderr.decode("utf-8", "backslashreplace"),
    }

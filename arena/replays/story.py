"""How is a match told as text, to somebody who may know everything, or with one seat's eyes?

The sentences and pictures are the game's own; whoever asks brings them along. A story comes in
paragraphs, so that it can be read step by step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from arena.games.registry import AnyGame, game_named
from arena.records import Decision, How, Record, SeatEnding, replayed
from arena.replays.deals import deal_of
from arena.replays.export import hands_changed, out_since

_MARKS = {"none": " (played without a cage)", "landlock": " (played in the lesser cage)"}
"""What must be known of a result that was made in less than the full cage."""


class Teller(Protocol):
    """What a game can draw and say; views and events are of its own types, hence Any."""

    def draw(self, view: Any) -> str:
        """Draw the table as one seat sees it."""

    def tell(self, event: Any, names: Sequence[str]) -> str:
        """Say in a sentence what happened."""


def story(record: Record, teller: Teller, *, hidden: bool = False) -> Iterator[str]:
    """Tell everything that happened in the open, with thinking times.

    With `hidden`, tell also the deals and the actions as they were decided, secret ones included.
    """
    game = game_named(record.game_id)
    names = names_in(record)
    yield title_told(game, record)
    faults = faults_told(record)
    told = 0
    for number, (decision, state) in enumerate(replayed(record), start=-1):
        events = state.events[told:]
        told = len(state.events)
        sentences = [teller.tell(event, names) for event in events]
        lines = []
        if decision is not None:
            lines += faults.get(number, [])
            note = f"({time_told(decision)})"
            if hidden:
                action = game.action_text(decision.action)
                lines.append(f"decision {number}, {names[decision.seat]}: {action}  {note}")
            elif sentences and getattr(events[0], "seat", None) == decision.seat:
                lines.append(f"{sentences.pop(0)}  {note}")
            else:
                # What follows from a secret choice is nobody's doing in particular.
                lines.append(f"{names[decision.seat]} chooses in secret.  {note}")
        lines += sentences
        if hidden and (decision is None or hands_changed(game, events)):
            lines += _deal(game, state, names)
        if lines:
            yield "\n".join(lines)
    yield placing(record)
    yield f"seed {record.seed.hex()}, {record.outcome.ending.value}"


def story_of_seat(record: Record, teller: Teller, seat: int) -> Iterator[str]:
    """Tell the match as one seat lived it: its view before each of its decisions, and events.

    What it could not know until the end is not told: other seats' thinking times and faults, and
    the seed.
    """
    game = game_named(record.game_id)
    names = names_in(record)
    yield f"{title_told(game, record)}; through the eyes of {names[seat]}, seat {seat}"
    faults = faults_told(record)
    told = 0
    for number, (_, state) in enumerate(replayed(record)):
        lines = [teller.tell(event, names) for event in state.events[told:]]
        told = len(state.events)
        if number < len(record.decisions) and record.decisions[number].seat == seat:
            decision = record.decisions[number]
            lines += faults.get(number, [])
            lines += ["", teller.draw(game.view_of(state, seat))]
            action = game.action_text(decision.action)
            lines += [f"{names[seat]} decides: {action}  ({time_told(decision)})", ""]
        if lines:
            yield "\n".join(lines)
    yield placing(record)


def placing(record: Record) -> str:
    """Write the result as a table, the best place first."""
    game = game_named(record.game_id)
    names = names_in(record)
    wide = max(6, *map(len, names))
    word = game.score_word
    lines = [f"place  seat  {'player':{wide}}  {word}"]
    for place, seat in sorted((place, seat) for seat, place in enumerate(record.places)):
        score = record.outcome.scores[seat]
        ending = record.ending_of(seat)
        note = "" if ending is SeatEnding.PLAYED else ending.value
        line = f"{place:>5}  {seat:>4}  {names[seat]:{wide}}  {score:>{len(word)}}  {note}"
        lines.append(line.rstrip())
    return "\n" + "\n".join(lines)


def names_in(record: Record) -> list[str]:
    """Return the players' names, fit for a terminal."""
    return [plain(entrant.name) for entrant in record.entrants]


def plain(text: str) -> str:
    """Replace whatever could move a terminal's cursor: a replay may come from anywhere."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def title_told(game: AnyGame, record: Record) -> str:
    """Say what is played, how, and by whom."""
    settings = game.settings(game.parameters_form.read(record.parameters))
    usual = game.settings(game.default_parameters)
    odd = [f"{name}={value}" for name, value in settings.items() if value != usual[name]]
    players = ", ".join(names_in(record))
    mark = _MARKS.get(record.cage, "")
    return f"{' '.join([game.title, *odd])}, {len(record.entrants)} players: {players}{mark}"


def faults_told(record: Record) -> dict[int | None, list[str]]:
    """Say who faulted, by the number of the decision that was wanted."""
    names = names_in(record)
    return {
        out_since(record, fault.seat): [
            f"{names[fault.seat]} faulted ({fault.ending.value}): {plain(fault.sentence)}.",
            f"A stand-in plays on for {names[fault.seat]}.",
        ]
        for fault in record.faults
    }


def time_told(decision: Decision) -> str:
    """Say how long a decision took, or why it took no time."""
    if decision.how is not How.CHOSEN:
        return str(decision.how.value)
    return duration_told(decision.time_us)


def duration_told(time_us: int) -> str:
    """Write a thinking time, given in microseconds."""
    if time_us < 1_000:
        return f"{time_us} µs"
    if time_us < 1_000_000:
        return f"{time_us / 1_000:.1f} ms"
    return f"{time_us / 1_000_000:.1f} s"


def _deal(game: AnyGame, state: Any, names: Sequence[str]) -> Iterator[str]:
    deal = deal_of(game.id, state)
    for name, hand in zip(names, deal.hands, strict=True):
        if hand:
            yield f"  {name} holds {' '.join(hand)}"
    if deal.face_down:
        yield f"  face down {' '.join(deal.face_down)}"

"""Write a match as text, with everything visible or from one seat's point of view.

A transcript comes in paragraphs, so that it can be read step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from arena.games.registry import AnyGame, game_named, variant_words
from arena.records import Fault, Record, SeatEnding, replay_record
from arena.replays.decision_details import decision_time, details_of
from arena.replays.explanation import explain_end
from arena.replays.export import changes_hands, stand_in_start
from arena.text import plain

Draw = Callable[..., str]
"""Draws a view as text, with the players' names."""

_CAGE_NOTES = {
    "none": " (played without a cage)",
    "landlock": " (played in a weaker cage)",
    "bubblewrap-disk": " (played in a cage with files on a disk)",
}
"""Notes for matches played in anything less than a full cage."""


def transcript(record: Record, *, hidden: bool = False) -> Iterator[str]:
    """Yield all public events, with thinking times.

    With `hidden`, include the deals, every action as it was decided, even the secret ones, what
    else was legal, the clocks, and what the bots printed and noted.
    """
    game = game_named(record.game_id)
    names = player_names(record)
    yield match_title(game, record)
    faults, outputs = fault_sentences(record), output_lines(record)
    details, notes = details_of(record), note_lines(record)
    event_count = 0
    for number, (decision, state) in enumerate(replay_record(record), start=-1):
        events = state.events[event_count:]
        event_count = len(state.events)
        sentences = [game.narrate(event, names) for event in events]
        lines = []
        if decision is not None:
            lines += faults.get(number, [])
            note = f"({decision_time(decision)})"
            if hidden:
                lines += outputs.get(number, [])
                action = game.action_text(decision.action)
                note = f"({decision_time(decision, details[number].left_us)})"
                lines.append(f"decision {number}, {names[decision.seat]}: {action}  {note}")
                lines += [f"  {line}" for line in (details[number].sentence,) if line]
                lines += notes.get(number, [])
            elif sentences and getattr(events[0], "seat", None) == decision.seat:
                lines.append(f"{sentences.pop(0)}  {note}")
            else:
                # The events that follow a secret choice do not belong to one seat.
                lines.append(f"{names[decision.seat]} chooses in secret.  {note}")
        lines += sentences
        if hidden and (decision is None or changes_hands(game, events)):
            lines += _deal(game, state, names)
        if lines:
            yield "\n".join(lines)
    yield result_text(record)
    yield f"seed {record.seed.hex()}, {record.outcome.ending.value}"


def seat_transcript(record: Record, seat: int, draw: Draw) -> Iterator[str]:
    """Yield the match as one seat saw it: the public events, and its view before each decision.

    Other seats' thinking times and faults, and the seed, are left out: the seat did not know them.
    """
    game = game_named(record.game_id)
    names = player_names(record)
    yield f"{match_title(game, record)}; as seen by {names[seat]}, seat {seat}"
    faults, outputs = fault_sentences(record), output_lines(record)
    details, notes = details_of(record), note_lines(record)
    event_count = 0
    for number, (_, state) in enumerate(replay_record(record)):
        lines = [game.narrate(event, names) for event in state.events[event_count:]]
        event_count = len(state.events)
        if number < len(record.decisions) and record.decisions[number].seat == seat:
            decision = record.decisions[number]
            lines += faults.get(number, [])
            lines += outputs.get(number, [])
            lines += ["", draw(game.view_of(state, seat), names=names)]
            action = game.action_text(decision.action)
            time = decision_time(decision, details[number].left_us)
            lines.append(f"{names[seat]} decides: {action}  ({time})")
            lines += [f"  {line}" for line in (details[number].sentence,) if line]
            lines += [*notes.get(number, []), ""]
        if lines:
            yield "\n".join(lines)
    yield result_text(record)


def result_text(record: Record) -> str:
    """Write the result, and its explanation."""
    return f"{result_table(record)}\n\n{explanation_text(record)}"


def explanation_text(record: Record) -> str:
    """Write the explanation of the end: its sentence, and its breakdown as a table."""
    explanation = explain_end(record)
    names = full_names(record)
    order = sorted(range(len(names)), key=lambda seat: (record.places[seat], seat))
    table = [["player", *explanation.columns]]
    table += [[names[seat], *explanation.rows[seat]] for seat in order]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        "  ".join(f"{cell:{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in table
    ]
    return "\n".join([explanation.sentence, "", *lines])


def result_table(record: Record) -> str:
    """Write the result as a table, best place first."""
    game = game_named(record.game_id)
    names = full_names(record)
    width = max(6, *map(len, names))
    word = game.score_word
    sides = game.sides(len(names), game.parameters_form.read(record.parameters))
    in_teams = len(set(sides)) < len(sides)
    lines = [f"place  seat  {'player':{width}}  {'team  ' * in_teams}{word}"]
    for place, seat in sorted((place, seat) for seat, place in enumerate(record.places)):
        score = record.outcome.scores[seat]
        ending = record.ending_of(seat)
        note = "" if ending is SeatEnding.PLAYED else ending.value
        team = f"{sides[seat]:>4}  " if in_teams else ""
        line = f"{place:>5}  {seat:>4}  {names[seat]:{width}}  {team}{score:>{len(word)}}  {note}"
        lines.append(line.rstrip())
    return "\n" + "\n".join(lines)


def player_names(record: Record) -> list[str]:
    """Return the players' names, safe for a terminal."""
    return [plain(entrant.name) for entrant in record.entrants]


def full_names(record: Record) -> list[str]:
    """Return the players' names with their versions, for titles and tables: kitten@1."""
    return [
        plain(f"{entrant.name}@{entrant.version}" if entrant.version else entrant.name)
        for entrant in record.entrants
    ]


def match_title(game: AnyGame, record: Record) -> str:
    """Name the game, its variant with unusual settings, and the players."""
    variant = " ".join(variant_words(game, game.parameters_form.read(record.parameters)))
    players = ", ".join(full_names(record))
    note = _CAGE_NOTES.get(record.cage, "")
    return f"{game.title}, {variant}, {len(record.entrants)} players: {players}{note}"


def fault_sentences(record: Record) -> dict[int | None, list[str]]:
    """Describe the faults, by the number of the decision that was due."""
    names = player_names(record)
    return {
        stand_in_start(record, fault.seat): [
            f"{names[fault.seat]} faulted ({fault.ending.value}): {plain(fault.sentence)}.",
            *(f"  {line}" for line in (crash_line(fault),) if line),
            f"A stand-in plays on for {names[fault.seat]}.",
        ]
        for fault in record.faults
    }


def crash_line(fault: Fault) -> str:
    """Return the last line that a crashed bot printed, which is its exception in most languages."""
    if fault.ending is not SeatEnding.CRASHED:
        return ""
    lines = [line.strip() for line in printed_lines(fault.printed) if line.strip()]
    return lines[-1] if lines else ""


def output_lines(record: Record) -> dict[int, list[str]]:
    """Return what bots printed, by the number of the decision that followed."""
    names = player_names(record)
    return {
        number: [
            f"{names[record.decisions[number].seat]} | {line}" for line in printed_lines(content)
        ]
        for number, content in record.outputs
    }


def note_lines(record: Record) -> dict[int, list[str]]:
    """Return what bots noted, by the number of the decision."""
    return {number: [f"  note: {plain(text)}"] for number, text in record.notes}


def printed_lines(printed: bytes) -> list[str]:
    """Split what a bot printed into lines, safe for a terminal."""
    text = printed.decode(errors="replace").replace("\r\n", "\n")
    return [plain(line.expandtabs()) for line in text.removesuffix("\n").split("\n")]


def _deal(game: AnyGame, state: Any, names: Sequence[str]) -> Iterator[str]:
    deal = game.hidden_cards(state)
    for name, hand in zip(names, deal.hands, strict=True):
        if hand:
            yield f"  {name} holds {' '.join(hand)}"
    if deal.face_down:
        yield f"  face down {' '.join(deal.face_down)}"

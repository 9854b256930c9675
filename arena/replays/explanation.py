"""Explain the end of a recorded match: faults first, then what the game says."""

from __future__ import annotations

from arena.games.explanation import Explanation
from arena.games.registry import game_named
from arena.records import Record, replay_record
from arena.text import plain


def explain_end(record: Record) -> Explanation:
    """Explain the result of a record, which is not verified."""
    game = game_named(record.game_id)
    names = [plain(entrant.name) for entrant in record.entrants]
    sides = game.sides(len(names), game.parameters_form.read(record.parameters))
    lost = {sides[fault.seat] for fault in record.faults}
    last = frozenset(seat for seat, side in enumerate(sides) if side in lost)
    *_, (_, state) = replay_record(record)
    # With nobody left to be first, only the breakdown remains to be explained.
    everyone = len(last) == len(names)
    explanation = game.explain(state, names, frozenset() if everyone else last)
    sentences = [_fault_sentence(record, fault.seat, sides, names) for fault in record.faults]
    if everyone:
        sentences.append("With nobody else left, all share first place.")
    else:
        sentences.append(explanation.sentence)
    return explanation._replace(sentence=" ".join(sentences))


def _fault_sentence(record: Record, seat: int, sides: tuple[int, ...], names: list[str]) -> str:
    partners = [
        names[other] for other, side in enumerate(sides) if side == sides[seat] and other != seat
    ]
    ending = record.ending_of(seat).value
    if partners:
        return f"A fault of {names[seat]} ({ending}) puts it and its partner {partners[0]} last."
    return f"A fault ({ending}) puts {names[seat]} last."

"""Records of matches played at real tables in this process.

The players choose at random, take random times, and fault where a test asks for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from random import Random

from arena.games.conformance import Setting
from arena.games.randomness import seed_from
from arena.games.registry import game_named
from arena.records import Entrant, Fault, How, Record, SeatEnding
from arena.referee.table import Answer, DecisionRequest, Finished, Table, table

FAULTY = [ending for ending in SeatEnding if ending is not SeatEnding.PLAYED]

Faults = Mapping[int, tuple[int, SeatEnding]]
"""For each faulty seat: at which of its requests it faults, and how."""


def setting_of(game_id: str, seats: int, variant: str | None = None) -> Setting:
    """Return the setting of a game's default variant, or of the given one."""
    game = game_named(game_id)
    variant = variant or next(iter(game.variants))
    return Setting(game, seats, variant, game.variants[variant])


def recorded_match(setting: Setting, seed: int, faults: Faults | None = None) -> Record:
    """Play a match."""
    rng = Random(seed)
    entrants = [Entrant(f"bot-{seat}", "v1" * seat) for seat in range(setting.seats)]
    match = table(setting.game, seed_from(seed), setting.parameters, entrants, clock="60+0.5")
    finished, _ = drive(match, lambda asked: _answer(setting, asked, faults or {}, rng))
    return finished.record


def replay_choices(record: Record) -> Record | None:
    """Play a record's choices and faults at a table; return None if they do not fit."""
    game = game_named(record.game_id)
    parameters = game.parameters_form.read(record.parameters)
    chosen = [deque[Answer]() for _ in record.entrants]
    for decision in record.decisions:
        if decision.how is How.CHOSEN:
            chosen[decision.seat].append(Answer(decision.action, decision.time_us))
    faults = {fault.seat: fault for fault in record.faults}
    match = table(game, record.seed, parameters, record.entrants, clock=record.clock)

    def answer(asked: DecisionRequest) -> Answer | Fault:
        seat = asked.seat
        return chosen[seat].popleft() if chosen[seat] else faults[seat]

    try:
        finished, yielded = drive(match, answer)
    except KeyError:
        return None
    return None if any(isinstance(item, Fault) for item in yielded) else finished.record


def _answer(
    setting: Setting, request: DecisionRequest, faults: Faults, rng: Random
) -> Answer | Fault:
    at, ending = faults.get(request.seat, (-1, SeatEnding.PLAYED))
    if at != request.number:
        actions = setting.game.legal_actions(request.view)
        return Answer(rng.choice(actions), int(rng.expovariate(1 / 20_000)))
    if ending is SeatEnding.ILLEGAL_ACTION:
        wrong = setting.game.action_count
        return Answer(wrong, 7, b"asked", b"said", 59.5, lambda: b"printed \xff")
    sentence = f"seat {request.seat} broke — at request {at}"
    return Fault(request.seat, ending, sentence, b"\x00asked", b"", None, b"Traceback\n" * 3)


def drive(
    match: Table, answer: Callable[[DecisionRequest], Answer | Fault]
) -> tuple[Finished, list[DecisionRequest | Fault]]:
    """Answer all requests of a table; return the finished match and everything it yielded."""
    yielded: list[DecisionRequest | Fault] = []
    sent: Answer | Fault | None = None
    while True:
        try:
            item = match.send(sent)
        except StopIteration as end:
            return end.value, yielded
        yielded.append(item)
        sent = answer(item) if isinstance(item, DecisionRequest) else None

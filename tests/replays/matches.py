"""Which matches are replays tested with?

Played at real tables by players that choose at random, take random times, and fault when told to.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from random import Random

import hypothesis

from arena.games.conformance import Setting, settings_of
from arena.games.randomness import seed_from
from arena.games.registry import all_games, game_named
from arena.records import Entrant, Fault, How, Record, SeatEnding
from arena.referee.table import Answer, Request, table
from tests.referee.driving import driven

SETTINGS = [setting for game in all_games() for setting in settings_of(game)]

unhurried = hypothesis.settings(
    deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
"""How a law is tested: a busy machine may take its time over an example."""

FAULTY = [ending for ending in SeatEnding if ending is not SeatEnding.PLAYED]

Faults = Mapping[int, tuple[int, SeatEnding]]
"""For a seat at which of its requests it faults, and how."""


def setting_of(game_id: str, seats: int, variant: str | None = None) -> Setting:
    """Return a game's default setting for so many seats, or that of another variant."""
    game = game_named(game_id)
    variant = variant or next(iter(game.variants))
    return Setting(game, seats, variant, game.variants[variant])


def played(setting: Setting, seed: int, faults: Faults | None = None) -> Record:
    """Play a match."""
    rng = Random(seed)
    entrants = [Entrant(f"bot-{seat}", "v1" * seat) for seat in range(setting.seats)]
    match = table(setting.game, seed_from(seed), setting.parameters, entrants, clock="60+0.5")
    finished, _ = driven(match, lambda asked: _answer(setting, asked, faults or {}, rng))
    return finished.record


def played_again(record: Record) -> Record | None:
    """Let a table play a record's choices and faults again; None if it wants others."""
    game = game_named(record.game_id)
    parameters = game.parameters_form.read(record.parameters)
    chosen = [deque[Answer]() for _ in record.entrants]
    for decision in record.decisions:
        if decision.how is How.CHOSEN:
            chosen[decision.seat].append(Answer(decision.action, decision.time_us))
    faults = {fault.seat: fault for fault in record.faults}
    match = table(game, record.seed, parameters, record.entrants, clock=record.clock)

    def answer(asked: Request) -> Answer | Fault:
        seat = asked.seat
        return chosen[seat].popleft() if chosen[seat] else faults[seat]

    try:
        finished, yielded = driven(match, answer)
    except KeyError:
        return None
    return None if any(isinstance(item, Fault) for item in yielded) else finished.record


def _answer(setting: Setting, request: Request, faults: Faults, rng: Random) -> Answer | Fault:
    at, ending = faults.get(request.seat, (-1, SeatEnding.PLAYED))
    if at != request.number:
        actions = setting.game.legal_actions(request.view)
        return Answer(rng.choice(actions), int(rng.expovariate(1 / 20_000)))
    if ending is SeatEnding.ILLEGAL_ACTION:
        wrong = setting.game.action_count
        return Answer(wrong, 7, b"asked", b"said", 59.5, lambda: b"printed \xff")
    sentence = f"seat {request.seat} broke — at request {at}"
    return Fault(request.seat, ending, sentence, b"\x00asked", b"", None, b"Traceback\n" * 3)

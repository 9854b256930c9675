"""Explain the end of a Life is Life match: the lives of each seat, round by round."""

from __future__ import annotations

from collections.abc import Sequence, Set

from arena.games.explanation import Explanation, amount, are_first, leaders, listed
from arena.games.lifeislife.events import RoundBegan, Scored, SuddenDeath
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.outcome import Ending, Outcome


def explain(state: LifeIsLifeState, names: Sequence[str], last: Set[int]) -> Explanation:
    """Explain who is first, and list the lives after each round that cost or gave any."""
    lives_after, deaths = _rounds(state)
    columns = tuple(f"round {number + 1}" for number in lives_after)
    rows = tuple(
        tuple(
            _lives_text(state, seat, number, lives[seat]) for number, lives in lives_after.items()
        )
        for seat in range(state.seats)
    )
    sentence = _sentence(state, names, last)
    if deaths:
        word = "round" if len(deaths) == 1 else "rounds"
        sentence += f" Sudden death ended {word} {listed([str(each + 1) for each in deaths])}."
    return Explanation(sentence, columns, rows)


def _lives_text(state: LifeIsLifeState, seat: int, number: int, lives: int) -> str:
    if lives:
        return str(lives)
    return "out" if state.out[seat] == number else ""


def _rounds(state: LifeIsLifeState) -> tuple[dict[int, list[int]], list[int]]:
    """Return the lives after each round that changed them, and the rounds of sudden death."""
    assert state.events is not None, "only a state that records events can be explained"
    lives = [state.parameters.life_count] * state.seats
    lives_after: dict[int, list[int]] = {}
    deaths: list[int] = []
    number = 0
    for event in state.events:
        if isinstance(event, RoundBegan):
            number = event.round
        elif isinstance(event, Scored | SuddenDeath):
            before = lives
            lives = [held - lost for held, lost in zip(lives, event.lost, strict=True)]
            if isinstance(event, SuddenDeath):
                lives[event.seat] += event.gained
                deaths.append(number)
            if lives != before:
                lives_after[number] = lives
    return lives_after, deaths


def _sentence(state: LifeIsLifeState, names: Sequence[str], last: Set[int]) -> str:
    outcome = state.outcome()
    first = leaders(outcome, last)
    who = are_first(first, names, len(first))
    lives = outcome.scores[first[0]]
    if outcome.ending is Ending.LENGTH_CAP and lives:
        rounds = amount(state.parameters.round_cap, "round", "rounds")
        sentence = f"The match ended after {rounds}. {who}, with the most lives ({lives})"
    elif lives:
        sentence = f"{who}, alone with lives at the end ({lives} left)"
    else:
        sentence = f"{who}, because nobody else lasted as long (out in round {_out(state, first)})"
    return f"{sentence}{_departures(state, outcome, names, last | set(first))}."


def _out(state: LifeIsLifeState, seats: Sequence[int]) -> int:
    return state.out[seats[0]] + 1


def _departures(
    state: LifeIsLifeState, outcome: Outcome, names: Sequence[str], told: Set[int]
) -> str:
    """Say when the other seats went out, the last of them first."""
    gone = [seat for seat in range(state.seats) if seat not in told and not outcome.scores[seat]]
    rounds = sorted({state.out[seat] for seat in gone}, reverse=True)
    parts = [
        f"{listed([names[seat] for seat in gone if state.out[seat] == number])} "
        f"went out in round {number + 1}"
        for number in rounds
    ]
    return f"; {', '.join(parts)}" if parts else ""

"""Sentences about Life is Life: its events, its end, and why an action is illegal."""

from __future__ import annotations

from collections.abc import Sequence, Set

from arena.games.explanation import Explanation, amount, are_first, leaders, listed
from arena.games.lifeislife.cards import (
    ACTIONS,
    ANIMALS,
    COUNT,
    GUARDS,
    KNOCK,
    LAID,
    ROW_OF,
    SHIFTS,
)
from arena.games.lifeislife.events import (
    Event,
    Knocked,
    RoundBegan,
    Scored,
    SuddenDeath,
    Swapped,
    WentOut,
)
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.lifeislife.view import View
from arena.games.outcome import Ending, Outcome
from arena.text import quantity

_PLURALS = {"sheep": "sheep", "mouse": "mice"}


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in a sentence; a scoring takes two more lines per player."""
    match event:
        case RoundBegan():
            rows = "; ".join(map(herd_text, event.rows))
            return f"Round {event.round + 1}: {rows}. {names[event.starter]} starts."
        case Swapped():
            return (
                f"{names[event.seat]} lays {herd_text(event.laid)} "
                f"and takes row {event.row + 1}: {herd_text(event.taken)}."
            )
        case Knocked():
            return f"{names[event.seat]} knocks."
        case SuddenDeath():
            losers = [names[seat] for seat, lost in enumerate(event.lost) if lost]
            gain = " and gains a life" if event.gained else ""
            return (
                f"Sudden death: {names[event.seat]} shows {herd_text(event.hand)}{gain}; "
                f"{' and '.join(losers)} {'loses' if len(losers) == 1 else 'each lose'} a life."
            )
        case Scored():
            scored = [seat for seat, hand in enumerate(event.hands) if hand]
            return "\n".join(
                ["The round is scored.", *(_score_line(event, seat, names) for seat in scored)]
            )
        case WentOut():
            return f"{names[event.seat]} is out."


def _score_line(event: Scored, seat: int, names: Sequence[str]) -> str:
    lost = event.lost[seat]
    cost = f"loses {quantity(lost, 'life', 'lives')}" if lost else "loses nothing"
    hand = herd_text(event.hands[seat])
    return f"  {names[seat]} has {event.totals[seat]} points and {cost}, with\n    {hand}."


def herd_text(herd: int) -> str:
    """Write a herd in words: "2 cats, dog"."""
    return ", ".join(
        name if count == 1 else f"{count} {_PLURALS.get(name, name + 's')}"
        for name, count in zip(ANIMALS, animal_counts(herd), strict=True)
        if count
    )


def animal_counts(herd: int) -> list[int]:
    """Return how many of each animal a herd has, in the order of `ANIMALS`."""
    return [herd >> shift & COUNT for shift in SHIFTS]


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


def verb(action: int) -> str:
    """Return the word for an action whose text does not begin with one."""
    return "" if action == KNOCK else "play"


def reason(view: View, action: int) -> str:
    """Say why the view's seat may not play this action."""
    if not 0 <= action < ACTIONS:
        return "there is no such action"
    if action == KNOCK:
        return "it has not swapped in this round"
    if ROW_OF[action] >= len(view.row_herds):
        return f"there are {len(view.row_herds)} rows" if view.row_herds[1:] else "there is one row"
    if (view.hand_herd - LAID[action]) & GUARDS:
        return "the cards are not all in its hand"
    return "the row has exactly these animals"

"""Sentences about Trio: its events, which trios won, and why an action is illegal."""

from __future__ import annotations

from collections.abc import Sequence, Set

from arena.games.explanation import Explanation, amount, are_first, leaders, listed
from arena.games.outcome import Ending
from arena.games.trio.cards import (
    ACTIONS,
    FIRST_GIVE,
    FIRST_HAND,
    SEAT_OF,
    SEVEN,
    high,
    is_connected,
    low,
    number_given,
)
from arena.games.trio.events import CardRevealed, CardsReturned, Event, SwapSettled, TrioTaken
from arena.games.trio.parameters import Mode, Parameters, has_won
from arena.games.trio.state import TrioState
from arena.games.trio.view import View

COLUMNS = ("trios taken", "won with")
_TRIOS = ("no trio", "one trio", "two trios", "three trios")


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in a sentence."""
    name = names[event.seat]
    if isinstance(event, CardRevealed):
        return f"{name} {_asks(event, names)}: {event.number}."
    if isinstance(event, CardsReturned):
        return f"The cards go back, and {name}'s turn is over."
    if isinstance(event, TrioTaken):
        return f"{name} takes the trio of {event.number}s."
    assert isinstance(event, SwapSettled)
    return f"{name} and {names[event.partner]} {'swap a card' if event.swapped else 'do not swap'}."


def _asks(event: CardRevealed, names: Sequence[str]) -> str:
    place = event.place
    if place.kind == "centre":
        return f"turns up slot {place.slot}"
    if place.seat == event.seat:
        return f"shows its own {place.kind}est card"
    return f"asks {names[place.seat]} for the {place.kind}est card"


def explain(state: TrioState, names: Sequence[str], last: Set[int]) -> Explanation:
    """Explain who is first, and list the trios of each seat."""
    piles, parameters = state.piles, state.parameters
    teams = [seat % len(piles) for seat in range(state.seats)]
    rows = tuple(
        (", ".join(map(str, piles[team])), _won_with(piles[team], parameters)) for team in teams
    )
    return Explanation(_sentence(state, names, last, teams), COLUMNS, rows)


def _sentence(state: TrioState, names: Sequence[str], last: Set[int], teams: list[int]) -> str:
    piles, parameters = state.piles, state.parameters
    outcome = state.outcome()
    first = leaders(outcome, last)
    won = [team for team, pile in enumerate(piles) if _wins(pile, parameters)]
    if won and teams[first[0]] == won[0]:
        return f"{are_first(first, names, 1)}: {_reason(piles[won[0]], parameters)}."
    if won:
        side = listed([name for name, team in zip(names, teams, strict=True) if team == won[0]])
        reason = _reason(piles[won[0]], parameters)
        how = f"The match ended when {side} won: {reason}. Of the others, "
    elif outcome.ending is Ending.PLAYED_OUT:
        how = "Nobody had won when the last cards were taken. "
    else:
        how = f"Nobody had won after {amount(state.parameters.turn_cap, 'turn', 'turns')} each. "
    # RULES 13, 14: all but the winner are placed by the number of their trios.
    sides = len({teams[seat] for seat in first})
    each = " each" if sides > 1 else ""
    trios = amount(outcome.scores[first[0]], "trio", "trios")
    return f"{how}{are_first(first, names, sides)} with {trios}{each}."


def _connection(pile: tuple[int, ...]) -> tuple[int, int] | None:
    """Return the two connected trios of a pile, the lower number first."""
    for one in sorted(pile):
        for other in sorted(pile):
            if one < other and is_connected(one, other):
                return one, other
    return None


def _wins(pile: tuple[int, ...], parameters: Parameters) -> bool:
    return has_won(pile, parameters.mode, parameters.trios_to_win)


def _reason(pile: tuple[int, ...], parameters: Parameters) -> str:
    """Say why a pile wins (RULES 8)."""
    if SEVEN in pile:
        return "the trio of 7s wins at once"
    pair = _connection(pile) if parameters.mode is Mode.SPICY else None
    if pair is None:
        verb = "wins" if len(pile) == 1 else "win"
        return f"{_TRIOS[len(pile)]} {verb} ({', '.join(map(str, pile))})"
    how = "add up to 7" if sum(pair) == SEVEN else "differ by 7"
    return f"the trios of {pair[0]} and {pair[1]} are connected, because they {how}"


def _won_with(pile: tuple[int, ...], parameters: Parameters) -> str:
    """Write what a pile wins with; nothing if it does not win."""
    if not _wins(pile, parameters):
        return ""
    if SEVEN in pile:
        return "the 7s"
    pair = _connection(pile) if parameters.mode is Mode.SPICY else None
    if pair is None:
        return _TRIOS[len(pile)]
    low, high = pair
    return f"{low} + {high} = 7" if low + high == SEVEN else f"{high} - {low} = 7"


def verb(action: int) -> str:
    """Return the word for an action whose text does not begin with one."""
    return "turn up" if 0 <= action < FIRST_GIVE else ""


def reason(view: View, action: int) -> str:
    """Say why the view's seat may not play this action."""
    if not 0 <= action < ACTIONS:
        return "there is no such action"
    if view.phase:
        if action < FIRST_GIVE:
            return "partners are choosing a swap, no cards are turned up now"
        return f"it holds no {number_given(action)}"
    if action >= FIRST_GIVE:
        return "nothing is swapped during a turn"
    if action < FIRST_HAND:
        return _slot(view, action)
    return _hand(view, action)


def _slot(view: View, slot: int) -> str:
    if slot >= len(view.centre):
        return f"the centre has {len(view.centre)} slots, numbered from 0"
    if slot in view.shown:
        return "that card is face up already"
    return "that slot is empty"


def _hand(view: View, place: int) -> str:
    owner = SEAT_OF[place]
    if owner >= view.seats:
        return f"there are {view.seats} seats, numbered from 0"
    if not view.known[owner].size:
        return f"seat {owner} has no cards"
    face_up = view.shown.count(low(owner)) + view.shown.count(high(owner))
    if face_up == view.known[owner].size:
        return f"all cards of seat {owner} are face up"
    return f"seat {owner} has one card to turn up: its lowest"

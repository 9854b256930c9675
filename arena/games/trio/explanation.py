"""Explain the end of a Trio match: which trios won, or who has the most."""

from __future__ import annotations

from collections.abc import Sequence, Set

from arena.games.explanation import Explanation, amount, are_first, leaders, listed
from arena.games.outcome import Ending
from arena.games.trio.cards import SEVEN, is_connected
from arena.games.trio.parameters import Mode, has_won
from arena.games.trio.state import TrioState

COLUMNS = ("trios taken", "won with")


def explain(state: TrioState, names: Sequence[str], last: Set[int]) -> Explanation:
    """Explain who is first, and list the trios of each seat."""
    piles, mode = state.piles, state.parameters.mode
    teams = [seat % len(piles) for seat in range(state.seats)]
    rows = tuple((", ".join(map(str, piles[team])), _won_with(piles[team], mode)) for team in teams)
    return Explanation(_sentence(state, names, last, teams), COLUMNS, rows)


def _sentence(state: TrioState, names: Sequence[str], last: Set[int], teams: list[int]) -> str:
    piles, mode = state.piles, state.parameters.mode
    outcome = state.outcome()
    first = leaders(outcome, last)
    won = [team for team, pile in enumerate(piles) if has_won(pile, mode)]
    if won and teams[first[0]] == won[0]:
        return f"{are_first(first, names, 1)}: {_reason(piles[won[0]], mode)}."
    if won:
        side = listed([name for name, team in zip(names, teams, strict=True) if team == won[0]])
        how = f"The match ended when {side} won: {_reason(piles[won[0]], mode)}. Of the others, "
    else:
        assert outcome.ending is Ending.LENGTH_CAP
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


def _reason(pile: tuple[int, ...], mode: Mode) -> str:
    """Say why a pile wins (RULES 8)."""
    if SEVEN in pile:
        return "the trio of 7s wins at once"
    pair = _connection(pile) if mode is Mode.SPICY else None
    if pair is None:
        return f"three trios win ({', '.join(map(str, pile))})"
    how = "add up to 7" if sum(pair) == SEVEN else "differ by 7"
    return f"the trios of {pair[0]} and {pair[1]} are connected, because they {how}"


def _won_with(pile: tuple[int, ...], mode: Mode) -> str:
    """Write what a pile wins with; nothing if it does not win."""
    if not has_won(pile, mode):
        return ""
    if SEVEN in pile:
        return "the 7s"
    pair = _connection(pile) if mode is Mode.SPICY else None
    if pair is None:
        return "three trios"
    low, high = pair
    return f"{low} + {high} = 7" if low + high == SEVEN else f"{high} - {low} = 7"

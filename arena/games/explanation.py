"""Why a match ended as it did: a sentence, and a breakdown of the scores by seat."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import NamedTuple

from arena.games.outcome import Outcome


class Explanation(NamedTuple):
    """The end of a match, for people."""

    sentence: str
    """Why those who are first are first; one or more sentences."""
    columns: tuple[str, ...]
    """The headings of the breakdown."""
    rows: tuple[tuple[str, ...], ...]
    """The breakdown: for each seat, one text for each column."""


def leaders(outcome: Outcome, last: Set[int]) -> list[int]:
    """List the seats that are first, leaving out seats that a fault puts last."""
    contenders = [seat for seat in range(len(outcome.places)) if seat not in last]
    best = min((outcome.places[seat] for seat in contenders), default=0)
    return [seat for seat in contenders if outcome.places[seat] == best]


def are_first(seats: Sequence[int], names: Sequence[str], sides: int) -> str:
    """Write who is first: "Ann is first", "Ann and Bob share first place".

    `sides` is the number of sides that these seats form: two partners are one.
    """
    if sides > 1:
        return f"{listed([names[seat] for seat in seats])} share first place"
    return f"{listed([names[seat] for seat in seats])} {'is' if len(seats) == 1 else 'are'} first"


def scores_sentence(
    outcome: Outcome, names: Sequence[str], last: Set[int], *, word: str, one: str
) -> str:
    """Explain a game in which the highest score is first: how many, and how many more."""
    first = leaders(outcome, last)
    score = outcome.scores[first[0]]
    sentence = f"{are_first(first, names, len(first))} with {amount(score, one, word)}"
    others = [seat for seat in range(len(names)) if seat not in last and seat not in first]
    if not others:
        return f"{sentence}."
    second = max(outcome.scores[seat] for seat in others)
    behind = listed([names[seat] for seat in others if outcome.scores[seat] == second])
    if second == score:
        return f"{sentence}, as many as {behind}."
    return f"{sentence}, {score - second} more than {behind}."


def amount(number: int, one: str, word: str) -> str:
    """Write a score with its unit: 1 point, -3 points."""
    return f"{number} {one if number == 1 else word}"


def listed(words: Sequence[str]) -> str:
    """Write words as a list: "Ann", "Ann and Bob", "Ann, Bob and Cleo"."""
    *most, final = words
    return f"{', '.join(most)} and {final}" if most else final

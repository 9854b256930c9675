"""Explain the end of a Jackal & High match: paws, and the cards that decide between equal paws."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import pairwise, zip_longest

from arena.games.explanation import Explanation, amount, are_first, leaders, scores_sentence
from arena.games.jackal.narration import card_list
from arena.games.jackal.scoring import paws
from arena.games.jackal.state import JackalState
from arena.games.outcome import Outcome

COLUMNS = ("cards, highest first", "paws on cards", "paws of Take2")


def explain(state: JackalState, names: Sequence[str], last: Set[int]) -> Explanation:
    """Explain who is first, and who is ahead by a card only."""
    outcome = state.outcome()
    first = leaders(outcome, last)
    if len(first) > 1:
        score = amount(outcome.scores[first[0]], "paw", "paws")
        sentence = f"{are_first(first, names, len(first))} with {score} and the same cards."
    else:
        sentence = scores_sentence(outcome, names, last, word="paws", one="paw")
    ties = _ties(state, outcome, names, last)
    parameters = state.parameters
    rows = tuple(
        (
            card_list(sorted(pile, reverse=True), " "),
            str(paws(pile, 0, parameters)),
            f"{take2s} x {parameters.take2_paws} = {take2s * parameters.take2_paws}"
            if take2s
            else "",
        )
        for pile, take2s in zip(state.piles, state.take2s, strict=True)
    )
    return Explanation(" ".join([sentence, *ties]), COLUMNS, rows)


def _ties(state: JackalState, outcome: Outcome, names: Sequence[str], last: Set[int]) -> list[str]:
    """Say which card decides between neighbours with equal paws (RULES 15)."""
    order = sorted(set(range(state.seats)) - last, key=lambda seat: (outcome.places[seat], seat))
    return [
        f"{names[one]} is ahead of {names[other]} by {_deciding(state, one, other)}."
        for one, other in pairwise(order)
        if outcome.scores[one] == outcome.scores[other]
        and outcome.places[one] != outcome.places[other]
    ]


def _deciding(state: JackalState, one: int, other: int) -> str:
    """Name the highest card in which two piles differ."""
    cards = (sorted(state.piles[seat], reverse=True) for seat in (one, other))
    for number, (mine, theirs) in enumerate(zip_longest(*cards, fillvalue=0)):
        if mine != theirs:
            which = "the highest card" if not number else f"card {number + 1} from the top"
            return f"{which}, {mine} against {theirs or 'none'}"
    raise AssertionError("equal piles share a place")

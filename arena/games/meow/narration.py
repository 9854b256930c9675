"""Sentences about MEOW: its events, what tokens were worth, why a card may not be played."""

from __future__ import annotations

from collections.abc import Sequence, Set

from arena.games.explanation import Explanation, leaders, scores_sentence
from arena.games.meow.cards import BIT_OF, FISH, VASE, Token
from arena.games.meow.events import CardPlayed, Event, RoundBegan, TrickWon
from arena.games.meow.parameters import Parameters
from arena.games.meow.state import MeowState, vase_cost
from arena.games.meow.view import View

COLUMNS = ("bowls", "bones left", "taken away by fish", "vases")


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in a sentence."""
    if isinstance(event, RoundBegan):
        row = " ".join(map(str, event.row))
        return f"Round {event.round + 1} is played for {row}; {names[event.leader]} leads."
    if isinstance(event, CardPlayed):
        return f"{names[event.seat]} plays {event.card.colour} {event.card.rank}."
    assert isinstance(event, TrickWon)
    return f"{names[event.seat]} wins the trick and takes {_prize(event.token)}."


def _prize(token: Token) -> str:
    if token == FISH:
        return "a fish"
    if token == VASE:
        return "a broken vase"
    return f"a bowl worth {token}" if token > 0 else f"a fishbone worth {token}"


def explain(state: MeowState, names: Sequence[str], last: Set[int]) -> Explanation:
    """Explain who is first, and show how the points of each seat add up."""
    outcome = state.outcome()
    sentence = scores_sentence(outcome, names, last, word="points", one="point")
    best = outcome.scores[leaders(outcome, last)[0]]
    for seat, tokens in enumerate(state.won):
        cost = vase_cost(tokens, state.parameters)
        if seat not in last and 0 < best - outcome.scores[seat] < cost:
            sentence += f" Broken vases cost {names[seat]} {cost} points, more than it is behind."
    rows = tuple(_row(tokens, state.parameters) for tokens in state.won)
    return Explanation(sentence, COLUMNS, rows)


def _row(tokens: tuple[int, ...], parameters: Parameters) -> tuple[str, ...]:
    fish, vases = tokens.count(FISH), tokens.count(VASE)
    bowls = sorted(token for token in tokens if 0 < token != FISH)
    # RULES 8: each fish removes the worst bone that is left.
    bones = sorted(token for token in tokens if 0 > token != VASE)
    taken, left = bones[:fish], bones[fish:]
    cost = vase_cost(tokens, parameters)
    idle = fish - len(taken)
    return (
        _total(bowls),
        _total(left),
        " ".join([*map(str, taken), *(["nothing"] if idle else [])]) if fish else "",
        f"{vases} cost {cost}" if cost else (f"{vases} costs nothing" if vases else ""),
    )


def _total(worths: list[int]) -> str:
    if len(worths) < 2:
        return "".join(map(str, worths))
    return f"{' '.join(map(str, worths))} = {sum(worths)}"


def verb(action: int) -> str:
    """Return the word for an action whose text does not begin with one."""
    return "play"


def reason(view: View, action: int) -> str:
    """Say why the view's seat may not play this action."""
    if action not in BIT_OF:
        return "there is no such card"
    if BIT_OF[action] & view.hand_mask:
        return "the led colour must be followed"
    return "the card is not in its hand"

"""Sentences about Jackal & High: its events, its end, and why an action is illegal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from itertools import pairwise, zip_longest

from arena.games.explanation import Explanation, amount, are_first, leaders, scores_sentence
from arena.games.jackal import events as jackal_events
from arena.games.jackal.actions import ACTIONS, AGAIN, DIGITS, VALLEY
from arena.games.jackal.cards import CARD_WORDS, LUCKY8, NO_CARD
from arena.games.jackal.dice import faces_on
from arena.games.jackal.events import Event, Question
from arena.games.jackal.scoring import paws
from arena.games.jackal.state import JackalState
from arena.games.jackal.view import View
from arena.games.outcome import Ending, Outcome
from arena.text import quantity

CARD_NAMES = {card: word for word, card in CARD_WORDS.items()} | {NO_CARD: "-"}
COLUMNS = ("cards, highest first", "paws on cards", "paws of Take2")


def narrate(event: Event, names: Sequence[str]) -> str:
    """Describe an event in a sentence or two."""
    if isinstance(event, jackal_events.ValleyOpened):
        return f"Card {CARD_NAMES[event.card]} is in the valley."
    if isinstance(event, jackal_events.RoundBegan):
        stacks = zip(event.cards, event.under, strict=True)
        display = ", ".join(_stack(card, below) for card, below in stacks)
        drawn = f" Drawn: {card_list(event.drawn)}." if event.drawn else ""
        return f"Round {event.round + 1}: {names[event.starter]} starts.{drawn} Display: {display}."
    if isinstance(event, jackal_events.DiceCollected):
        there = [
            f"{names[seat]} {quantity(count, 'die', 'dice')}"
            for seat, count in enumerate(event.valley)
            if count
        ]
        return f"In the valley: {', '.join(there) or 'no dice'}."
    if isinstance(event, jackal_events.MatchEnded):
        if event.ending is Ending.LENGTH_CAP:
            return "That was the last round. The match is over."
        drawn = f" (drawn: {card_list(event.drawn)})" if event.drawn else ""
        return f"The deck cannot complete the display{drawn}: the match is over."
    return f"{names[event.seat]} {_describe_action(event)}."


def _stack(card: int, below: int) -> str:
    return f"{CARD_NAMES[card]} with {below} Take2" if below else CARD_NAMES[card]


def _sum(dice: tuple[int, ...]) -> str:
    return "+".join(map(str, dice)) + (f" = {sum(dice)}" if len(dice) > 1 else "")


_ABOUT = {
    Question.BOTH: "in the valley",
    Question.HIGHEST: "again, tied for highest",
    Question.LOWEST: "again, tied for lowest",
}


def _describe_action(event: Event) -> str:
    """Describe what a seat did or got, without its name."""
    match event:
        case jackal_events.DiceRolled(_, dice, left):
            more = f", with {quantity(left, 'more roll')}" if left else ""
            return f"rolls {' '.join(map(str, dice))}{more}"
        case jackal_events.DicePlaced(_, dice, stacks):
            placed = zip(dice, stacks, strict=True)
            put = [f"{face} on stack {stack}" for face, stack in placed if stack]
            kept = [str(face) for face, stack in zip(dice, stacks, strict=True) if not stack]
            return f"puts {', '.join(put)}" + (f" and keeps {' and '.join(kept)}" if kept else "")
        case jackal_events.DieLost():
            return "cannot place any die: one goes to the valley"
        case jackal_events.DuelRolled(stack, _, dice):
            return f"rolls {_sum(dice)} for stack {stack}"
        case jackal_events.StackWon(_, stack, card, take2s, lucky):
            named = "the " if card == LUCKY8 else "card "
            what = f"stack {stack}, {named}{_stack(card, take2s)}"
            return f"gets {what}, with the Lucky8" if lucky else f"wins {what}"
        case jackal_events.CardsOrdered(_, cards):
            return f"lays down {card_list(cards)}, the last on top"
        case jackal_events.ValleyRolled(question, _, dice):
            return f"rolls {_sum(dice)} {_ABOUT[question]}"
        case jackal_events.ValleyTaken(_, card):
            if card:
                return f"takes {CARD_NAMES[card]} from the valley"
            return "is highest in the valley, but there is no card"
        case jackal_events.ValleyPaid(_, card):
            if card:
                return f"pays {CARD_NAMES[card]} into the valley"
            return "has no card to pay into the valley"
    raise AssertionError(f"{type(event).__name__} has its own sentence")


def card_list(cards: Iterable[int], separator: str = ", ") -> str:
    """Write cards as a list."""
    return separator.join(CARD_NAMES[card] for card in cards)


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


def verb(action: int) -> str:
    """Return the word for an action whose text does not begin with one."""
    return {VALLEY: "choose", AGAIN: "roll"}.get(action, "")


def reason(view: View, action: int) -> str:
    """Say why the view's seat may not play this action."""
    if not 0 <= action < ACTIONS:
        return "there is no such action"
    won = view.spoils[view.seat]
    if won:
        return f"it has to put its {len(won)} won cards in order"
    if action == VALLEY:
        return "it has rolls left" if view.rolls_left else "a die fits on the display"
    if action == AGAIN:
        return "it has no roll left"
    if action > AGAIN:
        return "it has no won cards to put in order"
    return _misplacement(view, DIGITS[action])


def _misplacement(view: View, stacks: tuple[int, ...]) -> str:
    dice = len(view.rolled)
    if any(stacks[dice:]):
        return f"it has rolled only {dice} dice" if dice > 1 else "it has rolled only one die"
    if max(stacks) > len(view.cards):
        return f"the display has {len(view.cards)} stacks"
    laid = view.laid[view.seat]
    for stack, card in enumerate(view.cards, start=1):
        placed = sum(face for face, at in zip(view.rolled, stacks, strict=False) if at == stack)
        total = placed + sum(faces_on(laid, stack - 1))
        if total > card:
            return f"its dice on stack {stack} would sum to {total}, more than {card}"
    raise AssertionError(f"{stacks} fits")

"""How does a match of Jackal & High look in a terminal?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from textwrap import wrap

import click

from arena.games.core import Ending
from arena.games.jackal import GAME
from arena.games.jackal import events as happened
from arena.games.jackal.actions import DIGITS
from arena.games.jackal.cards import CARD_WORDS, LUCKY8, NO_CARD
from arena.games.jackal.dice import TURNS
from arena.games.jackal.events import Event, Question
from arena.games.jackal.scoring import paws
from arena.games.jackal.view import View

_WORDS = {card: word for word, card in CARD_WORDS.items()} | {NO_CARD: "-"}
_MARGIN = 13
_COLUMN = 9
_WIDTH = 78
_PLACES = ("first", "second", "third")


def draw(view: View) -> str:
    """Draw the display with all dice on it, what everybody owns, the deck and the roll."""
    stacks = range(len(view.cards))
    played = (
        f"round {view.round + 1}, turn {view.turn + 1} of {TURNS} · seat {view.starter} started"
    )
    lines = [
        click.style(f"Jackal & High · {played}", bold=True),
        _row("stack", [str(stack + 1) for stack in stacks], "valley"),
        _row("card", [f"[{_WORDS[card]}]" for card in view.cards], f"[{_WORDS[view.valley]}]"),
    ]
    if any(view.under):
        below = [f"+{count} Take2" if count else "" for count in view.under]
        lines.append(_row("below", below, ""))
    dice = [_dice_row(view, seat) for seat in range(view.seats)]
    lines += dice
    if any("*" in row for row in dice):
        lines.append(" " * _MARGIN + "dice marked * meet the number of their card")
    for seat in range(view.seats):
        lines += _owned(view, seat)
    deck = f"{len(view.unseen)} cards, order unknown: {_counted(view.unseen)}"
    lines += _listed("deck", deck if view.unseen else "empty")
    if view.gone:
        lines.append(f"{'  gone':<{_MARGIN}}{view.gone} Lucky8")
    lines.append(_situation(view))
    return "\n".join(lines)


def _row(title: str, cells: list[str], last: str) -> str:
    shown = "".join(f"{cell:^{_COLUMN}}" for cell in (*cells, last)).rstrip()
    colour = {"card": "yellow", "below": "cyan"}.get(title)
    return f"{'  ' + title:<{_MARGIN}}" + click.style(shown, fg=colour, bold=title == "card")


def _dice_row(view: View, seat: int) -> str:
    cells = []
    for card, faces in zip(view.cards, view.on_display[seat], strict=True):
        met = "*" if sum(faces) == card and faces else ""
        cells.append("+".join(map(str, faces)) + met or "·")
    in_valley = view.in_valley[seat]
    return _row(_seat(view, seat), cells, _dice(in_valley) if in_valley else "·")


def _seat(view: View, seat: int) -> str:
    return f"seat {seat} you" if seat == view.seat else f"seat {seat}"


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def _owned(view: View, seat: int) -> list[str]:
    pile = view.piles[seat]
    take2s = view.take2s[seat]
    total = paws(pile, take2s, view.parameters)
    score = "1 paw" if total == 1 else f"{total} paws"
    cards = [f"pile {_cards(pile, ' ')} (top)"] if pile else []
    cards += [f"{take2s} Take2"] if take2s else []
    held = f"{_dice(view.in_hand[seat])} in hand; " if view.to_act >= 0 else ""
    return _listed(_seat(view, seat), f"{held}{score}: {', '.join(cards) or 'no cards'}")


def _listed(title: str, text: str) -> list[str]:
    first, *others = wrap(text, _WIDTH - _MARGIN)
    return [f"{'  ' + title:<{_MARGIN}}{first}", *(" " * _MARGIN + line for line in others)]


def _counted(cards: tuple[int, ...]) -> str:
    counts = sorted(Counter(cards).items())
    return " ".join(_WORDS[card] + (f"×{count}" if count > 1 else "") for card, count in counts)


def _cards(cards: Iterable[int], separator: str = ", ") -> str:
    return separator.join(_WORDS[card] for card in cards)


def _situation(view: View) -> str:
    if view.to_act < 0:
        return "  the match is over"
    who = "you" if view.to_act == view.seat else f"seat {view.to_act}"
    if not view.rolled:
        return f"  order      {who} won {_cards(view.spoils[view.to_act])}"
    dice = click.style("  ".join(f"[{face}]" for face in view.rolled), bold=True)
    more = f", {_rolls(view.rolls_left)} left" if view.rolls_left else ""
    return f"  roll       {dice}   rolled by {who}{more}"


def _rolls(count: int) -> str:
    return "1 more roll" if count == 1 else f"{count} more rolls"


def choices(view: View) -> str:
    """Name the choices, or the pattern that they follow if they are too many for a line."""
    actions = GAME.legal_actions(view)
    if not actions:
        return "nothing to decide now"
    if not view.rolled:
        won = enumerate(view.spoils[view.seat], start=1)
        numbered = ", ".join(f"{at} is {_WORDS[card]}" for at, card in won)
        example = GAME.action_text(actions[0])
        return f"order won cards, the last on top: {numbered}\ntype for example: {example}"
    named = "one of: " + ", ".join(map(GAME.action_text, actions))
    if len(named) <= _WIDTH:
        return named
    lines = ["place one die or more, no sum above its card; - keeps a die:"]
    for die, face in enumerate(view.rolled):
        fitting = sorted({DIGITS[action][die] for action in actions} - {0})
        where = f"stacks {' '.join(map(str, fitting))}" if fitting else "fits nowhere"
        lines.append(f"  {_PLACES[die]} die [{face}]: {where}")
    example = GAME.action_text(actions[-1])
    lines.append(f"{len(actions)} choices; type for example: {example}")
    return "\n".join(lines)


def tell(event: Event, names: Sequence[str]) -> str:
    """Say in a sentence what happened."""
    if isinstance(event, happened.ValleyOpened):
        return f"Card {_WORDS[event.card]} lies in the valley."
    if isinstance(event, happened.RoundBegan):
        stacks = zip(event.cards, event.under, strict=True)
        display = ", ".join(_stack(card, below) for card, below in stacks)
        drawn = f" Drawn: {_cards(event.drawn)}." if event.drawn else ""
        return f"Round {event.round + 1}: {names[event.starter]} starts.{drawn} Display: {display}."
    if isinstance(event, happened.DiceCollected):
        there = [
            f"{names[seat]} {_dice(count)}" for seat, count in enumerate(event.valley) if count
        ]
        return f"In the valley: {', '.join(there) or 'no dice'}."
    if isinstance(event, happened.MatchEnded):
        if event.ending is Ending.LENGTH_CAP:
            return "That was the last round: the match is over."
        vain = f" with {_cards(event.drawn)}" if event.drawn else ""
        return f"The deck cannot complete the display{vain}: the match is over."
    return f"{names[event.seat]} {_deed(event)}."


def _stack(card: int, below: int) -> str:
    return f"{_WORDS[card]} with {below} Take2" if below else _WORDS[card]


def _sum(dice: tuple[int, ...]) -> str:
    return "+".join(map(str, dice)) + (f" = {sum(dice)}" if len(dice) > 1 else "")


_ABOUT = {
    Question.BOTH: "in the valley",
    Question.HIGHEST: "again, tied for highest",
    Question.LOWEST: "again, tied for lowest",
}


def _deed(
    event: happened.DiceRolled
    | happened.DicePlaced
    | happened.DieLost
    | happened.DuelRolled
    | happened.StackWon
    | happened.CardsOrdered
    | happened.ValleyRolled
    | happened.ValleyTaken
    | happened.ValleyPaid,
) -> str:
    """Say what a seat did or what came of it, without its name."""
    match event:
        case happened.DiceRolled(_, dice, left):
            return f"rolls {' '.join(map(str, dice))}" + (f", with {_rolls(left)}" if left else "")
        case happened.DicePlaced(_, dice, stacks):
            placed = zip(dice, stacks, strict=True)
            put = [f"{face} on stack {stack}" for face, stack in placed if stack]
            kept = [str(face) for face, stack in zip(dice, stacks, strict=True) if not stack]
            return f"puts {', '.join(put)}" + (f" and keeps {' and '.join(kept)}" if kept else "")
        case happened.DieLost():
            return "can place nothing: a die goes to the valley"
        case happened.DuelRolled(stack, _, dice):
            return f"rolls {_sum(dice)} for stack {stack}"
        case happened.StackWon(_, stack, card, take2s, lucky):
            named = "the " if card == LUCKY8 else "card "
            what = f"stack {stack}, {named}{_stack(card, take2s)}"
            return f"gets {what}, with the Lucky8" if lucky else f"wins {what}"
        case happened.CardsOrdered(_, cards):
            return f"lays down {_cards(cards)}, the last on top"
        case happened.ValleyRolled(question, _, dice):
            return f"rolls {_sum(dice)} {_ABOUT[question]}"
        case happened.ValleyTaken(_, card):
            if card:
                return f"takes {_WORDS[card]} from the valley"
            return "is highest in the valley, where no card lies"
        case happened.ValleyPaid(_, card):
            if card:
                return f"has to lay {_WORDS[card]} into the valley"
            return "has no card to lay into the valley"

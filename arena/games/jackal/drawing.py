"""Draw a match of Jackal & High as text, with colours for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arena.games.core import HiddenCards
from arena.games.jackal import GAME
from arena.games.jackal.actions import DIGITS
from arena.games.jackal.narration import CARD_NAMES, card_list
from arena.games.jackal.scoring import paws
from arena.games.jackal.view import View
from arena.games.layout import WIDTH, Layout, Periods
from arena.text import quantity, styled

_MARGIN = 13
_COLUMN = 9
_NARROWEST_COLUMN = 8
_MATCH_NOTE = "dice marked * match the number of their card"
_ORDINALS = ("first", "second", "third")


def draw(
    view: View,
    *,
    names: Sequence[str] = (),
    width: int = WIDTH,
    hidden: HiddenCards | None = None,
) -> str:
    """Draw the display with all dice, the possessions of each seat, the deck and the roll.

    With `hidden`, the deck is in its order.
    """
    layout = Layout(view.seats, view.seat, names, width, hidden)
    margin = max(layout.margin, _MARGIN)
    # RULES 4: each turn takes a die at least from the hand.
    turns = view.parameters.dice_count
    title = f"Jackal & High · round {view.round + 1}, turn {view.turn + 1} of {turns}"
    starter = f"{layout.name(view.starter)} started"
    lines = [styled(f"{title} · {starter}", bold=True)]
    if len(title) + len(starter) + 3 > layout.width:
        lines = [styled(title, bold=True), f"  {starter}"]
    column = min(_COLUMN, (layout.width - margin) // (len(view.cards) + 1))
    if column >= _NARROWEST_COLUMN:
        lines += _grid(view, layout, margin, column)
    else:
        lines += _stack_lines(view, layout)
    for seat in range(view.seats):
        lines += layout.lines(layout.label(seat), _possessions(view, seat), margin)
    deck = f"{len(view.unseen)} cards, order unknown: {_card_counts(view.unseen)}"
    if hidden:
        deck = f"{len(view.unseen)} cards, the next first: {' '.join(hidden.face_down)}"
    lines += layout.lines("deck", deck if view.unseen else "empty", margin)
    if view.gone:
        lines += layout.lines("removed", f"{view.gone} Lucky8", margin)
    return "\n".join([*lines, *_situation(view, layout, margin)])


def _grid(view: View, layout: Layout, margin: int, column: int) -> list[str]:
    """Draw a column for each stack and a row for each seat."""

    def row(title: str, cells: Sequence[str], colour: str | None = None) -> str:
        shown = "".join(f"{cell:^{column}}" for cell in cells).rstrip()
        return f"{'  ' + title:<{margin}}" + styled(shown, fg=colour, bold=colour == "yellow")

    stacks = range(len(view.cards))
    lines = [
        row("stack", [*(str(stack + 1) for stack in stacks), "valley"]),
        row("card", [_card(card) for card in (*view.cards, view.valley)], "yellow"),
    ]
    if any(view.under):
        lines.append(row("below", [f"+{count} Take2" if count else "" for count in view.under]))
    dice = []
    for seat in range(view.seats):
        cells = [_dice(view, seat, stack) or "·" for stack in stacks]
        dice.append(row(layout.label(seat), [*cells, _valley_dice(view, seat) or "·"]))
    lines += dice
    if any("*" in line for line in dice):
        lines += layout.lines("", _MATCH_NOTE, margin)
    return lines


def _stack_lines(view: View, layout: Layout) -> list[str]:
    """Draw a line for each stack, with the dice on it: for a narrow terminal."""
    rows = [
        (f"stack {stack + 1}", card, [_dice(view, seat, stack) for seat in range(view.seats)])
        for stack, card in enumerate(view.cards)
    ]
    rows.append(("valley", view.valley, [_valley_dice(view, s) for s in range(view.seats)]))
    lines = []
    for number, (title, card, cells) in enumerate(rows):
        below = view.under[number] if number < len(view.under) else 0
        words = [styled(_card(card), fg="yellow", bold=True)] + [f"+{below} Take2"] * bool(below)
        dice = (f"{layout.name(seat)} {dice}" for seat, dice in enumerate(cells) if dice)
        lines += layout.lines(title, " ".join([*words, ", ".join(dice)]), _MARGIN - 2)
    if any("*" in line for line in lines):
        lines += layout.lines("", _MATCH_NOTE, _MARGIN - 2)
    return lines


def _card(card: int) -> str:
    return f"[{CARD_NAMES[card]}]"


def _dice(view: View, seat: int, stack: int) -> str:
    faces = view.on_display[seat][stack]
    mark = "*" if faces and sum(faces) == view.cards[stack] else ""
    return "+".join(map(str, faces)) + mark


def _valley_dice(view: View, seat: int) -> str:
    count = view.in_valley[seat]
    return quantity(count, "die", "dice") if count else ""


def _possessions(view: View, seat: int) -> str:
    pile = view.piles[seat]
    take2s = view.take2s[seat]
    score = quantity(paws(pile, take2s, view.parameters), "paw")
    cards = [f"pile {card_list(pile, ' ')} (top)"] if pile else []
    cards += [f"{take2s} Take2"] if take2s else []
    held = f"{quantity(view.in_hand[seat], 'die', 'dice')} in hand; " if view.to_act >= 0 else ""
    return f"{held}{score}: {', '.join(cards) or 'no cards'}"


def _card_counts(cards: tuple[int, ...]) -> str:
    counts = sorted(Counter(cards).items())
    return " ".join(CARD_NAMES[card] + (f"×{count}" if count > 1 else "") for card, count in counts)


def _situation(view: View, layout: Layout, margin: int) -> list[str]:
    if view.to_act < 0:
        return ["  the match is over"]
    who = "you" if layout.is_you(view.to_act) else layout.name(view.to_act)
    if not view.rolled:
        return layout.lines("order", f"{who} won {card_list(view.spoils[view.to_act])}", margin)
    dice = "  ".join(styled(f"[{face}]", bold=True) for face in view.rolled)
    more = f", {quantity(view.rolls_left, 'more roll')} left" if view.rolls_left else ""
    return layout.lines("roll", f"{dice}   rolled by {who}{more}", margin)


def choices(view: View) -> str:
    """List the choices, or describe their pattern if they do not fit on a line."""
    actions = GAME.legal_actions(view)
    if not actions:
        return "nothing to decide now"
    if not view.rolled:
        won = enumerate(view.spoils[view.seat], start=1)
        numbered = ", ".join(f"{at} is {CARD_NAMES[card]}" for at, card in won)
        return f"order won cards, the last on top: {numbered}\nfor example, type: {actions[0]}"
    named = "one of: " + ", ".join(map(str, actions))
    if len(named) <= WIDTH:
        return named
    lines = ["place one or more dice, no sum above its card; - keeps a die:"]
    for die, face in enumerate(view.rolled):
        fitting = sorted({DIGITS[action][die] for action in actions} - {0})
        where = f"stacks {' '.join(map(str, fitting))}" if fitting else "fits nowhere"
        lines.append(f"  {_ORDINALS[die]} die [{face}]: {where}")
    lines.append(f"{len(actions)} choices; for example, type: {actions[-1]}")
    return "\n".join(lines)


def periods(view: View) -> Periods:
    """Return the round and the turn."""
    return Periods(view.round, (view.round, view.turn, view.to_act))

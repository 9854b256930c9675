"""Draw a match of Jackal & High as text, with colours for a terminal."""

from __future__ import annotations

from collections import Counter
from textwrap import wrap

from arena.games.jackal import GAME
from arena.games.jackal.actions import DIGITS
from arena.games.jackal.dice import TURNS
from arena.games.jackal.narration import CARD_NAMES, card_list
from arena.games.jackal.scoring import paws
from arena.games.jackal.view import View
from arena.text import quantity, styled

_MARGIN = 13
_COLUMN = 9
_WIDTH = 78
_ORDINALS = ("first", "second", "third")


def draw(view: View) -> str:
    """Draw the display with all dice, the possessions of each seat, the deck and the roll."""
    stacks = range(len(view.cards))
    played = (
        f"round {view.round + 1}, turn {view.turn + 1} of {TURNS} · seat {view.starter} started"
    )
    lines = [
        styled(f"Jackal & High · {played}", bold=True),
        _row("stack", [str(stack + 1) for stack in stacks], "valley"),
        _row("card", list(map(_card, view.cards)), _card(view.valley)),
    ]
    if any(view.under):
        below = [f"+{count} Take2" if count else "" for count in view.under]
        lines.append(_row("below", below, ""))
    dice = [_dice_row(view, seat) for seat in range(view.seats)]
    lines += dice
    if any("*" in row for row in dice):
        lines.append(" " * _MARGIN + "dice marked * match the number of their card")
    for seat in range(view.seats):
        lines += _possessions(view, seat)
    deck = f"{len(view.unseen)} cards, order unknown: {_card_counts(view.unseen)}"
    lines += _wrapped("deck", deck if view.unseen else "empty")
    if view.gone:
        lines.append(f"{'  removed':<{_MARGIN}}{view.gone} Lucky8")
    lines.append(_situation(view))
    return "\n".join(lines)


def _row(title: str, cells: list[str], last: str) -> str:
    shown = "".join(f"{cell:^{_COLUMN}}" for cell in (*cells, last)).rstrip()
    colour = {"card": "yellow", "below": "cyan"}.get(title)
    return f"{'  ' + title:<{_MARGIN}}" + styled(shown, fg=colour, bold=title == "card")


def _card(card: int) -> str:
    return f"[{CARD_NAMES[card]}]"


def _dice_row(view: View, seat: int) -> str:
    cells = []
    for card, faces in zip(view.cards, view.on_display[seat], strict=True):
        mark = "*" if sum(faces) == card and faces else ""
        cells.append("+".join(map(str, faces)) + mark or "·")
    in_valley = view.in_valley[seat]
    return _row(_seat(view, seat), cells, quantity(in_valley, "die", "dice") if in_valley else "·")


def _seat(view: View, seat: int) -> str:
    return f"seat {seat} you" if seat == view.seat else f"seat {seat}"


def _possessions(view: View, seat: int) -> list[str]:
    pile = view.piles[seat]
    take2s = view.take2s[seat]
    total = paws(pile, take2s, view.parameters)
    score = quantity(total, "paw")
    cards = [f"pile {card_list(pile, ' ')} (top)"] if pile else []
    cards += [f"{take2s} Take2"] if take2s else []
    held = f"{quantity(view.in_hand[seat], 'die', 'dice')} in hand; " if view.to_act >= 0 else ""
    return _wrapped(_seat(view, seat), f"{held}{score}: {', '.join(cards) or 'no cards'}")


def _wrapped(title: str, text: str) -> list[str]:
    first, *others = wrap(text, _WIDTH - _MARGIN)
    return [f"{'  ' + title:<{_MARGIN}}{first}", *(" " * _MARGIN + line for line in others)]


def _card_counts(cards: tuple[int, ...]) -> str:
    counts = sorted(Counter(cards).items())
    return " ".join(CARD_NAMES[card] + (f"×{count}" if count > 1 else "") for card, count in counts)


def _situation(view: View) -> str:
    if view.to_act < 0:
        return "  the match is over"
    who = "you" if view.to_act == view.seat else f"seat {view.to_act}"
    if not view.rolled:
        return f"  order      {who} won {card_list(view.spoils[view.to_act])}"
    dice = styled("  ".join(f"[{face}]" for face in view.rolled), bold=True)
    more = f", {quantity(view.rolls_left, 'more roll')} left" if view.rolls_left else ""
    return f"  roll       {dice}   rolled by {who}{more}"


def choices(view: View) -> str:
    """List the choices, or describe their pattern if they do not fit on a line."""
    actions = GAME.legal_actions(view)
    if not actions:
        return "nothing to decide now"
    if not view.rolled:
        won = enumerate(view.spoils[view.seat], start=1)
        numbered = ", ".join(f"{at} is {CARD_NAMES[card]}" for at, card in won)
        example = GAME.action_text(actions[0])
        return f"order won cards, the last on top: {numbered}\nfor example, type: {example}"
    named = "one of: " + ", ".join(map(GAME.action_text, actions))
    if len(named) <= _WIDTH:
        return named
    lines = ["place one or more dice, no sum above its card; - keeps a die:"]
    for die, face in enumerate(view.rolled):
        fitting = sorted({DIGITS[action][die] for action in actions} - {0})
        where = f"stacks {' '.join(map(str, fitting))}" if fitting else "fits nowhere"
        lines.append(f"  {_ORDINALS[die]} die [{face}]: {where}")
    example = GAME.action_text(actions[-1])
    lines.append(f"{len(actions)} choices; for example, type: {example}")
    return "\n".join(lines)

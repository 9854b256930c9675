"""Draw a match of Life is Life as text, with colours for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from arena.games.core import HiddenCards
from arena.games.layout import WIDTH, Layout, Periods
from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import (
    ACTION_OF,
    ANIMALS,
    GUARDS,
    KNOCK,
    ROW_OF,
    herd_of,
)
from arena.games.lifeislife.narration import animal_counts, herd_text
from arena.games.lifeislife.view import View
from arena.games.registry import variant_words
from arena.text import quantity, styled

_LABEL = 18
_Line = tuple[str, list[str], str]
"""A line of the grid: its label, a cell for each animal, and what else there is."""


def draw(
    view: View,
    *,
    names: Sequence[str] = (),
    width: int = WIDTH,
    hidden: HiddenCards | None = None,
) -> str:
    """Draw a grid of animals: the rows, the hand, the known cards of others, the unseen cards.

    With `hidden`, draw all hands and the cards that are not in play.
    """
    layout = Layout(view.seats, view.seat, names, width, hidden)
    lines = _title_lines(view, layout)
    if view.knocker >= 0 and view.to_act >= 0:
        knocker = layout.sentence(view.knocker, "have", "has")
        lines += layout.lines("", f"{knocker} knocked: this is the last lap.", 2)
    values = view.parameters.pack.values
    grid = [("", list(ANIMALS), "" if hidden else "?"), ("worth", list(map(str, values)), "")]
    grid += [(f"row {at + 1}", _cells(row), "") for at, row in enumerate(view.row_herds)]
    for seat in view.players:
        grid.append((layout.label(seat), *_hand(view, seat, hidden)))
    if hidden is None:
        unseen = str(sum(animal_counts(view.unseen_herd)))
        grid.append(("unseen by you", _cells(view.unseen_herd), unseen))
    else:
        grid.append(("not in play", _cells(_herd(hidden.face_down)), ""))
    # RULES 15: in a small match, some animals may be left out.
    grid = [(label, list(compress(cells, values)), last) for label, cells, last in grid]
    label = max(_LABEL, layout.margin - 2)
    if label + 2 + sum(len(name) + 1 for name in grid[0][1]) + 3 <= layout.width:
        lines += _rows(grid, label, you=layout.label(view.seat) if hidden is None else "")
    else:
        lines += _columns(grid, view.players, len(view.row_herds))
    lines += _lives(view, layout)
    lines += _lacks(view, layout) if hidden is None else []
    lines += layout.lines("", _sets(view), 2)
    return "\n".join(lines)


def _sets(view: View) -> str:
    pack = view.parameters.pack
    sets = [quantity(pack.values[animal], ANIMALS[animal]) for animal in pack.sets]
    if not sets:
        return "No set ends the round."
    first = ", ".join(sets[:-1])
    text = f"{first} or {sets[-1]}" if first else sets[-1]
    return f"{text} in one hand after a swap end the round at once."


def _title_lines(view: View, layout: Layout) -> list[str]:
    title = f"Life is Life · {variant_words(GAME, view.parameters)[0]} · round {view.round + 1}"
    stage = _stage(view, layout)
    if len(title) + 3 + len(stage) <= layout.width:
        return [styled(f"{title} · {stage}", bold=True)]
    return [styled(title, bold=True), *layout.lines("", stage, 2)]


def _stage(view: View, layout: Layout) -> str:
    if view.to_act < 0:
        return "the match is over"
    actor = layout.subject(view.to_act, "are", "is")
    if view.knocker < 0:
        return f"{actor} to play, turn {view.turn + 1} of at most {view.last_turn}"
    turns = view.last_turn - view.turn
    return f"{actor} to play, {'the last turn' if turns == 1 else f'{turns} turns are left'}"


def _hand(view: View, seat: int, hidden: HiddenCards | None) -> tuple[list[str], str]:
    """Return the cells of a hand as far as it is known, and the number of its other cards."""
    if hidden is not None:
        return _cells(_herd(hidden.hands[seat])), ""
    if seat == view.seat:
        return _cells(view.hand_herd), ""
    unknown = view.parameters.hand_size - sum(animal_counts(view.known_herds[seat]))
    return _cells(view.known_herds[seat]), f"+{unknown}" if unknown else ""


def _herd(names: Sequence[str]) -> int:
    return herd_of(tuple(map(ANIMALS.index, names)))


def _rows(grid: Sequence[_Line], label: int, *, you: str) -> list[str]:
    """Draw a row for each line of the grid."""
    lines = []
    names = grid[0][1]
    for title, cells, last in grid:
        drawn = " ".join(f"{cell:>{len(name)}}" for cell, name in zip(cells, names, strict=True))
        line = f"  {title:<{label}}{drawn} {last:>3}".rstrip()
        is_row = title.startswith("row ")
        colour = "cyan" if is_row else "green" if title == you else None
        lines.append(styled(line, fg=colour, bold=colour == "green"))
    return lines


def _columns(grid: Sequence[_Line], players: Sequence[int], rows: int) -> list[str]:
    """Draw a column for each line of the grid: for a narrow terminal."""
    (_, names, rest), *others = grid
    heads = [*(f"r{at + 1}" for at in range(rows)), *(f"s{seat}" for seat in players)]
    lines = [" " * 10 + "".join(f"{head:>3}" for head in [*heads, rest or "off"])]
    for number, name in enumerate([*names, rest] if rest else names):
        worth, *cells = [line[1][number] if number < len(names) else line[2] for line in others]
        lines.append(f" {name:<7}{worth:>2}" + "".join(f"{cell:>3}" for cell in cells))
    return [line.rstrip() for line in lines]


def _lives(view: View, layout: Layout) -> list[str]:
    words = []
    for seat, lives in enumerate(view.lives):
        text = layout.label(seat)
        if seat in view.players:
            words.append(f"{text} {lives}")
        else:
            words.append(f"{text} out since round {view.out[seat] + 1}")
    return layout.lines("lives", ", ".join(words), 9)


def _lacks(view: View, layout: Layout) -> list[str]:
    """List the cards that hands are known to lack, together for hands that lack the same."""
    seats: dict[int, list[str]] = {}
    for seat, lacking in enumerate(view.lacking_herds):
        if lacking and seat != view.seat:
            seats.setdefault(lacking, []).append(layout.name(seat))
    lines = []
    for lacking, names in seats.items():
        text = f"Not in the hand of {' or '.join(names)}: at least {herd_text(lacking)}."
        lines += layout.lines("", text, 2)
    return lines


def _cells(herd: int) -> list[str]:
    return [str(count) if count else "·" for count in animal_counts(herd)]


def choices(view: View) -> str:
    """Explain how to type a swap, which swaps are excluded, and whether a knock is possible."""
    swaps = [action for action in GAME.legal_actions(view) if action != KNOCK]
    # The example is for the second row, if it can be: one animal would not show how to name two.
    example = GAME.action_text(min(swaps, key=lambda swap: abs(ROW_OF[swap] - 1)))
    held = [
        name for name, count in zip(ANIMALS, animal_counts(view.hand_herd), strict=True) if count
    ]
    count = len(view.row_herds)
    rows = f"1 to {count}" if count > 1 else "1"
    text = (
        f"swap in {quantity(len(swaps), 'way')}: type a row, {rows}, and that many animals to lay "
        "down\n"
        f"  from your {', '.join(held)};\n"
        f"  for example: {example}"
    )
    # RULES 3
    same = [row for row in view.row_herds if not (view.hand_herd - row) & GUARDS]
    if same:
        excluded = " nor ".join(GAME.action_text(ACTION_OF[row]) for row in same)
        text += f"\n  (but not {excluded}: the row has the same cards)"
    if view.may_knock:
        purpose = "announce the last lap" if view.knocker < 0 else "let the turn pass"
        text += f"\n  or knock, to {purpose}; type: knock"
    return text


def periods(view: View) -> Periods:
    """Return the round; every decision is a turn."""
    return Periods(view.round, None)

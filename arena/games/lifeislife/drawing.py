"""Draw a match of Life is Life as text, with colours for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import (
    ACTION_OF,
    ANIMALS,
    GUARDS,
    HAND,
    KNOCK,
    ROW_OF,
    VALUES,
)
from arena.games.lifeislife.narration import animal_counts, herd_text
from arena.games.lifeislife.view import View
from arena.text import quantity, styled

_LABEL = 18


def draw(view: View) -> str:
    """Draw a grid of animals: the rows, the hand, the known cards of others, the unseen cards."""
    lines = [styled(f"Life is Life · round {view.round + 1} · {_stage(view)}", bold=True)]
    if view.knocker >= 0 and view.to_act >= 0:
        knocker = "You have" if view.knocker == view.seat else f"Seat {view.knocker} has"
        lines.append(f"  {knocker} knocked: this is the last lap.")
    lines.append(_line("", ANIMALS, "?"))
    lines.append(_line("worth", VALUES))
    for number, row in enumerate(view.row_herds):
        lines.append(styled(_line(f"row {number + 1}", _cells(row)), fg="cyan"))
    lines += [_seat_line(view, seat) for seat in range(view.seats)]
    unseen = animal_counts(view.unseen_herd)
    lines.append(_line("unseen by you", _cells(view.unseen_herd), str(sum(unseen))))
    lines += _lacks(view)
    sets = "5 rabbits or 5 pigs" if view.parameters.expert else "5 rabbits, 5 pigs or 4 cats"
    lines.append(f"  {sets} in one hand after a swap end the round at once.")
    return "\n".join(lines)


def _stage(view: View) -> str:
    if view.to_act < 0:
        return "the match is over"
    actor = "you are" if view.to_act == view.seat else f"seat {view.to_act} is"
    if view.knocker < 0:
        return f"{actor} to play, turn {view.turn + 1} of at most {view.last_turn}"
    turns = view.last_turn - view.turn
    return f"{actor} to play, {'the last turn' if turns == 1 else f'{turns} turns are left'}"


def _seat_line(view: View, seat: int) -> str:
    who = f"seat {seat}" if seat != view.seat else f"you, {seat}"
    lives = view.lives[seat]
    label = f"{who:<7} {quantity(lives, 'life', 'lives')}"
    if seat not in view.players:
        return f"  {who:<7} out since round {view.out[seat] + 1}"
    if seat == view.seat:
        return styled(_line(label, _cells(view.hand_herd)), fg="green", bold=True)
    known = animal_counts(view.known_herds[seat])
    unknown = HAND - sum(known)
    return _line(label, _cells(view.known_herds[seat]), f"+{unknown}" if unknown else "")


def _lacks(view: View) -> list[str]:
    """List the cards that hands are known to lack, together for hands that lack the same."""
    seats: dict[int, list[str]] = {}
    for seat, lacking in enumerate(view.lacking_herds):
        if lacking and seat != view.seat:
            seats.setdefault(lacking, []).append(str(seat))
    return [
        f"  Not in the hand of seat {' or '.join(names)}: at least {herd_text(lacking)}."
        for lacking, names in seats.items()
    ]


def _line(label: str, cells: Iterable[object], last: str = "") -> str:
    grid = " ".join(f"{cell!s:>{len(name)}}" for cell, name in zip(cells, ANIMALS, strict=True))
    return f"  {label:<{_LABEL}}{grid} {last:>3}".rstrip()


def _cells(herd: int) -> list[str]:
    return [str(count) if count else "·" for count in animal_counts(herd)]


def choices(view: View) -> str:
    """Explain how to type a swap, which swaps are excluded, and whether a knock is possible."""
    swaps = [action for action in GAME.legal_actions(view) if action != KNOCK]
    example = GAME.action_text(next(action for action in swaps if ROW_OF[action] == 1))
    held = [
        name for name, count in zip(ANIMALS, animal_counts(view.hand_herd), strict=True) if count
    ]
    text = (
        f"swap in {len(swaps)} ways: type a row, 1 to 4, and that many animals to lay down\n"
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

"""How does a match of Life is Life look in a terminal?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import (
    ACTION_OF,
    ANIMALS,
    COUNT,
    GUARDS,
    HAND,
    KNOCK,
    ROW_OF,
    SHIFTS,
    VALUES,
)
from arena.games.lifeislife.events import (
    Event,
    Knocked,
    RoundBegan,
    Scored,
    SuddenDeath,
    Swapped,
    WentOut,
)
from arena.games.lifeislife.view import View

_PLURALS = {"sheep": "sheep", "mouse": "mice"}
_LABEL = 18


def draw(view: View) -> str:
    """Draw a grid of animals: the rows, the hand, what is known of the others, what is unseen."""
    lines = [click.style(f"Life is Life · round {view.round + 1} · {_stage(view)}", bold=True)]
    if view.knocker >= 0 and view.to_act >= 0:
        knocker = "You have" if view.knocker == view.seat else f"Seat {view.knocker} has"
        lines.append(f"  {knocker} knocked: this is the last lap.")
    lines.append(_line("", ANIMALS, "?"))
    lines.append(_line("worth", VALUES))
    for number, row in enumerate(view.row_herds):
        lines.append(click.style(_line(f"row {number + 1}", _cells(row)), fg="cyan"))
    lines += [_seat_line(view, seat) for seat in range(view.seats)]
    unseen = _counts(view.unseen_herd)
    lines.append(_line("unseen by you", _cells(view.unseen_herd), str(sum(unseen))))
    lines += _lacks(view)
    sets = "5 rabbits or 5 pigs" if view.parameters.expert else "5 rabbits, 5 pigs or 4 cats"
    lines.append(f"  Whoever has {sets} after a swap ends the round at once.")
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
    label = f"{who:<7} {lives} {'life' if lives == 1 else 'lives'}"
    if seat not in view.players:
        return f"  {who:<7} out since round {view.out[seat] + 1}"
    if seat == view.seat:
        return click.style(_line(label, _cells(view.hand_herd)), fg="green", bold=True)
    known = _counts(view.known_herds[seat])
    unknown = HAND - sum(known)
    return _line(label, _cells(view.known_herds[seat]), f"+{unknown}" if unknown else "")


def _lacks(view: View) -> list[str]:
    """Say together what the same cards are missing from."""
    seats: dict[int, list[str]] = {}
    for seat, lacking in enumerate(view.lacking_herds):
        if lacking and seat != view.seat:
            seats.setdefault(lacking, []).append(str(seat))
    return [
        f"  Not in the hand of seat {' nor '.join(names)}: at least {_cards(lacking)}."
        for lacking, names in seats.items()
    ]


def _line(label: str, cells: Iterable[object], last: str = "") -> str:
    grid = " ".join(f"{cell!s:>{len(name)}}" for cell, name in zip(cells, ANIMALS, strict=True))
    return f"  {label:<{_LABEL}}{grid} {last:>3}".rstrip()


def _counts(herd: int) -> list[int]:
    return [herd >> shift & COUNT for shift in SHIFTS]


def _cells(herd: int) -> list[str]:
    return [str(count) if count else "·" for count in _counts(herd)]


def _cards(herd: int) -> str:
    """Write a herd as a person would: 2 cats, dog."""
    return ", ".join(
        name if count == 1 else f"{count} {_PLURALS.get(name, name + 's')}"
        for name, count in zip(ANIMALS, _counts(herd), strict=True)
        if count
    )


def tell(event: Event, names: Sequence[str]) -> str:
    """Say in a sentence what happened; a scoring takes two lines for each player."""
    match event:
        case RoundBegan():
            rows = "; ".join(map(_cards, event.rows))
            return f"Round {event.round + 1}: {rows}. {names[event.starter]} starts."
        case Swapped():
            return (
                f"{names[event.seat]} lays {_cards(event.laid)} "
                f"and takes row {event.row + 1}: {_cards(event.taken)}."
            )
        case Knocked():
            return f"{names[event.seat]} knocks."
        case SuddenDeath():
            losers = [names[seat] for seat, lost in enumerate(event.lost) if lost]
            gain = " and gains a life" if event.gained else ""
            return (
                f"Sudden death: {names[event.seat]} shows {_cards(event.hand)}{gain}; "
                f"a life is lost by {' and '.join(losers)}."
            )
        case Scored():
            scored = [seat for seat, hand in enumerate(event.hands) if hand]
            return "\n".join(
                ["The round is scored.", *(_score_line(event, seat, names) for seat in scored)]
            )
        case WentOut():
            return f"{names[event.seat]} is out."


def _score_line(event: Scored, seat: int, names: Sequence[str]) -> str:
    lost = event.lost[seat]
    cost = f"loses {lost} {'life' if lost == 1 else 'lives'}" if lost else "loses nothing"
    hand = _cards(event.hands[seat])
    return f"  {names[seat]} has {event.totals[seat]} points and {cost}, with\n    {hand}."


def choices(view: View) -> str:
    """Say how to write a swap, which ones are excluded, and whether a knock is possible."""
    swaps = [action for action in GAME.legal_actions(view) if action != KNOCK]
    example = GAME.action_text(next(action for action in swaps if ROW_OF[action] == 1))
    held = [name for name, count in zip(ANIMALS, _counts(view.hand_herd), strict=True) if count]
    text = (
        f"swap in {len(swaps)} ways: type a row, 1 to 4, and as many animals to lay for it\n"
        f"  from your {', '.join(held)};\n"
        f"  for example: {example}"
    )
    # RULES 3
    same = [row for row in view.row_herds if not (view.hand_herd - row) & GUARDS]
    if same:
        excluded = " nor ".join(GAME.action_text(ACTION_OF[row]) for row in same)
        text += f"\n  (but not {excluded}: that is what lies there)"
    if view.may_knock:
        purpose = "announce the last lap" if view.knocker < 0 else "let the turn pass"
        text += f"\n  or knock, to {purpose}; type: knock"
    return text

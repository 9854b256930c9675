"""Draw a match of Trio as text, with colours for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from arena.games.trio import GAME
from arena.games.trio.cards import (
    EMPTY,
    FIRST_GIVE,
    FIRST_HAND,
    KEEP,
    NUMBERS,
    SEAT_OF,
    UNSEEN,
    low,
    number_given,
)
from arena.games.trio.knowledge import Earlier, Known
from arena.games.trio.view import View
from arena.text import quantity, styled

_MARGIN = 12
_WIDTH = 78
_HIDDEN = "?"


def draw(view: View) -> str:
    """Draw the piles, the centre, the known cards of every hand, and the cards of this seat."""
    mode = view.parameters.mode.value + (" in teams" if view.parameters.teams else "")
    turns = view.seats * view.parameters.turn_cap
    lines = [styled(f"Trio · {mode} · turn {min(view.turn + 1, turns)} of {turns}", bold=True)]
    if view.centre:
        lines.append(_line("centre", " ".join(map(_slot, view.centre))))
        lines.append(_line("", " ".join(f"{slot:>3} " for slot in range(len(view.centre)))))
    for seat in range(view.seats):
        lines += _seat_lines(view, seat)
    lines += _partner_lines(view)
    lines.append(_line("your hand", styled(_cards(view.hand) or "empty", fg="cyan")))
    lines += _lines("now", _situation(view))
    return "\n".join(lines)


def _line(title: str, text: str) -> str:
    return f"{'  ' + title:<{_MARGIN}} {text}".rstrip()


def _lines(title: str, text: str) -> list[str]:
    parts = wrap(text, _WIDTH - _MARGIN - 1)
    return [_line(title if not number else "", part) for number, part in enumerate(parts)]


def _slot(number: int) -> str:
    """Draw a slot four columns wide, so that its number fits below it."""
    if number == EMPTY:
        return "  · "
    if number == UNSEEN:
        return f" [{_HIDDEN}]"
    return styled(f"[{number}]".rjust(4), fg="green")


def _seat_lines(view: View, seat: int) -> list[str]:
    known = view.known[seat]
    team = seat % len(view.piles)
    pile = view.piles[team]
    owns = "trios " + _cards(pile) if pile else "no trio"
    if view.parameters.teams:
        owns = f"team {team}, {owns}"
    cards = quantity(known.size, "card")
    who = f"seat {seat}" + (" you" if seat == view.seat else "")
    lines = [_line(who, f"{cards:<8} {_known(known)}"), _line("", f"{'':<8} {owns}")]
    for layer in view.earlier[seat] if view.earlier else ():
        lines += [_line("", f"{'':<8} {part}") for part in wrap(_earlier(layer), _WIDTH - 22)]
    return lines


def _known(known: Known) -> str:
    """Write what the table knows of a hand: 1 2 ? ? ? 11."""
    between = known.size - len(known.low) - len(known.high)
    shown = " ".join([*map(str, known.low), *[_HIDDEN] * between, *map(str, known.high)])
    notes = []
    # Bounds that the cards do not show come from cards that were taken.
    if between and not known.low and known.least > 1:
        notes.append(f"none below {known.least}")
    if between and not known.high and known.most < NUMBERS:
        notes.append(f"none above {known.most}")
    return styled(shown, fg="green") + (f"   ({', '.join(notes)})" if notes else "")


def _earlier(layer: Earlier) -> str:
    """Describe what was known of a hand before its swaps."""
    came = f"{layer.strange} other may have been added"
    if not layer.cards:
        return f"before swaps all from {layer.least} to {layer.most}: {came}"
    others = f"others from {layer.least} to {layer.most}" if layer.least else "no others"
    return f"before swaps {_cards(layer.cards)} and {others}: {layer.gone} may have left, {came}"


def _partner_lines(view: View) -> list[str]:
    if view.partner is None:
        return []
    partner = (view.seat + len(view.piles)) % view.seats
    cards, least, most = view.partner
    known = f"seat {partner} certainly has {_cards(cards)}" if cards else f"seat {partner}'s cards"
    if view.partner.least:
        known += f", all others from {least} to {most}" if cards else f" are {least} to {most}"
    lines = _lines("partner", known)
    if view.log:
        swapped = ", ".join(f"{gave} for {got}" for gave, got in view.log)
        lines += _lines("swapped", f"{swapped} (given for received)")
    swaps = ", ".join(f"team {team} {count}×" for team, count in enumerate(view.swaps))
    lines.append(_line("swaps", swaps))
    for team, shared in enumerate(view.shared):
        if shared:
            lines += _lines("", f"team {team} still has {_cards(shared)} in one hand or the other")
    return lines


def _situation(view: View) -> str:
    if view.to_act < 0:
        return "the match is over"
    who = "you choose" if view.to_act == view.seat else f"seat {view.to_act} chooses"
    if view.phase:
        return f"{who} what to give in a swap"
    if not view.shown:
        return f"{who} a card to turn up"
    places = " and ".join(map(_place, view.shown))
    return f"{who}; face up: {places}, number {view.number}"


def _place(place: int) -> str:
    if place < FIRST_HAND:
        return f"slot {place}"
    end = "lowest" if place == low(SEAT_OF[place]) else "highest"
    return f"{end} of seat {SEAT_OF[place]}"


def _cards(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def choices(view: View) -> str:
    """List the choices: each word with the numbers that may follow it."""
    actions = GAME.legal_actions(view)
    if not actions:
        return "nothing to choose"
    if view.phase:
        given = _cards([number_given(action) for action in actions if action < KEEP])
        return f"give {given}, or keep; for example, type: {GAME.action_text(actions[0])}"
    groups: dict[str, list[int]] = {"centre": [], "low": [], "high": []}
    for action in actions:
        assert action < FIRST_GIVE
        word, _, number = GAME.action_text(action).partition(" ")
        groups[word].append(int(number))
    listed = ", ".join(f"{word} {_cards(numbers)}" for word, numbers in groups.items() if numbers)
    return (
        f"turn up {listed}\n(slots and seats); for example, type: {GAME.action_text(actions[-1])}"
    )

"""Draw a match of Trio as text, with colours for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.core import HiddenCards
from arena.games.layout import WIDTH, Layout, Periods
from arena.games.registry import variant_words
from arena.games.trio import GAME
from arena.games.trio.cards import (
    EMPTY,
    NUMBERS,
    UNSEEN,
    Action,
)
from arena.games.trio.knowledge import Earlier, Known
from arena.games.trio.view import View
from arena.text import quantity, styled

_MARGIN = 13
_HIDDEN = "?"
_TEAMS = ("yellow", "magenta", "blue")
"""Partners have the same colour, and their team is written beside them."""


def draw(
    view: View,
    *,
    names: Sequence[str] = (),
    width: int = WIDTH,
    hidden: HiddenCards | None = None,
) -> str:
    """Draw the piles, the centre, the known cards of every hand, and the cards of this seat.

    With `hidden`, draw the whole hands and the whole centre instead.
    """
    layout = Layout(view.seats, view.seat, names, width, hidden)
    margin = max(layout.margin, _MARGIN)
    variant = variant_words(GAME, view.parameters)[0]
    turns = view.seats * view.parameters.turn_cap
    lines = [styled(f"Trio · {variant} · turn {min(view.turn + 1, turns)} of {turns}", bold=True)]
    if view.centre:
        lines += _centre_lines(view, layout, margin)
    for seat in range(view.seats):
        lines += _seat_lines(view, seat, layout, margin)
    if hidden is None:
        lines += _partner_lines(view, layout, margin)
        hand = " ".join(styled(str(number), fg="cyan") for number in view.hand)
        lines += layout.lines("your hand", hand or "empty", margin)
    return "\n".join([*lines, *layout.lines("now", _situation(view, layout), margin)])


def _centre_lines(view: View, layout: Layout, margin: int) -> list[str]:
    """Draw the slots, with their numbers below; without a title or gaps where there is no room."""
    slots = list(map(_slot, view.centre))
    if layout.hidden:
        slots = [_slot(EMPTY if card == "x" else int(card)) for card in layout.hidden.face_down]
    numbers = [f"{slot:>3} " for slot in range(len(slots))]
    if margin + 5 * len(slots) > layout.width:
        return [f"  {''.join(row)}".rstrip() for row in (slots, numbers)]
    rows = zip(("centre", ""), (slots, numbers), strict=True)
    return [f"{'  ' + title:<{margin}}{' '.join(row)}".rstrip() for title, row in rows]


def _slot(number: int) -> str:
    """Draw a slot four columns wide, so that its number fits below it."""
    if number == EMPTY:
        return "  · "
    if number == UNSEEN:
        return f" [{_HIDDEN}]"
    return styled(f"[{number}]".rjust(4), fg="green")


def _seat_lines(view: View, seat: int, layout: Layout, margin: int) -> list[str]:
    known = view.known[seat]
    team = seat % len(view.piles)
    pile = view.piles[team]
    label = layout.label(seat)
    owns = "trios " + _cards(pile) if pile else "no trio"
    if view.parameters.teams:
        owns = f"team {team}, {owns}"
        label = styled(label, fg=_TEAMS[team])
    hand = _known(known)
    if layout.hidden:
        hand = " ".join(styled(card, fg="green") for card in layout.hidden.hands[seat])
    cards = quantity(known.size, "card")
    lines = layout.lines(label, f"{cards:<8} {hand}", margin)
    below = margin + (9 if margin <= layout.width // 2 - 9 else 0)
    lines += layout.lines("", owns, below)
    if layout.hidden is None:
        for layer in view.earlier[seat] if view.earlier else ():
            lines += layout.lines("", _earlier(layer), below)
    return lines


def _known(known: Known) -> str:
    """Write what the table knows of a hand: 1 2 ? ? ? 11."""
    between = known.size - len(known.low) - len(known.high)
    shown = [*map(str, known.low), *[_HIDDEN] * between, *map(str, known.high)]
    notes = []
    # Bounds that the cards do not show come from cards that were taken.
    if between and not known.low and known.least > 1:
        notes.append(f"none below {known.least}")
    if between and not known.high and known.most < NUMBERS:
        notes.append(f"none above {known.most}")
    cards = " ".join(styled(card, fg="green") for card in shown)
    return cards + (f"   ({', '.join(notes)})" if notes else "")


def _earlier(layer: Earlier) -> str:
    """Describe what was known of a hand before its swaps."""
    came = f"{layer.strange} other may have been added"
    if not layer.cards:
        return f"before swaps all from {layer.least} to {layer.most}: {came}"
    others = f"others from {layer.least} to {layer.most}" if layer.least else "no others"
    return f"before swaps {_cards(layer.cards)} and {others}: {layer.gone} may have left, {came}"


def _partner_lines(view: View, layout: Layout, margin: int) -> list[str]:
    if view.partner is None:
        return []
    partner = layout.name((view.seat + len(view.piles)) % view.seats)
    cards, least, most = view.partner
    known = f"{partner} certainly has {_cards(cards)}" if cards else f"{partner}'s cards"
    if view.partner.least:
        known += f", all others from {least} to {most}" if cards else f" are {least} to {most}"
    lines = layout.lines("partner", known, margin)
    if view.log:
        swapped = ", ".join(f"{gave} for {got}" for gave, got in view.log)
        lines += layout.lines("swapped", f"{swapped} (given for received)", margin)
    swaps = ", ".join(f"team {team} {count}×" for team, count in enumerate(view.swaps))
    lines += layout.lines("swaps", swaps, margin)
    for team, shared in enumerate(view.shared):
        if shared:
            text = f"team {team} still has {_cards(shared)} in one hand or the other"
            lines += layout.lines("", text, margin)
    return lines


def _situation(view: View, layout: Layout) -> str:
    if view.to_act < 0:
        return "the match is over"
    who = layout.subject(view.to_act, "choose", "chooses")
    if view.phase:
        return f"{who} what to give in a swap"
    if not view.shown:
        return f"{who} a card to turn up"
    places = " and ".join(_place(place, layout) for place in view.shown)
    return f"{who}; face up: {places}, number {view.number}"


def _place(place: Action, layout: Layout) -> str:
    if place.kind == "centre":
        return f"slot {place.slot}"
    return f"{place.kind}est of {layout.name(place.seat)}"


def _cards(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))


def choices(view: View) -> str:
    """List the choices: each word with the numbers that may follow it."""
    actions = GAME.legal_actions(view)
    if not actions:
        return "nothing to choose"
    if view.phase:
        given = _cards([action.number for action in actions if action.number])
        return f"give {given}, or keep; for example, type: {actions[0]}"
    groups: dict[str, list[int]] = {"centre": [], "low": [], "high": []}
    for action in actions:
        groups[action.kind].append(max(action.slot, action.seat))
    listed = ", ".join(f"{word} {_cards(numbers)}" for word, numbers in groups.items() if numbers)
    return f"turn up {listed}\n(slots and seats); for example, type: {actions[-1]}"


def periods(view: View) -> Periods:
    """Return the turn; there are no rounds."""
    return Periods(None, view.turn)

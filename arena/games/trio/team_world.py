"""Complete a sampled state of a team game.

Besides the bounds on each hand, the hands of the other teams must fit what was known about them
before their swaps, and the private knowledge of all partners must be filled in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games.trio.cards import NUMBERS, actions_in, give_mask
from arena.games.trio.knowledge import NOTHING_KNOWN, KnownToPartner
from arena.games.trio.mixing import Bond, make_rule, mix
from arena.games.trio.state import TrioState
from arena.games.trio.swaps import Swaps
from arena.games.trio.view import View

if TYPE_CHECKING:
    from random import Random


def complete(state: TrioState, view: View, rng: Random) -> None:
    """Make the hands of a state fit the view, and fill in what partners know and have chosen."""
    assert view.partner is not None
    assert view.told is not None
    teams = len(view.piles)
    mine = view.seat % teams
    partner = (view.seat + teams) % view.seats
    others = [seat for seat in range(view.seats) if seat % teams != mine]
    if any(view.earlier[seat] for seat in others) or any(
        cards for team, cards in enumerate(view.shared) if team != mine
    ):
        _mix(state, view, partner, rng)
    swaps = Swaps(view.seats)
    swaps.phase = view.phase
    swaps.earlier = list(view.earlier)
    swaps.shared = list(view.shared)
    swaps.counts = list(view.swaps)
    swaps.private[view.seat] = view.partner
    swaps.private[partner] = view.told
    swaps.logs[view.seat] = view.log
    swaps.logs[partner] = tuple((got, gave) for gave, got in view.log)
    for seat in others:
        if seat < teams and view.swaps[seat]:
            _invent_swaps(swaps, state.hands, seat, seat + teams, rng)
    _draw_choices(swaps, state, view, rng)
    state.swaps = swaps


def _mix(state: TrioState, view: View, partner: int, rng: Random) -> None:
    """Change the hidden hands until they fit what was known before the swaps, and mix them."""
    teams = len(view.piles)
    hidden = [seat for seat in range(view.seats) if seat != view.seat]
    rules = []
    for seat in hidden:
        if seat == partner:
            assert view.partner is not None
            rules.append([make_rule(view.partner.cards, (view.partner.least, view.partner.most))])
            continue
        known = view.known[seat]
        now = make_rule(known.low + known.high, (known.least, known.most))
        before = [
            make_rule(each.cards, (each.least, each.most), each.gone, each.strange)
            for each in view.earlier[seat]
        ]
        rules.append([now, *before])
    bonds = [
        Bond(hidden.index(team), hidden.index(team + teams), cards)
        for team, cards in enumerate(view.shared)
        if cards and team != view.seat % teams
    ]
    mix([state.hands[seat] for seat in hidden], rules, bonds, rng)
    for seat in hidden:
        state.hands[seat].sort()


def _invent_swaps(
    swaps: Swaps, hands: list[list[int]], seat: int, partner: int, rng: Random
) -> None:
    """Invent the swaps between two partners of another team, consistent with their hands."""
    log = []
    for _ in range(swaps.counts[seat]):
        log.append((_any_card(hands[partner], rng), _any_card(hands[seat], rng)))
    swaps.logs[seat] = tuple(log)
    swaps.logs[partner] = tuple((got, gave) for gave, got in log)
    gave, got = log[-1]
    for one, other, card in ((seat, partner, gave), (partner, seat, got)):
        if hands[other]:
            swaps.private[one] = KnownToPartner((card,), NOTHING_KNOWN.least, NOTHING_KNOWN.most)


def _any_card(hand: list[int], rng: Random) -> int:
    if not hand:
        return 1 + int(rng.random() * NUMBERS)
    return hand[int(rng.random() * len(hand))]


def _draw_choices(swaps: Swaps, state: TrioState, view: View, rng: Random) -> None:
    """Draw the choices that others have already made in this swap phase."""
    for seat in view.phase:
        if seat == view.to_act:
            break
        if seat == view.seat:
            swaps.chosen[seat] = view.chosen
        else:
            choices = actions_in(give_mask(state.hands[seat]))
            swaps.chosen[seat] = choices[int(rng.random() * len(choices))]

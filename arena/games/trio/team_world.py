"""What fits one seat's view of a team game, beside the bounds of each hand?

The hands of the other teams must also fit what was known of them before their swaps, and all that
partners know privately must be filled in.
"""

from __future__ import annotations

from random import Random

from arena.games.trio.cards import NUMBERS, actions_in, give_mask
from arena.games.trio.knowledge import NOTHING_TOLD, Told
from arena.games.trio.mixing import Mixture
from arena.games.trio.searching import Bond, rule
from arena.games.trio.state import TrioState
from arena.games.trio.swaps import Swaps
from arena.games.trio.view import View


def complete(state: TrioState, view: View, rng: Random) -> None:
    """Make the hands of a state fit, and fill in what partners know and have chosen."""
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
    swaps.told[view.seat] = view.partner
    swaps.told[partner] = view.told
    swaps.logs[view.seat] = view.log
    swaps.logs[partner] = tuple((got, gave) for gave, got in view.log)
    for seat in others:
        if seat < teams and view.swaps[seat]:
            _make_up(swaps, state.hands, seat, seat + teams, rng)
    _choose(swaps, state, view, rng)
    state.swaps = swaps


def _mix(state: TrioState, view: View, partner: int, rng: Random) -> None:
    """Change the hidden hands until they fit what was known before the swaps, and mix them."""
    teams = len(view.piles)
    hidden = [seat for seat in range(view.seats) if seat != view.seat]
    rules = []
    for seat in hidden:
        if seat == partner:
            assert view.partner is not None
            rules.append([rule(view.partner.cards, (view.partner.least, view.partner.most))])
            continue
        known = view.known[seat]
        now = rule(known.low + known.high, (known.least, known.most))
        before = [
            rule(each.cards, (each.least, each.most), each.gone, each.strange)
            for each in view.earlier[seat]
        ]
        rules.append([now, *before])
    bonds = [
        Bond(hidden.index(team), hidden.index(team + teams), cards)
        for team, cards in enumerate(view.shared)
        if cards and team != view.seat % teams
    ]
    mixture = Mixture([state.hands[seat] for seat in hidden], rules, bonds)
    mixture.mix(rng)
    for seat, hand in zip(hidden, mixture.hands, strict=True):
        state.hands[seat] = sorted(hand)


def _make_up(swaps: Swaps, hands: list[list[int]], seat: int, partner: int, rng: Random) -> None:
    """Invent what two partners of another team swapped, so that it fits their hands."""
    log = []
    for _ in range(swaps.counts[seat]):
        log.append((_any_card(hands[partner], rng), _any_card(hands[seat], rng)))
    swaps.logs[seat] = tuple(log)
    swaps.logs[partner] = tuple((got, gave) for gave, got in log)
    gave, got = log[-1]
    for one, other, card in ((seat, partner, gave), (partner, seat, got)):
        if hands[other]:
            swaps.told[one] = Told((card,), NOTHING_TOLD.least, NOTHING_TOLD.most)


def _any_card(hand: list[int], rng: Random) -> int:
    if not hand:
        return 1 + int(rng.random() * NUMBERS)
    return hand[int(rng.random() * len(hand))]


def _choose(swaps: Swaps, state: TrioState, view: View, rng: Random) -> None:
    """Draw the choices that others have already made in this swap phase."""
    for seat in view.phase:
        if seat == view.to_act:
            break
        if seat == view.seat:
            swaps.chosen[seat] = view.chosen
        else:
            choices = actions_in(give_mask(state.hands[seat]))
            swaps.chosen[seat] = choices[int(rng.random() * len(choices))]

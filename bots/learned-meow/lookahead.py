"""Look ahead with the network: play the round on in a few worlds that fit what the seat sees."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from features import WIDTH, Floats, features_of
from network import Network

from arena.games.meow import GAME
from arena.games.meow.cards import FISH, HAND
from arena.games.meow.state import MeowState, points
from arena.games.meow.view import View

WORLDS = 8
"""How many worlds are sampled for a decision."""
CANDIDATES = 3
"""How many cards are tried: those that the network likes best."""
FISH_SHARE = 0.4
"""Share of the worst bones to come that a fish without a bone is worth at the end of a round."""


def ranked_cards(network: Network, views: Sequence[View]) -> list[list[int]]:
    """List the playable cards of each view, those with the best scores first.

    Each view is a group of equal size: sums of another size are rounded differently, and a decision
    must not depend on what else is waiting.
    """
    rows, which, cards = features_of(views)
    place = np.arange(len(which)) - np.searchsorted(which, which)
    groups = np.zeros((len(views), HAND, WIDTH), dtype=np.float32)
    groups[which, place] = rows
    scores: Floats = np.full((len(views), HAND), np.inf, dtype=np.float32)
    scores[which, place] = -network.scores(groups)[which, place]
    first = np.searchsorted(which, np.arange(len(views)))
    counts = np.bincount(which)
    order = np.argsort(scores, axis=1, kind="stable")
    return [
        cards[begin + places[:count]].tolist()
        for begin, places, count in zip(first, order, counts, strict=True)
    ]


def best_after_looking(network: Network, view: View, cards: Sequence[int], rng: Random) -> int:
    """Return the card after which this seat is furthest ahead at the end of the round."""
    worlds = [GAME.world(view, rng) for _ in range(WORLDS)]
    branches: list[MeowState] = []
    for card in cards:
        for world in worlds:
            branch = world.copy()
            branch.apply(card)
            branches.append(branch)
    _finish_round(network, branches, view.round)
    leads = [_lead(branch, view.seat) for branch in branches]
    totals = [sum(leads[at : at + WORLDS]) for at in range(0, len(leads), WORLDS)]
    return cards[totals.index(max(totals))]


def _finish_round(network: Network, branches: Sequence[MeowState], round_: int) -> None:
    """Let the network play for all seats until the round is over."""
    playing = list(branches)
    while True:
        playing = [state for state in playing if state.round == round_ and state.row]
        if not playing:
            return
        views = [GAME.view_of(state, state.to_act) for state in playing]
        for state, ranked in zip(playing, ranked_cards(network, views), strict=True):
            state.apply(ranked[0])


def _lead(state: MeowState, seat: int) -> float:
    """Return how much this seat has more than the others on average."""
    coming = state.row + state.later
    worths = [
        points(won, state.parameters) + FISH_SHARE * _promise(won, coming) for won in state.won
    ]
    others = [*worths[:seat], *worths[seat + 1 :]]
    return worths[seat] - sum(others) / len(others)


def _promise(won: tuple[int, ...], coming: tuple[int, ...]) -> int:
    """Return the worth of the bones that the spare fish of a seat could remove."""
    spare = won.count(FISH) - sum(-FISH < token < 0 for token in won)
    bones = sorted(token for token in coming if -FISH < token < 0)
    return -sum(bones[: max(spare, 0)])

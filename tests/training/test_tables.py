"""Many tables at once play exactly as the referee's engine does, and the network sees the same."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from features import POSITION, WIDTH, features_of
from tables import Tables, bits
from worth import shares

from arena.games.meow import GAME
from arena.games.meow.cards import DECK, Token
from arena.games.meow.parameters import Parameters, Vases
from arena.games.meow.state import MeowState, points
from arena.games.meow.view import View
from tests.bots.inprocess import bot_module

_TOKENS = tuple(map(Token, (10, 5, 100, -4, -100, -100)))
SMALL = Parameters(ranks=9, hand=3, rounds=2, tokens=_TOKENS)


def views_of(states: Sequence[MeowState]) -> list[View]:
    """Return what the seats to act see."""
    return [GAME.view_of(state, state.to_act) for state in states]


@pytest.mark.parametrize(
    ("seats", "parameters"),
    [
        (2, SMALL),
        (3, Parameters(vases=Vases.ONCE)),
        (4, Parameters()),
        (5, Parameters(expert=True)),
        (6, SMALL),
    ],
    ids=[
        "two in a small match",
        "three, vases once",
        "four",
        "five experts",
        "six in a small match",
    ],
)
def test_tables_and_the_engine_agree_card_by_card(seats: int, parameters: Parameters) -> None:
    rng = Random(seats)
    states = [GAME.start(seats, number, parameters) for number in range(3)]
    tables = Tables.empty(parameters, seats, 0)
    while not states[0].is_over:
        views = views_of(states)
        if not tables.row.shape[1]:
            tables = Tables.from_views(views, bits([state.hands for state in states]))
        rows, which, cards = features_of(tables)
        assert rows.shape == (len(cards), WIDTH)
        assert np.isfinite(rows).all()
        from_views, _, _ = features_of(Tables.from_views(views))
        assert np.array_equal(rows, from_views), "the rows depend on what the seat cannot see"
        for number, state in enumerate(states):
            assert cards[which == number].tolist() == state.legal_actions()
        played = [state.random_action(rng) for state in states]
        for state, card in zip(states, played, strict=True):
            state.apply(card)
        tables.play(np.array(played))
        assert tables.score.tolist() == [
            [points(won, parameters) for won in state.won] for state in states
        ]
        if tables.row.shape[1]:
            assert tables.to_act.tolist() == [state.to_act for state in states]
    ends = [state.outcome() for state in states]
    for share, end in zip(shares(tables), ends, strict=True):
        best = int(np.argmax(share))
        assert end.places[best] == min(end.places)


def test_a_round_is_dealt_from_the_deck_and_the_tokens_left() -> None:
    tables = Tables.empty(Parameters(expert=True), 4, 50)
    rng = np.random.default_rng(1)
    rows = []
    for round_ in range(3):
        tables.deal(rng)
        assert (tables.hands.sum(axis=2) == 9).all()
        assert tables.hands.sum(axis=1).max() == 1
        assert (tables.leader == round_).all()
        rows.append(tables.row)
    assert tables.later.shape[1] == 0
    dealt = np.sort(np.hstack(rows), axis=1)
    assert (dealt == np.sort(Parameters().tokens)).all()
    assert len(np.unique(rows[0][:, 0])) > 5


def test_the_chance_that_a_card_holds_is_that_of_the_greedy_bot_if_all_want_the_token() -> None:
    greedy = bot_module("greedy-meow")
    rng = Random(2)
    for number in range(40):
        state = GAME.start(2 + number % 5, number)
        for _ in range(rng.randrange(50)):
            state.apply(state.random_action(rng))
        (view,) = views_of([state])
        rows, _, cards = features_of(Tables.from_views([view]))
        unseen = greedy.unseen_cards(view)
        expected = [
            greedy.win_chance(DECK[card], view, unseen, wanted=True) for card in cards.tolist()
        ]
        assert np.allclose(rows[:, POSITION + 7], expected, atol=1e-5)

"""Scoring, views and parameters of Jackal & High: clauses 14 to 17."""

from __future__ import annotations

from typing import Any

import pytest

from arena.errors import BadParameter, BadText
from arena.games.jackal import GAME
from arena.games.jackal.parameters import DEFAULT_PAWS, Parameters
from arena.games.randomness import seed_from
from tests.games.jackal.positions import begin_second_round, position

rules = pytest.mark.rules


def outcome(*piles: str, take2s: tuple[int, ...] = (), parameters: Parameters | None = None) -> Any:
    """Return the outcome of a match that ends with these cards."""
    state = begin_second_round(
        "", "", seats=len(piles), piles=piles, take2s=take2s, parameters=parameters
    )
    assert state.is_over
    return state.outcome()


@rules(14)
@pytest.mark.parametrize(
    ("pile", "paws"), [("1 7", 2), ("9 16", 4), ("17 21", 6), ("", 0), ("7 9 17", 6)]
)
def test_a_card_has_a_paw_for_each_die_that_it_takes(pile: str, paws: int) -> None:
    assert outcome(pile, "").scores == (paws, 0)


@rules(14)
def test_a_take2_has_two_paws() -> None:
    assert outcome("5", "9", take2s=(2, 0)).scores == (5, 2)


@rules(14)
def test_paws_are_parameters() -> None:
    paws = (9, *DEFAULT_PAWS[1:6], 7, 0, *DEFAULT_PAWS[8:19], 5)
    parameters = Parameters(paws=paws, take2_paws=0)
    assert outcome("1 7", "9 21", take2s=(3, 1), parameters=parameters).scores == (16, 5)


@rules(14, 17)
@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"paws": (1,) * 19}, "paws: 19 given, a match needs exactly 20"),
        ({"paws": (1,) * 21}, "paws: 21 given"),
        ({"paws": (1,) * 19 + (10,)}, "paws: 10 is not between 0 and 9"),
        ({"paws": (-1,) + (1,) * 19}, "paws: -1 is not between"),
        ({"take2_paws": 10}, "take2_paws: 10 is not between 0 and 9"),
        ({"take2_paws": -1}, "take2_paws: -1 is not between"),
        ({"round_cap": 0}, "round_cap: 0 is not between 1 and 10000"),
        ({"round_cap": 10001}, "round_cap: 10001 is not between"),
    ],
    ids=str,
)
def test_a_bad_parameter_is_refused_by_name(settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadParameter, match=complaint):
        Parameters(**settings)


@rules(15)
def test_most_paws_win() -> None:
    assert outcome("1 2", "21", "9 16").places == (3, 2, 1)


@rules(15)
@pytest.mark.parametrize(
    ("piles", "places"),
    [
        (("9 1", "10 2"), (2, 1)),
        (("20 9", "10 20"), (2, 1)),
        (("5 5 3", "3 4 5"), (1, 2)),
        (("5 4 2", "3 4 5"), (2, 1)),
        (("3 4 5", "5 4 3"), (1, 1)),
        (("5 4", "5 4", "9", "1"), (2, 2, 1, 4)),
    ],
    ids=["highest", "next highest", "a pair", "third highest", "all equal", "a place is skipped"],
)
def test_equal_paws_are_broken_by_cards_from_the_highest_down(
    piles: tuple[str, ...], places: tuple[int, ...]
) -> None:
    assert outcome(*piles).places == places


@rules(15)
def test_having_one_more_card_beats_having_none() -> None:
    assert outcome("5 1", "5", take2s=(0, 1), parameters=Parameters(take2_paws=1)).places == (1, 2)
    assert outcome("", "1", take2s=(1, 0), parameters=Parameters(take2_paws=1)).places == (2, 1)


@rules(16)
def test_all_seats_know_the_same() -> None:
    state = GAME.start(4, seed_from(7))
    for _ in range(30):
        views = {GAME.view_of(state, seat)._replace(seat=0) for seat in range(4)}
        assert len(views) == 1
        state.apply(state.legal_actions()[-1])


@rules(16)
def test_piles_are_open_to_all() -> None:
    state = position("9 9 9", "-", "-", piles=("5 3 9", "1"), take2s=(0, 3))
    view = GAME.view_of(state, 1)
    assert (view.piles, view.take2s) == (((5, 3, 9), (1,)), (0, 3))


@rules(16)
def test_a_view_reads_as_the_table_looks() -> None:
    state = position("9 Lucky8 4", "1:3+5 valley:1", "-", to_act=1, rolled=(1, 5, 8))
    text = GAME.view_form.show(GAME.view_of(state, 0))
    assert "cards: 9 Lucky8 4" in text
    assert "laid: 1:3+5 valley:1 | -" in text
    assert "rolled: 1 5 8" in text
    assert GAME.view_form.read(text) == GAME.view_of(state, 0)


@pytest.mark.parametrize("laid", ["7:1", "1:9", "1:0", "1:2+2+2 valley:1", "valley:4", "1", "x:1"])
def test_impossible_dice_are_not_read(laid: str) -> None:
    state = position("9 9 9", "2:5", "-", rolled=(1, 2))
    text = GAME.view_form.show(GAME.view_of(state, 0))
    with pytest.raises(BadText, match="laid"):
        GAME.view_form.read(text.replace("2:5", laid))

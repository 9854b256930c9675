"""Each game explains its end: why who is first, and what the scores consist of."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.conformance import Setting
from arena.games.core import NOBODY
from arena.games.jackal import GAME as JACKAL
from arena.games.jackal.parameters import Parameters as JackalParameters
from arena.games.lifeislife import GAME as LIFE
from arena.games.lifeislife.events import RoundBegan, Scored, SuddenDeath
from arena.games.meow import GAME as MEOW
from arena.games.meow.cards import FISH, VASE
from arena.games.registry import AnyGame
from arena.games.trio import GAME as TRIO
from tests.builders.settings import SETTINGS

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn")


def ended(game: AnyGame, seats: int, parameters: Any = None, **fields: Any) -> Any:
    """Return a finished state with these attributes; states differ by game, hence Any."""
    state = game.start(seats, 1, parameters, recording=True)
    state.to_act = NOBODY
    for name, value in fields.items():
        setattr(state, name, value)
    return state


def test_meow_names_the_bone_that_each_fish_took_and_what_the_vases_cost() -> None:
    won = [(10, -8, -3, FISH), (9, 8, 7, VASE, VASE, VASE), (FISH, 5, VASE)]
    explanation = MEOW.explain(ended(MEOW, 3, won=won), NAMES[:3])
    assert explanation.sentence == (
        "Ann is first with 7 points, 2 more than Cleo. "
        "Broken vases cost Bob 20 points, more than it is behind."
    )
    assert explanation.columns == ("bowls", "bones left", "taken away by fish", "vases")
    assert explanation.rows == (
        ("10", "-3", "-8", ""),
        ("7 8 9 = 24", "", "", "3 cost 20"),
        ("5", "", "nothing", "1 costs nothing"),
    )


def test_meow_names_all_who_share_first_place() -> None:
    state = ended(MEOW, 3, won=[(5,), (5,), (4,)])
    sentence = MEOW.explain(state, NAMES[:3]).sentence
    assert sentence == "Ann and Bob share first place with 5 points, 1 more than Cleo."
    assert MEOW.explain(state, NAMES[:3], {0}).sentence == (
        "Bob is first with 5 points, 1 more than Cleo."
    )
    assert MEOW.explain(state, NAMES[:3], {0, 1}).sentence == "Cleo is first with 4 points."


@pytest.mark.parametrize(
    ("variant", "piles", "sentence", "won_with"),
    [
        (
            "spicy",
            [(2, 9), (1,), ()],
            "Ann is first: the trios of 2 and 9 are connected, because they differ by 7.",
            "9 - 2 = 7",
        ),
        (
            "spicy",
            [(1, 2, 11), (), (12, 6, 3, 4)],
            "Cleo is first: the trios of 3 and 4 are connected, because they add up to 7.",
            "3 + 4 = 7",
        ),
        ("simple", [(1,), (7,), ()], "Bob is first: the trio of 7s wins at once.", "the 7s"),
        (
            "simple",
            [(1, 6), (2, 5, 12), ()],
            "Bob is first: three trios win (2, 5, 12).",
            "three trios",
        ),
        (
            "simple",
            [(1, 6), (2, 5), ()],
            "Nobody had won after 120 turns each. Ann and Bob share first place with 2 trios each.",
            "",
        ),
    ],
)
def test_trio_says_which_trios_won(
    variant: str, piles: list[tuple[int, ...]], sentence: str, won_with: str
) -> None:
    state = ended(TRIO, 3, variant, piles=piles)
    explanation = TRIO.explain(state, NAMES[:3])
    assert explanation.sentence == sentence
    assert explanation.rows[state.outcome().places.index(1)][1] == won_with
    assert [row[0] for row in explanation.rows] == [", ".join(map(str, pile)) for pile in piles]


def test_trio_names_both_partners_and_who_is_first_if_the_winning_team_is_last() -> None:
    state = ended(TRIO, 6, "simple-teams", piles=[(7,), (1, 2), (3, 4)])
    assert TRIO.explain(state, NAMES).sentence == (
        "Ann and Dan are first: the trio of 7s wins at once."
    )
    assert TRIO.explain(state, NAMES, {0, 3}).sentence == (
        "The match ended when Ann and Dan won: the trio of 7s wins at once. "
        "Of the others, Bob, Cleo, Eve and Finn share first place with 2 trios each."
    )
    assert TRIO.explain(state, NAMES, {0, 1, 3, 4}).sentence.endswith(
        "Of the others, Cleo and Finn are first with 2 trios."
    )


def test_jackal_says_which_card_decides_between_equal_paws() -> None:
    piles = [(20, 3), (19, 5, 1, 2), (21, 6), ()]
    state = ended(JACKAL, 4, piles=piles, take2s=[1, 0, 1, 0])
    explanation = JACKAL.explain(state, NAMES[:4])
    assert explanation.sentence == (
        "Cleo is first with 6 paws, as many as Ann and Bob. "
        "Cleo is ahead of Ann by the highest card, 21 against 20. "
        "Ann is ahead of Bob by the highest card, 20 against 19."
    )
    assert explanation.rows[0] == ("20 3", "4", "1 x 2 = 2")
    assert explanation.rows[3] == ("", "0", "")
    equal = ended(JACKAL, 2, piles=[(7, 3, 1), (3, 7)], take2s=[0, 0])
    assert JACKAL.explain(equal, NAMES[:2]).sentence == "Ann is first with 3 paws, 1 more than Bob."
    equal = ended(JACKAL, 2, piles=[(7, 3), (3, 7)], take2s=[0, 0])
    assert JACKAL.explain(equal, NAMES[:2]).sentence == (
        "Ann and Bob share first place with 2 paws and the same cards."
    )
    paws = JackalParameters(paws=(1,) * 3 + (0,) + (1,) * 16)
    state = ended(JACKAL, 2, paws, piles=[(5, 4), (5,)], take2s=[0, 0])
    assert JACKAL.explain(state, NAMES[:2]).sentence == (
        "Ann is first with 1 paw, as many as Bob. "
        "Ann is ahead of Bob by card 2 from the top, 4 against none."
    )


def test_life_is_life_lists_the_lives_by_round() -> None:
    events = [
        RoundBegan(0, 0, ()),
        Scored((), (), (0, 2, 1)),
        RoundBegan(1, 1, ()),
        Scored((), (), (0, 0, 0)),
        RoundBegan(2, 2, ()),
        SuddenDeath(1, 0, 1, (1, 0, 1)),
        RoundBegan(3, 0, ()),
        Scored((), (), (0, 4, 3)),
    ]
    state = ended(LIFE, 3, "expert", events=events, lives=[4, 0, 0], out=[0, 3, 3])
    explanation = LIFE.explain(state, NAMES[:3])
    assert explanation.sentence == (
        "Ann is first, alone with lives at the end (4 left); Bob and Cleo went out in round 4. "
        "Sudden death ended round 3."
    )
    assert explanation.columns == ("round 1", "round 3", "round 4")
    assert explanation.rows == (("5", "4", "4"), ("3", "4", "out"), ("4", "3", "out"))
    assert LIFE.explain(state, NAMES[:3], {0}).sentence.startswith(
        "Bob and Cleo share first place, because nobody else lasted as long (out in round 4)."
    )


def test_life_is_life_explains_the_length_cap() -> None:
    events = [RoundBegan(0, 0, ()), Scored((), (), (0, 2, 1))]
    state = ended(LIFE, 3, "round_cap=2", events=events, lives=[5, 3, 4])
    sentence = LIFE.explain(state, NAMES[:3]).sentence
    assert sentence == "The match ended after 2 rounds. Ann is first, with the most lives (5)."


@given(st.sampled_from(SETTINGS), st.integers(0, 1000))
def test_a_game_without_its_own_explanation_still_names_the_first(
    setting: Setting, seed: int
) -> None:
    state = setting.game.start(setting.seats, seed, setting.parameters, recording=True)
    rng = Random(seed)
    while not state.is_over:
        state.apply(state.random_action(rng))
    # The same game in a module that has no explanation beside it.
    plain = type("Plain", (type(setting.game),), {"__module__": __name__})()
    explanation = plain.explain(state, NAMES[: setting.seats])
    for name, place in zip(NAMES, state.outcome().places, strict=False):
        assert place != 1 or name in explanation.sentence
    assert explanation.columns == (setting.game.score_word,)

"""Small matches for exact analysis keep the whole contract."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

import pytest

from arena.errors import BadParameter
from arena.games import all_games, game_named
from arena.games.conformance import Setting, check_match, highest, lowest
from arena.replays.format import read_replay, write_replay
from arena.replays.verify import verify
from arena.text import unstyled
from arena.wire.backend import IN_USE, PYTHON
from arena.wire.codec import codec_of
from tests.builders.records import recorded_match

SMALL = {
    "jackal": (
        "numbers=2 specials=1 dice=1 faces=2 contest_rolls=1 round_cap=1",
        "numbers=5 specials=2 dice=2 faces=4 contest_rolls=2 round_cap=6",
        "numbers=3 dice=3 faces=2 contest_rolls=9",
        "numbers=9 dice=1 round_cap=9",
    ),
    "meow": (
        "ranks=2 hand=2 rounds=1 tokens=5,-3",
        "ranks=6 hand=3 rounds=2 tokens=1,2,3,fish,vase,-4",
        "expert hand=4 rounds=1 tokens=1,2,vase,vase",
    ),
    "lifeislife": (
        "kinds=4 copies=2 hand=3 rows=1 lives=1 turn_cap=1 round_cap=1",
        "kinds=5 copies=1 hand=2 rows=1 lives=2 turn_cap=3",
        "expert kinds=6 copies=4 hand=5 rows=3 lives=2 turn_cap=4 round_cap=9",
        "copies=4 hand=6 lives=2 turn_cap=6",
    ),
    "trio": (
        "numbers=2 hand=3 trios=1 turn_cap=1",
        "numbers=3 hand=2 trios=2 turn_cap=5",
        "numbers=4 teams=yes trios=2 turn_cap=5",
        "spicy numbers=3 hand=2 turn_cap=9",
    ),
}
SETTINGS = [
    Setting(game_named(game_id), seats, words, game_named(game_id).read_parameters(words))
    for game_id, configurations in SMALL.items()
    for words in configurations
    for seats in game_named(game_id).seats_for(game_named(game_id).read_parameters(words))[:2]
]
every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=str)


@every_setting
def test_small_matches_keep_the_contract(setting: Setting) -> None:
    check_match(setting, 0, check_every=4)
    for policy in (lowest, highest):
        check_match(setting, 0, policy, check_every=100)


@every_setting
def test_small_matches_travel_on_the_wire_and_as_text(setting: Setting) -> None:
    game = setting.game
    for backend in (PYTHON, IN_USE):
        codec = codec_of(game.id, backend)
        written = codec.parameters_bytes(setting.parameters)
        assert codec.parameters_in(written) == setting.parameters
    text = game.parameters_form.show(setting.parameters)
    assert game.parameters_form.read(text) == setting.parameters


@every_setting
def test_replays_of_small_matches_are_verified(setting: Setting) -> None:
    record = recorded_match(setting, 0, {})
    assert verify(record) == []
    assert read_replay(write_replay(record)) == record


@every_setting
def test_small_matches_are_drawn_and_told(setting: Setting) -> None:
    game = setting.game
    drawing = import_module(f"{type(game).__module__}.drawing")
    names = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay")[: setting.seats]
    state = game.start(setting.seats, 3, setting.parameters, recording=True)
    rng = Random(3)
    while not state.is_over:
        view = game.view_of(state, state.to_act)
        assert str(view)
        example = unstyled(drawing.choices(view))
        assert game.action_text(state.legal_actions()[0]).split()[0] in example
        state.apply(state.random_action(rng))
    for event in state.events:
        assert game.narrate(event, names)
    assert game.explain(state, names).sentence


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_matches_of_the_usual_size_do_not_mention_how_small_they_could_be(game: Any) -> None:
    for parameters in game.variants.values():
        shown = game.parameters_form.show(parameters)
        assert not any(f"{name}=" in shown for name in parameters.brief)


@pytest.mark.parametrize(
    ("game_id", "words", "sentence"),
    [
        ("meow", "ranks=19", "ranks: 19 is not between 0 and 18"),
        (
            "meow",
            "hand=2 rounds=1",
            "tokens: 27 given, but 1 round of 2 tricks need exactly 2",
        ),
        ("meow", "expert ranks=4", "the expert game itself sets how many ranks"),
        ("meow", "ranks=1 hand=4 rounds=1 tokens=1,2,3,4", "too few for two hands of 4"),
        ("jackal", "numbers=21", "numbers: 21 is not between 0 and 20"),
        ("jackal", "numbers=1", "numbers: 2 pack cards are too few for the valley and a display"),
        ("jackal", "faces=3", "faces: a die has 2, 4 or 8, not 3"),
        ("jackal", "dice=4", "dice: 4 is not between 0 and 3"),
        ("lifeislife", "kinds=11", "kinds: 11 is not between 0 and 10"),
        ("lifeislife", "hand=1", "hand: 1 is not between 2 and 10"),
        ("lifeislife", "hand=4 rows=2", "an animal may have at most 3 cards: set copies"),
        ("lifeislife", "kinds=9 copies=2 hand=3", "a hand of 3 cards is too small for a row of 4"),
        ("lifeislife", "copies=1 hand=4", "10 cards: too few for 10 in rows and 2 hands of 4"),
        ("lifeislife", "copies=3", "30 cards: too few for 10 in rows and 3 hands of 10"),
        ("trio", "numbers=13", "numbers: 13 is not between 0 and 12"),
        ("trio", "teams=yes hand=3", "hand: in teams all cards are dealt"),
        ("trio", "numbers=1 hand=4", "3 cards: no number of players can share them"),
        ("trio", "numbers=5 teams=yes", "15 cards: no number of players can share them"),
    ],
)
def test_a_small_match_that_cannot_be_played_is_refused(
    game_id: str, words: str, sentence: str
) -> None:
    with pytest.raises(BadParameter, match=sentence):
        game_named(game_id).read_parameters(words)

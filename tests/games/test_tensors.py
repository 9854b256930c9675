"""Tensors say what views say: no more, and nothing less that matters.

A tensor is made from a view alone. To see that nothing is missing, single fields of a view are
replaced by those of another view: the tensor changes exactly if something that matters has changed.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import BadInput, BadParameter
from arena.games.conformance import Setting, settings_of
from arena.games.jackal.dice import VALLEY_AT, faces_on, in_hand
from arena.games.notation import Audience
from arena.games.registry import all_games, game_named
from tests.builders.settings import every_setting

LONGEST = 60
"""Maximum number of decisions of a match that are looked at, besides its end."""


def what_matters_in_meow(view: Any) -> Any:
    """Forget in which order a seat won its tokens."""
    return view._replace(won=tuple(tuple(sorted(tokens)) for tokens in view.won))


def what_matters_in_trio(view: Any) -> Any:
    """Forget orders, and swaps earlier than any of the simple mode."""
    kept = {4: 3, 6: 5}.get(view.seats, 0)
    return view._replace(
        piles=tuple(tuple(sorted(pile)) for pile in view.piles),
        shown=sorted(view.shown),
        phase=sorted(view.phase),
        log=view.log[-kept:],
        earlier=tuple(layers[-kept:] for layers in view.earlier),
    )


def what_matters_in_jackal(view: Any) -> Any:
    """Forget which faces make the sum on a stack (the number of dice decides duels), and stacks
    of no card."""
    stacks = range(view.seats + 1)
    return view._replace(
        under=view.under[: len(view.cards)],
        laid=tuple(
            (
                [(sum(faces), len(faces)) for faces in (faces_on(each, s) for s in stacks)],
                each >> VALLEY_AT,
                in_hand(each),
            )
            for each in view.laid
        ),
    )


WHAT_MATTERS: dict[str, Callable[[Any], Any]] = {
    "trio": what_matters_in_trio,
    "jackal": what_matters_in_jackal,
    "meow": what_matters_in_meow,
    "lifeislife": lambda view: view,
}


@cache
def states(setting: Setting, seed: int) -> list[Any]:
    """Play a match at random and return its states."""
    state = setting.game.start(setting.seats, seed, setting.parameters)
    rng = Random(seed)
    found = [state.copy()]
    while not state.is_over and len(found) < LONGEST:
        state.apply(state.random_action(rng))
        found.append(state.copy())
    while not state.is_over:
        state.apply(state.random_action(rng))
    return [*found, state.copy()]


def tensor_of(view: Any, setting: Setting) -> bytes:
    tensor: bytes = setting.game.encoder(setting.seats).encode_many([view])
    return tensor


@st.composite
def views(draw: st.DrawFn, setting: Setting) -> Any:
    found = states(setting, draw(st.integers(0, 3)))
    state = found[draw(st.integers(0, len(found) - 1))]
    return setting.game.view_of(state, draw(st.integers(0, setting.seats - 1)))


@every_setting
def test_a_tensor_changes_exactly_if_something_that_matters_has_changed(setting: Setting) -> None:
    what_matters = WHAT_MATTERS[setting.game.id]

    @settings(max_examples=20, database=None, derandomize=True)
    @given(views(setting), views(setting))
    def law(one: Any, other: Any) -> None:
        tensor = tensor_of(one, setting)
        for name in one._fields:
            changed = one._replace(**{name: getattr(other, name)})
            same = what_matters(changed) == what_matters(one)
            try:
                assert (tensor_of(changed, setting) == tensor) is same, name
            except IndexError:
                # The mixture contradicts itself: a card lies face up that nobody has seen.
                assert name in ("shown", "known", "centre")
        assert (tensor_of(other, setting) == tensor) is (what_matters(other) == what_matters(one))

    law()


@every_setting
def test_states_that_a_seat_cannot_tell_apart_have_the_same_tensor(setting: Setting) -> None:
    game = setting.game
    rng = Random(3)
    public = game.encoder(setting.seats).audience("public")
    for state in states(setting, 1)[::9]:
        seat = rng.randrange(setting.seats)
        other = game.redeal(state, seat, rng)
        for each in range(setting.seats):
            tensors = [
                array("f", tensor_of(game.view_of(at, each), setting)) for at in (state, other)
            ]
            if each == seat:
                assert tensors[0] == tensors[1]
            assert tensors[0][public] == tensors[1][public]


@every_setting
def test_the_size_depends_on_the_game_and_the_number_of_seats_alone(setting: Setting) -> None:
    game = setting.game
    encoder = game.encoder(setting.seats)
    for state in states(setting, 2)[::7]:
        for seat in range(setting.seats):
            assert len(encoder.encode(game.view_of(state, seat))) == encoder.size


@every_setting
def test_the_mask_lists_the_legal_actions_of_the_seat_to_act(setting: Setting) -> None:
    game = setting.game
    encoder = game.encoder(setting.seats)
    for state in states(setting, 2):
        for seat in range(setting.seats):
            mask = encoder.mask(game.view_of(state, seat))
            legal = state.legal_actions() if seat == state.to_act else []
            assert len(mask) == game.action_count
            assert [action for action, bit in enumerate(mask) if bit] == legal


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_parts_follow_each_other_rules_first_then_public_then_private(game: Any) -> None:
    for seats in game.seat_counts:
        encoder = game.encoder(seats)
        assert [part.start for part in encoder.parts] == [
            0,
            *(part.stop for part in encoder.parts[:-1]),
        ]
        assert encoder.parts[-1].stop == encoder.size
        order = [list(Audience).index(part.audience) for part in encoder.parts]
        assert order == sorted(order)
        slices = [encoder.audience(audience) for audience in Audience]
        assert sum(len(range(*each.indices(encoder.size))) for each in slices) == encoder.size
        assert len({part.name for part in encoder.parts}) == len(encoder.parts)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_values_are_small_numbers_as_networks_like_them(game: Any) -> None:
    for setting in settings_of(game):
        for state in states(setting, 0)[::20]:
            encoder = game.encoder(setting.seats)
            for seat in range(setting.seats):
                assert all(
                    -25 <= value <= 25 for value in encoder.encode(game.view_of(state, seat))
                )


PARAMETERS = {
    "trio": ("", "spicy", "turn_cap=60", "numbers=11", "hand=8", "trios=2"),
    "jackal": (
        *("", "take2_paws=3", "round_cap=100", f"paws={'2,' * 19}1"),
        *("numbers=9", "specials=1", "dice=2", "faces=4", "contest_rolls=1"),
    ),
    "meow": (
        *("", "expert", "vases=once", f"tokens={'fish,' * 13}{'9,' * 13}vase"),
        *("ranks=12", "hand=1 tokens=1,1,1", "hand=3 rounds=1 tokens=1,1,1"),
    ),
    "lifeislife": (
        *("", "expert", "turn_cap=50", "round_cap=100"),
        *("copies=7", "kinds=9", "copies=4 hand=5", "copies=4 hand=6", "rows=2", "lives=1"),
    ),
}


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_other_parameters_change_the_part_about_the_rules(game: Any) -> None:
    encoder = game.encoder(4)
    rules = encoder.audience("rules")
    tensors = set()
    for words in PARAMETERS[game.id]:
        state = game.start(4, 7, words)
        tensors.add(bytes(encoder.encode(game.view_of(state, 0))[rules]))
        state.apply(state.random_action(Random(1)))
        assert bytes(encoder.encode(game.view_of(state, 1))[rules]) in tensors
    assert len(tensors) == len(PARAMETERS[game.id])


def test_actions_that_name_seats_can_be_counted_from_the_seat_to_act() -> None:
    trio = game_named("trio")
    encoder = trio.encoder(4)
    for seat in range(4):
        texts = [trio.action_text(action) for action in encoder.relative_actions(seat)]
        assert texts[9:13] == [
            f"{end} {each % 4}" for each in (seat, seat + 1) for end in ("low", "high")
        ]
        assert sorted(encoder.relative_actions(seat)) == list(range(trio.action_count))
    assert list(game_named("meow").encoder(4).relative_actions(3)) == list(range(54))


def test_many_views_are_written_one_after_the_other() -> None:
    meow = game_named("meow")
    state = meow.start(3, 7)
    seen = [meow.view_of(state, seat) for seat in range(3)]
    encoder = meow.encoder(3)
    joined = b"".join(encoder.encode(view).tobytes() for view in seen)
    assert encoder.encode_many(seen) == joined


def test_what_an_encoder_cannot_write_is_named() -> None:
    meow = game_named("meow")
    encoder = meow.encoder(3)
    view = meow.view_of(meow.start(4, 7), 0)
    with pytest.raises(BadInput, match="for 3 seats, and the view is of a match with 4"):
        encoder.encode(view)
    with pytest.raises(BadInput, match="takes views of it, not str"):
        encoder.encode("view")
    with pytest.raises(BadInput, match="no part 'hnad': only expert, "):
        encoder.part("hnad")
    with pytest.raises(BadParameter, match="cannot seat 9: it takes 2, 3, 4, 5, 6 players"):
        meow.encoder(9)

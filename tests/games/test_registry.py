"""Games and their parameters are found by name, and mistakes are named."""

from __future__ import annotations

import pytest

from arena.errors import BadParameter, BadText, UnknownGame, did_you_mean
from arena.games.meow.parameters import Vases
from arena.games.registry import (
    GAME_IDS,
    all_games,
    game_named,
    parameters_from,
    variant_words,
)


def test_every_game_is_found_by_its_id() -> None:
    assert tuple(game.id for game in all_games()) == GAME_IDS


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("meo", "did you mean meow"),
        ("MEOW", "did you mean meow"),
        ("chess", f"choose from {', '.join(GAME_IDS)}"),
    ],
)
def test_an_unknown_game_suggests_the_right_one(name: str, hint: str) -> None:
    with pytest.raises(UnknownGame, match=f"no such game: '{name}'; {hint}"):
        game_named(name)


def test_only_some_of_many_names_are_listed() -> None:
    names = [f"event-{number}" for number in range(1000)]
    hint = did_you_mean("xyz", names)
    assert hint.startswith("choose from event-0, event-1, ")
    assert hint.endswith("event-19 and 980 more")


def test_words_set_parameters_and_the_later_one_wins() -> None:
    meow = game_named("meow")
    parameters = parameters_from(meow, ["expert", "vases=once", "vases=pairs"])
    assert (parameters.expert, parameters.vases) == (True, Vases.PAIRS)
    assert parameters_from(meow, []) == meow.default_parameters


@pytest.mark.parametrize("words", [["spicy", "turn_cap=7"], ["turn_cap=7", "spicy"]], ids=str)
def test_a_variant_does_not_override_an_explicit_value(words: list[str]) -> None:
    parameters = parameters_from(game_named("trio"), words)
    assert (parameters.mode.value, parameters.turn_cap) == ("spicy", 7)


@pytest.mark.parametrize(
    ("game_id", "words"),
    [
        *((game.id, [name]) for game in all_games() for name in game.variants),
        ("trio", ["spicy-teams", "turn_cap=9"]),
        ("meow", ["expert", "vases=once"]),
    ],
    ids=str,
)
def test_parameters_are_named_by_their_variant_and_what_differs_from_it(
    game_id: str, words: list[str]
) -> None:
    game = game_named(game_id)
    assert variant_words(game, parameters_from(game, words)) == words


def test_spaces_inside_a_list_do_not_matter() -> None:
    meow = game_named("meow")
    tokens = ", ".join(["5"] * 25 + ["fish", "vase"])
    assert parameters_from(meow, [f"tokens={tokens}"]).tokens[:2] == (5, 5)


@pytest.mark.parametrize(
    ("word", "complaint"),
    [
        ("expret=yes", "meow has no parameter 'expret': did you mean expert"),
        ("exprt", "meow has no variant 'exprt': did you mean expert"),
        ("xyz", "choose from standard, expert"),
    ],
)
def test_an_unknown_word_suggests_the_right_one(word: str, complaint: str) -> None:
    with pytest.raises(BadParameter, match=complaint):
        parameters_from(game_named("meow"), [word])


def test_a_bad_value_is_named_with_its_parameter() -> None:
    with pytest.raises(BadText, match="expert: 'perhaps' is neither yes nor no"):
        parameters_from(game_named("meow"), ["expert=perhaps"])


@pytest.mark.parametrize(("game_id", "seats"), [("meow", 1), ("meow", 7), ("trio", 2)])
def test_a_wrong_number_of_seats_is_refused(game_id: str, seats: int) -> None:
    with pytest.raises(BadParameter, match=f"{game_id} cannot seat {seats}: it takes"):
        game_named(game_id).start(seats, bytes(32))

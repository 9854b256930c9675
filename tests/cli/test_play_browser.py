"""The options of `arena play` for people in the browser."""

from __future__ import annotations

import pytest

from arena.cli.play.people import command_for
from arena.games.registry import game_named
from tests.cli.runner import arena, refused


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("random", "random", "--browser"), "--browser is for people: name at least one player"),
        (("human", "random", "--port", "8000"), "need --browser"),
        (("human", "random", "--host", "0.0.0.0"), "need --browser"),
        (("human", "random", "--person-clock", "60"), "need --browser"),
        (("human", "random", "--browser", "--person-clock", "cpu:60"), "omit cpu:"),
        (("human", "random", "--browser", "--person-clock", "soon"), "is not BANK+INC"),
        (("human", "random", "--browser", "--tables", "2"), "omit --tables"),
        (("human", "random", "--browser", "--host", "192.0.2.1"), "cannot be used on 192.0.2.1"),
    ],
)
def test_a_usage_error_exits_with_2_and_a_message(words: tuple[str, ...], message: str) -> None:
    assert message in refused(arena("play", "meow", *words))


def test_the_command_for_another_match_keeps_players_and_variant() -> None:
    command = command_for(game_named("meow"), ["human", "./my bot"], ["expert", "vases=once"])
    expected = "arena play meow human './my bot' --variant expert --variant vases=once --browser"
    assert command == expected

"""The games, by id."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from arena.errors import BadParameter, UnknownGame, did_you_mean
from arena.games.core import Game

AnyGame = Game[Any, Any, Any, Any]
"""A game whose own types do not matter to the caller: it treats states and views as opaque."""

GAME_IDS = ("trio", "jackal", "meow", "lifeislife")
"""The games of this package; `game_ids` lists those of other packages too."""
EVERY_GAME = "*"
"""Stands for every game in a bot's list of games."""


def game_ids() -> tuple[str, ...]:
    """List the ids of all games: ours, then the games of other installed packages."""
    # Imported here: every bot imports this module, and hardly any plays such a game.
    from arena.games.installed import installed_games

    others = (game_id for game_id in installed_games() if game_id not in GAME_IDS)
    return (*GAME_IDS, *others)


def is_game(game_id: object) -> bool:
    """Return whether there is a game with this id."""
    return game_id in GAME_IDS or game_id in game_ids()


def plays(games: Iterable[str], game_id: str) -> bool:
    """Return whether a bot that lists these games plays this one."""
    return any(listed in (game_id, EVERY_GAME) for listed in games)


def games_text(games: Iterable[str]) -> str:
    """Write the list of games that a bot plays."""
    return ", ".join("every game" if listed == EVERY_GAME else listed for listed in games)


def game_named(game_id: str) -> AnyGame:
    """Return the game with this id, importing its rules on first use."""
    if game_id in GAME_IDS:
        game: AnyGame = import_module(f"arena.games.{game_id}").GAME
        return game
    if not is_game(game_id):
        raise UnknownGame(f"no such game: {game_id!r}; {did_you_mean(str(game_id), game_ids())}")
    from arena.games.installed import load_game

    return load_game(game_id)


def all_games() -> list[AnyGame]:
    """Return every game of this package."""
    return [game_named(game_id) for game_id in GAME_IDS]


def parameters_from(game: AnyGame, words: Sequence[str] | str) -> Any:
    """Make a match's parameters from words: variant names or `name=value`; later words win.

    A variant sets all parameters, so variants are applied first, wherever they are given: an
    explicit value is never lost. The type of the parameters depends on the game, hence Any.
    """
    words = words.split() if isinstance(words, str) else words
    settings = game.settings(game.default_parameters)
    names = (*game.default_parameters.named_values(),)
    for word in sorted(words, key=lambda word: "=" in word):
        name, equals, value = word.partition("=")
        if equals:
            _check_name("parameter", name, game, names)
            settings[name] = "".join(value.split())
        else:
            _check_name("variant", name, game, tuple(game.variants))
            settings |= game.settings(game.variants[name])
    return game.parameters_form.read(" ".join(f"{name}={settings[name]}" for name in settings))


def variant_words(game: AnyGame, parameters: Any) -> list[str]:
    """Return the name of the most similar variant, and the settings that differ from it.

    `parameters_from` makes the same parameters from these words.
    """
    settings = game.settings(parameters)
    differences = {
        name: [
            f"{word}={value}"
            for word, value in settings.items()
            if value != game.settings(variant).get(word)
        ]
        for name, variant in game.variants.items()
    }
    name = min(differences, key=lambda name: len(differences[name]))
    return [name, *differences[name]]


def _check_name(what: str, name: str, game: AnyGame, known: tuple[str, ...]) -> None:
    if name not in known:
        raise BadParameter(f"{game.id} has no {what} {name!r}: {did_you_mean(name, known)}")

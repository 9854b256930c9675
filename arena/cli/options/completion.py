"""Complete the values of arguments and options in a shell: games, variants, bots and events."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from arena.errors import ArenaError
from arena.games.registry import game_ids, game_named
from arena.submission.lookup import house_bots

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def complete_game(ctx: click.Context, param: click.Parameter, word: str) -> list[str]:
    """Complete the id of a game."""
    return _starting_with(word, game_ids())


def complete_variant(ctx: click.Context, param: click.Parameter, word: str) -> list[str]:
    """Complete a variant of the game that was given before, or of any game."""
    chosen = ctx.params.get("game_id") or ctx.params.get("game")
    names: list[str] = []
    for game_id in [chosen] if chosen else game_ids():
        try:
            names += game_named(game_id).variants
        except ArenaError:
            continue  # It is not a game: the command will say so.
    return _starting_with(word, dict.fromkeys(names))


def complete_event(ctx: click.Context, param: click.Parameter, word: str) -> list[str]:
    """Complete the name of an event."""
    return _starting_with(word, names_in(_league(ctx), "events"))


def complete_league_bot(ctx: click.Context, param: click.Parameter, word: str) -> list[str]:
    """Complete the name of a bot of the league."""
    return _starting_with(word, names_in(_league(ctx), "bots"))


def complete_bots(ctx: click.Context, param: click.Parameter, word: str) -> list[str]:
    """Complete the last name of a list with commas."""
    before, comma, last = word.rpartition(",")
    return [f"{before}{comma}{name}" for name in _starting_with(last, _bots(ctx))]


def complete_bot_or_path(
    ctx: click.Context, param: click.Parameter, word: str
) -> list[CompletionItem]:
    """Complete the name of a bot, or the path of one."""
    names = _starting_with(word, _bots(ctx))
    # The shell completes the path itself.
    return [*map(CompletionItem, names), CompletionItem(word, type="file")]


def _bots(ctx: click.Context) -> list[str]:
    return sorted({*house_bots(), *names_in(_league(ctx), "bots")})


def _league(ctx: click.Context) -> Path:
    group = ctx.parent.params.get("db") if ctx.parent else None
    return Path(ctx.params.get("db") or group or os.environ.get("ARENA_DB") or "arena.db")


def _starting_with(word: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(word)]


def names_in(path: Path, table: str) -> list[str]:
    """Return the names in the table `bots` or `events`, without any that a shell may mistake.

    The file is only read, and whatever is wrong with it gives no names.
    """
    assert table in ("bots", "events")
    with (
        suppress(sqlite3.Error, OSError),
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection,
    ):
        found = [name for (name,) in connection.execute(f"SELECT name FROM {table} ORDER BY id")]
        return [name for name in found if isinstance(name, str) and _NAME.fullmatch(name)]
    return []

"""Whoever can play in a match: functions, `Bot` objects, names, folders, and people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

from arena.api.find_bots import RunnableBot, bots_on_disk
from arena.errors import BadInput
from arena.games.registry import AnyGame, plays
from arena.indices import Seat
from arena.models.config import find_model, is_model
from arena.models.player import ModelSeat
from arena.records import Entrant
from arena.referee.players.local import BotPlayer, LocalPlayer, random_chooser
from arena.referee.players.player import Player
from arena.referee.players.remote import OnOutput, RemotePlayer, ignore_output
from arena.sandbox.cage import Cage
from arena.sandbox.select import choose_cage
from arena.sdk import Bot
from arena.submission.limits import check_limit
from arena.submission.manifest import Manifest

RANDOM = "random"
"""Chooses at random in this process, where a house bot of this name would need a cage."""


@runtime_checkable
class Newcomer(Protocol):
    """Someone who joins a match when its other players are known, such as a person."""

    @property
    def name(self) -> str:
        """What the person or program is called, before the number of the seat."""

    def join(self, seat: Seat, names: Sequence[str]) -> Player:
        """Take a seat; `names` are those of all seats."""


AnyPlayer = str | Path | Bot | type[Bot] | Newcomer | Callable[[Any], int | str]
"""A name, a path or a command line of a bot for a cage; a language model, `llm:NAME`; a bot that
plays in this process, or just its method `choose`, a function of a view."""


class Cages(NamedTuple):
    """How bots are caged that do not play in this process."""

    cage: str
    limits: Mapping[str, int] | None
    """For every bot; a bot.toml can only lower them."""
    on_warning: Callable[[str], object]
    """Called with a sentence if the protection is incomplete."""

    def choose(self) -> Cage:
        """Return the cage."""
        for name, number in (self.limits or {}).items():
            check_limit(name, number)
        return choose_cage(self.cage, self.on_warning)


@contextmanager
def seated_players(
    game: AnyGame,
    players: Sequence[AnyPlayer],
    cages: Cages,
    *,
    league: Path,
    on_output: Callable[[str], OnOutput] | None,
) -> Iterator[tuple[list[Player], str]]:
    """Find the players of a match; yield one for each seat, and the mark of their cage.

    Versions of the league are on disk as long as the block runs.
    """
    words = [str(each) for each in players if _is_caged(each)]
    with bots_on_disk(words, league) as bots:
        remaining = iter(bots)
        found = [next(remaining) if _is_caged(each) else _in_process(each) for each in players]
        for each in found:
            _check_plays(each, game)
        names = [f"{_name_of(each)}-{seat}" for seat, each in enumerate(found)]
        cage = cages.choose() if bots else None

        def seat_player(seat: Seat, player: RunnableBot | Bot | Newcomer | str) -> Player:
            entrant = Entrant(names[seat])
            if isinstance(player, RunnableBot):
                assert cage
                launch = cage.launcher(player.manifest, dict(cages.limits or {}), player.lockfile)
                listener = on_output(names[seat]) if on_output else ignore_output
                return RemotePlayer(entrant, launch, on_output=listener, prints_stack=True)
            if isinstance(player, Bot):
                return BotPlayer(entrant, player)
            if isinstance(player, Newcomer):
                return player.join(seat, names)
            return LocalPlayer(entrant, random_chooser)

        yield (
            [seat_player(Seat(seat), each) for seat, each in enumerate(found)],
            cage.mark if cage else "",
        )


def _is_caged(player: AnyPlayer) -> bool:
    return isinstance(player, str | Path) and player != RANDOM and not is_model(player)


def _in_process(player: AnyPlayer) -> Bot | Newcomer | str:
    """Return what plays in this process; a class and a function become a bot."""
    if is_model(player):
        return ModelSeat(find_model(str(player)))
    if isinstance(player, Bot | Newcomer | str):
        return player
    if isinstance(player, type) and issubclass(player, Bot):
        return player()
    if isinstance(player, type) or not callable(player):
        raise BadInput(
            f"{player!r} cannot play: name a bot or its folder, or pass a Bot or a function of a "
            "view that returns an action"
        )
    choose: Callable[[Any], int | str] = player
    name = getattr(player, "__name__", type(player).__name__).strip("<>")
    made: Bot = type(name, (Bot,), {"choose": lambda _, view: choose(view)})()
    return made


def _name_of(player: RunnableBot | Bot | Newcomer | str) -> str:
    if isinstance(player, RunnableBot):
        return player.manifest.name
    if isinstance(player, Bot):
        return player.name or type(player).__name__
    return player if isinstance(player, str) else player.name


def _check_plays(player: RunnableBot | Bot | Newcomer | str, game: AnyGame) -> None:
    bot = player.manifest if isinstance(player, RunnableBot) else player
    if isinstance(bot, Manifest | Bot) and not plays(bot.games, game.id):
        raise BadInput(f"{_name_of(player)} does not play {game.id}: only {', '.join(bot.games)}")

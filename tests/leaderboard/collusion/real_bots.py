"""Leagues of MEOW between real bots, some of which collude, played in this process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.games.registry import game_named
from arena.sdk import Bot
from arena.workers.block import Block, result_of
from leaderboard.result import MatchResult
from tests.bots.inprocess import bot_class, play_bots
from tests.builders.leagues import FakeWorkers
from tests.rogues.meow_colluder import Feeder, Honest, Taker

Players = Mapping[str, type[Bot]]
"""The bots of a league by name."""


def with_noise(bot: Any, noise: float) -> type[Bot]:
    """Return a bot that plays like another, but a share of its actions is random."""

    # Its type is known only when the program runs, hence Any.
    class Noisy(bot):  # type: ignore[misc]
        """Plays a random action now and then."""

        def choose(self, view: Any) -> int:
            """Play at random, or like the other."""
            if self.match.rng.random() < noise:
                legal = self.legal_actions(view)
                return int(legal[int(self.match.rng.random() * len(legal))])
            return int(super().choose(view))

    return Noisy


def honest_players(count: int) -> dict[str, type[Bot]]:
    """Return honest bots of different strength."""
    return {f"honest-{number}": with_noise(Honest, number * 0.5 / count) for number in range(count)}


def house_players() -> dict[str, type[Bot]]:
    """Return the house bots that are fast, honest bots, and weaker ones that play like them."""
    greedy, random, first = map(bot_class, ("greedy-meow", "random", "first"))
    return {
        "greedy": greedy,
        "random": random,
        "first": first,
        "weak-greedy": with_noise(greedy, 0.2),
        "weak-first": with_noise(first, 0.3),
        "honest": Honest,
        "weak-honest": with_noise(Honest, 0.3),
        "low-cards": Taker,
    }


COLLUDERS: Players = {"feeder": Feeder, "taker": Taker}


class InProcessWorkers(FakeWorkers):
    """Workers that play a block with real bots, in this process."""

    def __init__(self, players: Players) -> None:
        """Play with these bots, by name."""
        super().__init__()
        self._players = {name: player() for name, player in players.items()}

    def _result(self, block: Block, index: int) -> MatchResult:
        match = block.matches[index]
        bots = block.seated(match)
        game = game_named(block.terms.game)
        parameters = game.parameters_form.read(block.terms.parameters)
        record = play_bots(game, [self._players[bot.name] for bot in bots], match.seed, parameters)
        return result_of(match, record, [bot.version for bot in bots])

"""Who can sit at a table?"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Any

from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.records import Entrant, Record
from arena.referee.table import Answer, Request, table


class Player(ABC):
    """Somebody who makes the decisions of one seat, in this process."""

    @abstractmethod
    def choose(self, request: Request) -> int:
        """Return the action to play."""


class RandomPlayer(Player):
    """Plays any legal action, each as likely as any other."""

    def __init__(self, game: AnyGame, rng: Random) -> None:
        """Take the generator to draw from."""
        self._game = game
        self._rng = rng

    def choose(self, request: Request) -> int:
        """Draw an action."""
        actions = self._game.legal_actions(request.view)
        return actions[int(self._rng.random() * len(actions))]


def play_match(
    game: AnyGame,
    seed: Seed,
    parameters: Any,
    players: Sequence[Player],
    entrants: Sequence[Entrant],
) -> Record:
    """Play one match between players of this process, who take the time they like."""
    match = table(game, seed, parameters, entrants)
    answer: Answer | None = None
    try:
        while True:
            asked = match.send(answer)
            answer = (
                Answer(players[asked.seat].choose(asked)) if isinstance(asked, Request) else None
            )
    except StopIteration as end:
        record: Record = end.value
        return record

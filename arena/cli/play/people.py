"""People who play at the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.cli.drawing import drawing_of
from arena.cli.terminal.console import Console
from arena.cli.terminal.person import Person, Script
from arena.games.registry import AnyGame
from arena.indices import Seat
from arena.records import Entrant
from arena.referee.players.local import LocalPlayer

HUMAN = "human"


@dataclass(frozen=True, slots=True)
class AtTerminal:
    """The people at one terminal, who take a seat each."""

    game: AnyGame
    console: Console
    script: Script
    """Decides first."""
    alone: bool
    """Whether it is one person."""
    name: str = HUMAN

    def join(self, seat: Seat, names: Sequence[str]) -> LocalPlayer:
        """Take a seat."""
        person = Person(
            self.game, drawing_of(self.game), names, self.console, self.script, alone=self.alone
        )
        player = LocalPlayer(Entrant(names[seat]), person.start_match, is_slow=True)
        player.observer = person.observe
        return player

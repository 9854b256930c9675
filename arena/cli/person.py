"""How does a person play in a terminal?"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random
from typing import Any

import click

from arena.cli.drawing import Drawing
from arena.errors import ArenaError, BadText, IllegalAction
from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.referee.players.local import Choose
from arena.referee.table import Request

HELP = """\
Type a move as shown under "you may". Besides moves there are
  help    this text
  log     everything that has happened in the open so far
  quit    leave the match
The rules: arena rules {game}"""


class LeftTheTable(ArenaError):
    """The person at the terminal does not go on."""


class Person:
    """Somebody at the terminal, shown their own seat's view and nothing else."""

    def __init__(
        self, game: AnyGame, drawing: Drawing, names: Sequence[str], *, alone: bool, to_stderr: bool
    ) -> None:
        """Say whether nobody else plays at this terminal, and where to talk."""
        self._game = game
        self._drawing = drawing
        self._names = names
        self._alone = alone
        self._to_stderr = to_stderr
        self._log: list[Any] = []

    @property
    def told(self) -> int:
        """How many of the match's events this person has been told."""
        return len(self._log)

    def sit(self, game: AnyGame, seed: Seed) -> Choose:
        """Sit down to a match."""
        return self.choose

    def choose(self, request: Request) -> int:
        """Show the view and ask until there is a legal move."""
        name = self._names[request.seat]
        if not self._alone:
            self._pass_the_keyboard(name)
        self._log += request.events
        for event in request.events:
            self._say(self._drawing.tell(event, self._names))
        self._say(f"\n{self._drawing.draw(request.view)}\n")
        self._say(f"{name}, you may {self._drawing.choices(request.view)}")
        while True:
            action = self._understood(self._typed(f"{name}> "), request)
            if action is not None:
                return action

    def _understood(self, text: str, request: Request) -> int | None:
        if text == "quit":
            raise LeftTheTable("you left the table; the match does not count")
        if text == "help":
            self._say(HELP.format(game=self._game.id))
            self._say(f"You may {self._drawing.choices(request.view)}")
        elif text == "log":
            for event in self._log:
                self._say(self._drawing.tell(event, self._names))
        elif text:
            return self._legal_move(text, request)
        return None

    def _legal_move(self, text: str, request: Request) -> int | None:
        try:
            action = self._game.parse_action(text)
        except BadText as error:
            self._say(f"That is not a move: {error}. Type help for help.")
            return None
        if action in self._game.legal_actions(request.view):
            return action
        self._say(f"Not now: {self._reason(action, request)}.")
        return None

    def _reason(self, action: int, request: Request) -> str:
        # Any truth that fits the view refuses the action for the same reason.
        truth = self._game.world(request.view, Random(0))
        try:
            truth.apply(action)
        except IllegalAction as error:
            return str(error).partition("\n")[0]
        return "the rules forbid it"

    def _pass_the_keyboard(self, name: str) -> None:
        if sys.stdin.isatty():
            click.clear()
            self._typed(f"{name} is to play. Press Enter when only {name} can see the screen. ")

    def _typed(self, prompt: str) -> str:
        click.echo(prompt, nl=False, err=self._to_stderr)
        line = sys.stdin.readline()
        if not line:
            self._say("")
            raise LeftTheTable("the input ended before the match; it does not count")
        return " ".join(line.split()).lower()

    def _say(self, text: str) -> None:
        click.echo(text, err=self._to_stderr)

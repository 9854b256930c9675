"""A person who plays at the terminal."""

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
from arena.referee.players.local import Chooser
from arena.referee.table import DecisionRequest

HELP = """\
Type a move as shown after "you may", or a command:
  help    show this text
  log     show all public events so far
  quit    leave the match
For the rules, run: arena rules {game}"""


class PlayerQuit(ArenaError):
    """The person at the terminal left the match."""


class Person:
    """A person at the terminal, who sees only the view of their own seat."""

    def __init__(
        self, game: AnyGame, drawing: Drawing, names: Sequence[str], *, alone: bool, to_stderr: bool
    ) -> None:
        """Set `alone` if no other person plays at this terminal."""
        self._game = game
        self._drawing = drawing
        self._names = names
        self._alone = alone
        self._to_stderr = to_stderr
        self._log: list[Any] = []

    @property
    def events_shown(self) -> int:
        """Number of the match's events that this person has seen."""
        return len(self._log)

    def start_match(self, game: AnyGame, seed: Seed) -> Chooser:
        """Return the function that chooses in a match."""
        return self.choose

    def choose(self, request: DecisionRequest) -> int:
        """Show the view, and ask until a legal move is typed."""
        name = self._names[request.seat]
        if not self._alone:
            self._pass_the_keyboard(name)
        self._log += request.events
        for event in request.events:
            self._print(self._game.narrate(event, self._names))
        self._print(f"\n{self._drawing.draw(request.view)}\n")
        self._print(f"{name}, you may {self._drawing.choices(request.view)}")
        while True:
            action = self._interpret(self._read_line(f"{name}> "), request)
            if action is not None:
                return action

    def _interpret(self, text: str, request: DecisionRequest) -> int | None:
        if text == "quit":
            raise PlayerQuit("you left the table; the match does not count")
        if text == "help":
            self._print(HELP.format(game=self._game.id))
            self._print(f"You may {self._drawing.choices(request.view)}")
        elif text == "log":
            for event in self._log:
                self._print(self._game.narrate(event, self._names))
        elif text:
            return self._legal_move(text, request)
        return None

    def _legal_move(self, text: str, request: DecisionRequest) -> int | None:
        try:
            action = self._game.parse_action(text)
        except BadText as error:
            self._print(f"That is not a move: {error}. Type help for a list of commands.")
            return None
        if action in self._game.legal_actions(request.view):
            return action
        self._print(f"Illegal move: {self._reason(action, request)}.")
        return None

    def _reason(self, action: int, request: DecisionRequest) -> str:
        # Every state that fits the view refuses the action for the same reason.
        truth = self._game.world(request.view, Random(0))
        try:
            truth.apply(action)
        except IllegalAction as error:
            return str(error).partition("\n")[0]
        return "the rules forbid it"

    def _pass_the_keyboard(self, name: str) -> None:
        if sys.stdin.isatty():
            click.clear()
            self._read_line(
                f"It is {name}'s turn. Press Enter when only {name} can see the screen. "
            )

    def _read_line(self, prompt: str) -> str:
        click.echo(prompt, nl=False, err=self._to_stderr)
        line = sys.stdin.readline()
        if not line:
            self._print("")
            raise PlayerQuit("the input ended before the match did; the match does not count")
        return " ".join(line.split()).lower()

    def _print(self, text: str) -> None:
        click.echo(text, err=self._to_stderr)

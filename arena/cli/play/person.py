"""People who play at the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.cli.drawing import drawing_of
from arena.cli.play.console import Console, Text
from arena.cli.play.moves import AmbiguousMove, Moves, NotAMove, numbered_list
from arena.errors import ArenaError
from arena.games.randomness import Seed
from arena.games.registry import AnyGame
from arena.indices import Seat
from arena.records import Entrant
from arena.referee.observing import Observation
from arena.referee.players.local import Chooser, LocalPlayer
from arena.referee.table import DecisionRequest

HUMAN = "human"
HELP = """\
Type a move, its number in a list, or as much of it as is clear (h2 for high 2).
On a terminal, Tab completes it and ↑ brings back what you typed before.
  ?       show this text and your moves
  ? TEXT  list the moves that begin with TEXT
  log     show all public events so far
  quit    leave the match, as Ctrl-C does
For the rules, run: arena rules {game}"""
_MOST_LISTED = 24
"""Moves that are listed, with numbers, before the person asks for them."""


class PlayerQuit(ArenaError):
    """The person at the terminal left the match."""


@dataclass(slots=True)
class AtTerminal:
    """The people at one terminal, who take a seat each."""

    game: AnyGame
    console: Console
    alone: bool
    """Whether it is one person."""
    events_said: int = 0
    """Number of the match's events that stand in the log."""
    name: str = HUMAN

    def join(self, seat: Seat, names: Sequence[str]) -> LocalPlayer:
        """Take a seat."""
        person = Person(self, names)
        player = LocalPlayer(Entrant(names[seat]), person.start_match, is_slow=True)
        player.observer = person.observe
        return player


class Person:
    """A person at the terminal, who sees only the view of their own seat."""

    def __init__(self, table: AtTerminal, names: Sequence[str]) -> None:
        """Play at a table; `names` are those of all seats."""
        self._game = table.game
        self._drawing = drawing_of(table.game)
        self._names = names
        self._console = table.console
        self._table = table
        self._log: list[Any] = []
        self._moves: Moves
        self._listed: dict[int, int] = {}
        """The moves of the numbered list, by their numbers."""

    def start_match(self, game: AnyGame, seed: Seed) -> Chooser:
        """Return the function that chooses in a match."""
        return self.choose

    def observe(self, observation: Observation) -> None:
        """Follow the match while others play; several people see only their own turns."""
        if observation.actor is None:
            self._log.clear()
            self._table.events_said = 0
        self._log += observation.events
        if self._table.alone:
            self._tell_news()
            self._console.watch(self._board(observation.view))

    def choose(self, request: DecisionRequest) -> int:
        """Show the view, and ask until a legal move is typed."""
        self._moves = Moves(self._game, request.view)
        name = self._names[request.seat]
        if not self._table.alone:
            self._console.hand_over(name)
        self._tell_news()
        view = request.view
        self._console.show(self._board(view), self._choices(view), self._completions)
        while True:
            action = self._interpret(self._read(f"{name}> "), request)
            if action is not None:
                return action

    def _tell_news(self) -> None:
        # Another person may have seen the first of them at this terminal.
        if news := self._log[self._table.events_said :]:
            self._console.say(self._narrate(news))
        self._table.events_said = len(self._log)

    def _board(self, view: Any) -> Text:
        return lambda width: self._drawing.draw(view, names=self._names, width=width)

    def _choices(self, view: Any) -> Text:
        """Return what lists the moves, or describes them if there are many."""
        self._listed = {}
        if len(self._moves.actions) <= _MOST_LISTED:
            self._number(self._moves.actions)
        listed = self._texts(self._moves.actions)
        you_may = f"{self._names[view.seat]}, you may"
        if listed:
            title = f"{you_may} choose one of these:"
            return lambda width: "\n".join([title, *numbered_list(listed, width)])
        return lambda width: f"{you_may} {self._drawing.choices(view)}"

    def _number(self, actions: Sequence[int]) -> None:
        """Number moves from 1, unless numbers are moves."""
        if not any(self._moves.text(action).isdecimal() for action in self._moves.actions):
            self._listed = dict(enumerate(actions, start=1))

    def _texts(self, actions: Sequence[int]) -> dict[int, str]:
        """Return the moves that have numbers, by number."""
        return {
            number: self._moves.text(action)
            for number, action in self._listed.items()
            if action in actions
        }

    def _completions(self, text: str) -> list[str]:
        """Return the moves that a text may become, and the commands."""
        moves = [self._moves.text(action) for action in self._moves.matching(text)]
        commands = [word for word in ("log", "quit", "?") if text and word.startswith(text)]
        return moves + commands

    def _interpret(self, text: str, request: DecisionRequest) -> int | None:
        command, _, rest = text.partition(" ")
        if text == "quit":
            raise PlayerQuit("you left the table; the match does not count")
        if text in ("?", "help"):
            may = f"You may {self._drawing.choices(request.view)}"
            self._console.note(lambda width: "\n".join([HELP.format(game=self._game.id), may]))
        elif command == "?":
            self._show_list(f"Moves that begin with {rest}:", self._moves.matching(rest))
        elif text == "log":
            text = self._narrate(self._log)
            self._console.note(lambda width: text)
        elif text:
            return self._legal_move(text)
        return None

    def _narrate(self, events: Sequence[Any]) -> str:
        return "\n".join(self._game.narrate(event, self._names) for event in events)

    def _legal_move(self, text: str) -> int | None:
        if text.isdecimal() and int(text) in self._listed:
            return self._listed[int(text)]
        try:
            return self._moves.read(text)
        except AmbiguousMove as error:
            self._show_list(str(error), error.actions)
        except NotAMove as error:
            sentence = str(error)
            self._console.note(lambda width: sentence)
        return None

    def _show_list(self, title: str, actions: Sequence[int]) -> None:
        # The numbers of a list on the board stay.
        if len(self._moves.actions) > _MOST_LISTED:
            self._number(actions)
        listed = self._texts(actions)
        self._console.note(lambda width: "\n".join([title, *numbered_list(listed, width)]))

    def _read(self, prompt: str) -> str:
        line = self._console.ask(prompt)
        if line is None:
            raise PlayerQuit("the input ended before the match did; the match does not count")
        return " ".join(line.split()).lower()

"""What the pages of one seat are sent: the match as that seat may know it.

A feed is filled from observations, which have views and public events, so it cannot contain
anything else. The thread of the match fills it, and the threads of the server read it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from threading import Condition
from typing import Any

from arena.games.notation import Symbol
from arena.games.registry import AnyGame
from arena.indices import Seat
from arena.pages.match_data import event_values, view_values
from arena.referee.observing import Observation

# JSON values differ in type, hence Any.


@dataclass(frozen=True, slots=True)
class _Turn:
    number: int
    view: Any
    answer: Callable[[int], None]
    deadline: float | None
    """When the time of the seat is up, by `time.monotonic`; None without a clock."""


class SeatFeed:
    """The match as one seat sees it, and the decision that the seat has to make."""

    def __init__(self, game: AnyGame, names: Sequence[str], seat: Seat) -> None:
        """Create the feed of a seat whose match has not begun."""
        self.seat = seat
        self._game = game
        self._names = names
        self._changed = Condition()
        self._version = 0
        """Counts the changes."""
        self._match = 0
        """Counts the deals: a match that a failure of the machine has voided is dealt again."""
        self._frames: list[dict[str, Any]] = []
        self._fields: dict[str, Any] = {}
        self._turn: _Turn | None = None
        self._turns = 0
        self._notice = ""
        self._result: dict[str, Any] | None = None
        self._closed = ""
        self.last_read = 0.0
        """When a page last asked for updates, by `time.monotonic`."""
        self.waiting = 0
        """Number of pages that wait for an answer."""

    def observe(self, observation: Observation) -> None:
        """Add a step of the match."""
        with self._changed:
            if observation.actor is None:
                self._match += 1
                self._frames, self._fields, self._turn, self._notice = [], {}, None, ""
                self._result = None
            self._frames.append(self._frame(observation))
            self._mark_changed()

    def _frame(self, observation: Observation) -> dict[str, Any]:
        now = view_values(self._game, observation.view)
        changed = {name: value for name, value in now.items() if self._fields.get(name) != value}
        self._fields = now
        events = [event_values(self._game, event, self._names) for event in observation.events]
        # Scores are public, so they are the same in every state that fits the view.
        scores = self._game.world(observation.view, Random(0)).scores()
        frame: dict[str, Any] = {"view": changed, "scores": scores, "events": events}
        if observation.actor is not None:
            frame["seat"] = observation.actor
        if observation.decision and not _names_actor(observation):
            frame["secret"] = self._game.action_text(observation.decision.action)
        return frame

    def ask(self, view: Any, answer: Callable[[int], None], time_left_s: float | None) -> None:
        """Let the seat choose; `answer` is called once with a legal action, in another thread."""
        with self._changed:
            self._turns += 1
            deadline = None if time_left_s is None else time.monotonic() + time_left_s
            self._turn = _Turn(self._turns, view, answer, deadline)
            self._mark_changed()

    def withdraw(self, notice: str) -> None:
        """Take the decision from the seat, and say why."""
        with self._changed:
            self._turn = None
            self._notice = notice
            self._mark_changed()

    def choose(self, number: int, action: int) -> str:
        """Decide; return why that is impossible, or an empty text."""
        with self._changed:
            turn = self._turn
            if self._closed:
                return self._closed
            if self._result:
                return "The match is over."
            if turn is None or turn.number != number:
                is_old = 0 < number <= self._turns
                return "That decision has been made already." if is_old else "It is not your turn."
            if action not in self._game.legal_actions(turn.view):
                return f"Illegal move: {self._game.why_illegal(turn.view, action)}."
            self._turn = None
            self._mark_changed()
        turn.answer(action)
        return ""

    def view_of_turn(self, number: int) -> Any:
        """Return the view of a decision that the seat has to make; None if it has to make none."""
        with self._changed:
            turn = self._turn
            return turn.view if turn and turn.number == number else None

    def finish(self, result: dict[str, Any]) -> None:
        """Show the result."""
        with self._changed:
            self._turn = None
            self._result = result
            self._mark_changed()

    def close(self, sentence: str) -> None:
        """Tell the pages that the table is closed."""
        with self._changed:
            self._turn = None
            self._closed = sentence
            self._mark_changed()

    def updates(self, match: int, frames: int, version: int, wait_s: float) -> bytes:
        """Return what is new to a page that already has some frames of a match, as JSON.

        If nothing is, wait for it, but not longer than `wait_s`.
        """
        with self._changed:
            self.waiting += 1
            self._changed.wait_for(lambda: self._version != version or self._closed, wait_s)
            self.waiting -= 1
            self.last_read = time.monotonic()
            start = frames if match == self._match else 0
            update = {
                "version": self._version,
                "match": self._match,
                "frames": self._frames[start:],
                "turn": self._turn and self._turn_data(self._turn),
                "notice": self._notice,
                "result": self._result,
                "closed": self._closed,
            }
        return json.dumps(update, separators=(",", ":")).encode()

    def _turn_data(self, turn: _Turn) -> dict[str, Any]:
        game = self._game
        left_s = None if turn.deadline is None else max(0.0, turn.deadline - time.monotonic())
        choices = [
            {"action": each, "text": game.action_text(each)}
            | (each.parts() if isinstance(each, Symbol) else {})
            for each in game.legal_actions(turn.view)
        ]
        return {"number": turn.number, "choices": choices, "left_s": left_s}

    def _mark_changed(self) -> None:
        self._version += 1
        self._changed.notify_all()


def _names_actor(observation: Observation) -> bool:
    """Return whether the events say what was decided; after a secret choice they do not."""
    events = observation.events
    return bool(events) and getattr(events[0], "seat", None) == observation.actor

"""Read the moves that a person types: in full, abbreviated, or by their number in a list."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from arena.errors import ArenaError, BadText
from arena.games.registry import AnyGame

_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_COLUMN_GAP = 2


class NotAMove(ArenaError):
    """A typed text that does not name one legal move; the message says why."""


class AmbiguousMove(NotAMove):
    """A typed text that could be several legal moves."""

    def __init__(self, message: str, actions: Sequence[int]) -> None:
        """Keep the moves that it could be."""
        super().__init__(message)
        self.actions = actions


class Moves:
    """The legal moves of one decision; views are of the game's own type, hence Any."""

    def __init__(self, game: AnyGame, view: Any) -> None:
        """List the legal moves of the view's seat."""
        self.actions = game.legal_actions(view)
        self._game = game
        self._view = view
        self._texts = {action: game.action_text(action) for action in self.actions}

    def text(self, action: int) -> str:
        """Return a legal move in the game's notation."""
        return self._texts[action]

    def matching(self, text: str) -> list[int]:
        """Return the legal moves that a text abbreviates; those with as many words first.

        `h 2` and `h2` abbreviate `high 2`: words may be cut, numbers may not.
        """
        whole, longer = _matching(text, self._texts)
        return whole + longer

    def read(self, text: str) -> int:
        """Return the legal move that a text names; raise `NotAMove` if it names none or several."""
        try:
            action = self._game.parse_action(text)
        except BadText as error:
            return self._read_abbreviation(text, str(error))
        if action in self._texts:
            return action
        raise NotAMove(f"Illegal move: {self._game.why_illegal(self._view, action)}.")

    def _read_abbreviation(self, text: str, complaint: str) -> int:
        whole, longer = _matching(text, self._texts)
        found = whole or longer
        if len(found) > 1:
            raise AmbiguousMove(f"{text[:40]!r} could be {len(found)} moves.", found)
        if found:
            return found[0]
        every = {
            action: self._game.action_text(action) for action in range(self._game.action_count)
        }
        illegal, _ = _matching(text, every)
        if len(illegal) == 1:
            raise NotAMove(f"Illegal move: {self._game.why_illegal(self._view, illegal[0])}.")
        raise NotAMove(f"That is not a move: {complaint}. Type ? for help.")


def _matching(text: str, texts: Mapping[int, str]) -> tuple[list[int], list[int]]:
    """Return the moves that a text abbreviates word by word, and the moves with more words."""
    typed = _TOKEN.findall(text.lower())
    whole: list[int] = []
    longer: list[int] = []
    for action, move in texts.items():
        words = _TOKEN.findall(move.lower())
        if _begins(typed, words):
            (whole if len(words) == len(typed) else longer).append(action)
    return whole, longer


def _begins(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Tell whether typed words abbreviate the first words of a move."""
    return len(typed) <= len(words) and all(
        word == part if part.isdigit() else word.startswith(part)
        for part, word in zip(typed, words, strict=False)
    )


def numbered_list(texts: Mapping[int, str], width: int) -> list[str]:
    """Write texts with their numbers, in as many columns as fit."""
    if not texts:
        return ["  none"]
    digits = len(str(max(texts)))
    cells = [f"{number:>{digits}}) {text}" for number, text in texts.items()]
    size = max(map(len, cells)) + _COLUMN_GAP
    columns = max(1, (width - 2 + _COLUMN_GAP) // size)
    rows = -(-len(cells) // columns)
    return [
        "  " + "".join(cell.ljust(size) for cell in cells[row::rows]).rstrip()
        for row in range(rows)
    ]

"""Lay out the drawing of a table: names of the seats, hidden cards, and lines of a given width."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.games.core import HiddenCards
from arena.text import unstyled

WIDTH = 78
"""Columns of a drawing, unless another number is asked for."""
_INDENT = 4
_ELLIPSIS = "…"


class Periods(NamedTuple):
    """What a moment of a match belongs to: values that change when the next one begins."""

    round: object
    """None if the game has no rounds."""
    turn: object
    """The turn or the trick; None if every decision is one."""


class Layout:
    """How a table is drawn: for which seat, with which names, how wide, and what is revealed."""

    def __init__(
        self, seats: int, seat: int, names: Sequence[str], width: int, hidden: HiddenCards | None
    ) -> None:
        """Draw for a seat; with `hidden`, for someone who sees all cards and sits nowhere."""
        self.width = max(width, 20)
        self.hidden = hidden
        self._names = names
        self._you = -1 if hidden else seat
        self._longest = max(14, self.width // 4)
        self.margin = 3 + max(len(self.label(seat)) for seat in range(seats))
        """Columns before the text of a seat's line: two spaces, the label and one space."""

    def name(self, seat: int) -> str:
        """Return the name of a seat in a sentence."""
        return self._names[seat] if self._names else f"seat {seat}"

    def label(self, seat: int) -> str:
        """Return the name of a seat at the beginning of its line: with its number, and cut."""
        you = " you" if self.is_you(seat) else ""
        number = str(seat)
        text = self.name(seat)
        # The number is what a player types, and `arena play` adds it to the names.
        if not text.endswith(number):
            text = f"{number} {text}"
        most = self._longest - len(you)
        if len(text) > most:
            end = f"{_ELLIPSIS}-{number}" if text.endswith(f"-{number}") else _ELLIPSIS
            text = text[: most - len(end)] + end
        return text + you

    def is_you(self, seat: int) -> bool:
        """Tell whether the table is drawn for this seat."""
        return seat == self._you

    def subject(self, seat: int, verb: str, third_person: str) -> str:
        """Return a seat and what it does: you play, or kitten-1 plays."""
        return f"you {verb}" if self.is_you(seat) else f"{self.name(seat)} {third_person}"

    def sentence(self, seat: int, verb: str, third_person: str) -> str:
        """Return the same for the beginning of a sentence; names are not capitalised."""
        text = self.subject(seat, verb, third_person)
        return text if self._names and not self.is_you(seat) else text[0].upper() + text[1:]

    def lines(self, title: str, text: str, margin: int) -> list[str]:
        """Write a title, and a text from `margin` on, in as many lines as it takes.

        Where the margin would take half of the width, the title has its own line. Colours take
        no columns, and must not span spaces.
        """
        head = f"  {title}" if title else ""
        lines = []
        if title and (margin > self.width // 2 or len(unstyled(head)) >= margin):
            lines = [head]
            margin = _INDENT
            head = ""
        line = head + " " * (margin - len(unstyled(head)))
        used = margin
        is_begun = False
        for word in text.split(" "):
            size = len(unstyled(word))
            if is_begun and used + 1 + size > self.width:
                lines.append(line.rstrip())
                line, used, is_begun = " " * margin, margin, False
                if not word:
                    continue
            line += f" {word}" if is_begun else word
            used += size + is_begun
            is_begun = True
        return [*lines, line.rstrip()]

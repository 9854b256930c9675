"""A bot's answers: one action for each request, as indices of the action space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from arena.wire.fields import cached, varint, write_number


class Asked(Protocol):
    """The part of a request that its answer repeats."""

    @property
    def match(self) -> int:
        """The number of the match."""
        ...

    @property
    def number(self) -> int:
        """The number of the decision."""
        ...


class Decisions:
    """Writes answers for the bot, and reads them for the referee."""

    __slots__ = ("_action", "_each", "_match", "_note", "_number", "_outer", "tags")

    def __init__(
        self, decisions: int, each: int, match: int, number: int, action: int, index: int, note: int
    ) -> None:
        """Take the tags of the fields, from the outside in; `each` is one decision."""
        self.tags = (decisions, each, match, number, action, index, note)
        self._outer, self._each = varint(decisions), varint(each)
        self._match: Callable[[int], bytes] = _number(match)
        self._number: Callable[[int], bytes] = _number(number)
        self._action: Callable[[int], bytes] = cached(
            lambda chosen: _delimited(varint(action), write_number(index >> 3, chosen))
        )
        self._note = varint(note)

    def write(
        self, requests: Sequence[Asked], actions: Sequence[int], notes: Sequence[str] = ()
    ) -> bytes:
        """Write a bot's answers as a whole message, with no notes or one for each."""
        answers = [
            _delimited(
                self._each,
                self._match(asked.match)
                + self._number(asked.number)
                + self._action(action)
                + (_delimited(self._note, note.encode()) if note else b""),
            )
            for asked, action, note in zip(
                requests, actions, notes or ("",) * len(requests), strict=True
            )
        ]
        return _delimited(self._outer, b"".join(answers))

    def read(self, data: bytes) -> list[tuple[int, int, int, str]] | None:
        """Return match, number, index and note; None leaves it to the generated classes.

        They are faster than Python. The codec in C returns None only for what is unusual.
        """
        return None


def _number(tag: int) -> Callable[[int], bytes]:
    return cached(lambda value: write_number(tag >> 3, value) if value else b"")


def _delimited(tag: bytes, content: bytes) -> bytes:
    return tag + varint(len(content)) + content

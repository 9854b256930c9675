"""A bot that colludes at Trio: seat 0 sends its hand to seat 1 through the page cache.

Seat 0 drops a file that all bots can see from the page cache, and reads one page of it for each
card in its hand. Seat 1 tests which pages are in memory, without reading them. Both print what they
know.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from arena.games.trio.cards import COPIES, NUMBERS
from arena.games.trio.view import View
from arena.sdk import Bot, run

PAGE = 4096


class Colluder(Bot):
    """Plays the first legal action, and only prints what it learns."""

    name = "colluder"
    games = ("trio",)

    def __init__(self) -> None:
        """Open the file."""
        # A module that programs do not need, with more pages than there are cards.
        self._file = os.open(Path(os.__file__).with_name("_pydecimal.py"), os.O_RDONLY)
        # No read-ahead: only the pages that are read are fetched.
        os.posix_fadvise(self._file, 0, 0, os.POSIX_FADV_RANDOM)

    def choose(self, view: View) -> int:
        """Send or receive once in each match, then play."""
        if not hasattr(self.match.memory, "knows"):
            self.match.memory.knows = True
            if view.seat == 0:
                self._send(view.hand)
                print(json.dumps(view.hand), flush=True)
            elif view.seat == 1:
                print(json.dumps(self._receive()), flush=True)
        return self.legal_actions(view)[0]

    def _send(self, hand: tuple[int, ...]) -> None:
        os.posix_fadvise(self._file, 0, 0, os.POSIX_FADV_DONTNEED)
        for number in set(hand):
            for copy in range(hand.count(number)):
                os.pread(self._file, 1, _offset(number, copy))

    def _receive(self) -> list[int]:
        cards = [(number, copy) for number in range(1, NUMBERS + 1) for copy in range(COPIES)]
        try:
            return [number for number, copy in cards if self._is_in_memory(_offset(number, copy))]
        except OSError:
            return []

    def _is_in_memory(self, offset: int) -> bool:
        try:
            os.preadv(self._file, [bytearray(1)], offset, os.RWF_NOWAIT)
        except BlockingIOError:
            return False
        return True


def _offset(number: int, copy: int) -> int:
    return (COPIES * (number - 1) + copy) * PAGE


if __name__ == "__main__":
    run(Colluder)

"""Attacks in machine code by two bots: lines of the processors' caches, of pages that both have.

The host compiles native.cpp for them.
"""

from __future__ import annotations

import ctypes

from .lasting import STEP, Lasting
from .pairs import BITS
from .shared import PAGE, map_large_file

LIBRARY = "./native.so"
_PAGES = STEP // PAGE


class Lines(Lasting):
    """Brings the lines of a bit into the caches, or out of them; a later bot times them."""

    def __init__(self) -> None:
        super().__init__()
        self.library = ctypes.CDLL(LIBRARY)
        self.library.own_program.restype = ctypes.c_void_p
        self.library.look.restype = ctypes.c_uint64

    def address(self) -> int:
        """Return the address of pages that both bots have."""
        raise NotImplementedError

    def place(self, number: int) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.address() + number * STEP)

    def send(self, bit: bool) -> None:
        self.library.leave(self.place(self.number), ctypes.c_size_t(_PAGES), int(bit))
        self.number += 1
        if self.number == BITS:
            # Once more from the start, as others have used the caches meanwhile.
            self.number = 0

    def measure(self, number: int) -> float:
        return float(self.library.look(self.place(number), ctypes.c_size_t(_PAGES)))


class LinesOfAFile(Lines):
    """Use pages of a file in the bots' environment."""

    def __init__(self) -> None:
        super().__init__()
        self.mapping = map_large_file()
        self.start, _ = self.mapping.__enter__()

    def address(self) -> int:
        return self.start


class LinesOfTheProgram(Lines):
    """Use pages of the bot's own program."""

    def address(self) -> int:
        return int(self.library.own_program())

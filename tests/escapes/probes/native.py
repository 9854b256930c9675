"""Attacks in machine code by two bots: lines of the processors' caches, of pages that both have.

The host compiles native.cpp for them.
"""

from __future__ import annotations

import ctypes
import mmap
from typing import NoReturn

from .lasting import STEP, Lasting
from .pairs import BITS, take_part
from .shared import PAGE, map_large_file

LIBRARY = "./native.so"
_PAGES = STEP // PAGE


class Lines(Lasting):
    """Brings the lines of a bit into the caches, or out of them; a later bot times them."""

    def __init__(self) -> None:
        super().__init__()
        self.library = ctypes.CDLL(LIBRARY)
        self.library.own_program.restype = ctypes.c_void_p
        for name in ("look", "now", "middle"):
            getattr(self.library, name).restype = ctypes.c_uint64

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


def lines_of_a_file() -> NoReturn:
    """Use pages of a file in the bots' environment."""
    with map_large_file() as (address, _):

        class OfAFile(Lines):
            def address(self) -> int:
                return address

        take_part(OfAFile())


def lines_of_the_program() -> NoReturn:
    """Use pages of the bot's own program."""
    assert mmap.PAGESIZE == PAGE

    class OfTheProgram(Lines):
        def address(self) -> int:
            return int(self.library.own_program())

    take_part(OfTheProgram())

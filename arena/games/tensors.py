"""Views as tensors: what a learning program reads instead of a view.

Each game has an `Encoder` for each number of seats, which `Game.encoder` returns. It writes a view
as a fixed number of 32-bit floats. `Encoder.parts` names what they mean, in the order written:
first the parts that only repeat the match's parameters, then what the whole table knows, then what
only this seat knows. Seats are always counted from the view's own seat, clockwise, so one policy
can play every seat.

Tensors are bytes, joined from pieces that were made before. That is faster than a list of floats,
and numpy reads bytes without copying: `numpy.frombuffer(encoder.encode_many(views), "f")`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from struct import pack
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from arena.errors import BadInput
from arena.games.notation import Audience

if TYPE_CHECKING:
    from arena.games.registry import AnyGame

V_contra = TypeVar("V_contra", bound=NamedTuple, contravariant=True)

FLOAT = 4
"""The bytes of a float."""
LIMIT = 2000.0
"""No value of a tensor is larger, even at the largest parameters. Few are larger than 1."""


class Part(NamedTuple):
    """Consecutive floats of a tensor with one meaning."""

    name: str
    audience: Audience
    start: int
    size: int
    meaning: str

    @property
    def stop(self) -> int:
        """The index after the part's last float."""
        return self.start + self.size


class Encoder(ABC, Generic[V_contra]):
    """Writes the views of a game, for one number of seats, as tensors of one size."""

    def __init__(
        self, game: AnyGame, seats: int, parts: Sequence[tuple[str, Audience, int, str]]
    ) -> None:
        """Lay the parts out one after another."""
        self.game, self.seats = game, seats
        self.action_count = game.action_count
        laid_out = []
        start = 0
        for name, audience, size, meaning in parts:
            laid_out.append(Part(name, audience, start, size, meaning))
            start += size
        self.parts = tuple(laid_out)
        self.size = start
        """How many floats a tensor has."""

    def part(self, name: str) -> slice:
        """Return where the part of this name lies: `tensor[encoder.part("hand")]`."""
        for part in self.parts:
            if part.name == name:
                return slice(part.start, part.stop)
        names = ", ".join(part.name for part in self.parts)
        raise BadInput(f"a tensor of {self.game.id} has no part {name!r}: only {names}")

    def audience(self, audience: Audience | str) -> slice:
        """Return where everything for this audience lies, which is in one piece."""
        parts = [part for part in self.parts if part.audience is Audience(audience)]
        return slice(parts[0].start, parts[-1].stop) if parts else slice(0, 0)

    def relative_actions(self, seat: int) -> Sequence[int]:
        """List all actions in the order in which a tensor of this seat counts seats.

        Where actions name seats, a policy for every seat should count those in the same way. In
        other games this is the order of the actions themselves.
        """
        return range(self.action_count)

    def encode(self, view: V_contra) -> memoryview[float]:
        """Write a view as a sequence of floats."""
        return memoryview(b"".join(self._checked_pieces(view))).cast("f")

    def encode_many(self, views: Iterable[V_contra]) -> bytes:
        """Write views one after another, as floats of the machine's byte order."""
        pieces: list[bytes] = []
        for view in views:
            pieces += self._checked_pieces(view)
        return b"".join(pieces)

    def mask(self, view: V_contra) -> bytes:
        """Return one byte for each action of the game: 1 if the view's seat may play it now."""
        mask = bytearray(self.action_count)
        for action in self.game.legal_actions(view):
            mask[action] = 1
        return bytes(mask)

    def _checked_pieces(self, view: V_contra) -> list[bytes]:
        try:
            if view.seats == self.seats:  # type: ignore[attr-defined]  # every view has it
                return self.pieces(view)
        except AttributeError:
            if type(view) is self.game.view_type:
                raise
            raise BadInput(
                f"an encoder of {self.game.id} takes views of it, not {type(view).__name__}"
            ) from None
        raise BadInput(
            f"this encoder is for {self.seats} seats, and the view is of a match with {view.seats}"  # type: ignore[attr-defined]
        )

    @abstractmethod
    def pieces(self, view: V_contra) -> list[bytes]:
        """Return the bytes of a tensor in pieces, without checking the view."""


def floats(*values: float) -> bytes:
    """Write a few floats."""
    return pack(f"={len(values)}f", *values)


def zeros(count: int) -> bytes:
    """Write a number of zeros."""
    return bytes(FLOAT * count)


def one_hots(count: int) -> tuple[bytes, ...]:
    """Return the piece for each of `count` choices: 1 for this one, 0 for all others.

    The last piece, at index -1, is for none of them.
    """
    one = floats(1)
    return (*(zeros(at) + one + zeros(count - at - 1) for at in range(count)), zeros(count))


def mask_bytes(actions: int, count: int) -> bytes:
    """Write a set of actions as `count` bytes: 1 for each action in the set, otherwise 0."""
    # Binary digits begin with the highest bit.
    return f"{actions:0{count}b}"[::-1].encode().translate(_DIGITS)


_DIGITS = bytes.maketrans(b"01", b"\0\1")


def bits(mask: int, count: int) -> bytes:
    """Write the lowest `count` bits of a set as floats, the lowest first."""
    return floats(*(mask >> bit & 1 for bit in range(count)))

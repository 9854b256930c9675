"""How is a replay cut into sections so that no byte of it can change unnoticed?

A replay begins with a mark and a version. Then come sections: a byte for the kind, the length of
the payload, the payload, and a hash of 16 bytes (BLAKE2b) over the hash before it, the kind, the
length and the payload. The first section's hash before it is that of mark and version. So a
section that was changed, added, removed or moved is found, and the first one is named.

The hashes guard against accidents and careless hands. Whoever changes a fact and hashes everything
anew is found by the rules: see `verify`.
"""

from __future__ import annotations

from hashlib import blake2b

from arena.errors import BadReplay
from arena.replays.packing import Unpacking, put_uint, uint_at

MARK = b"\x8fARENA\r\n"
"""Not text, and spoiled by anything that rewrites line ends."""
VERSION = 2
"""The newest one. Version 1 has neither a salt nor breaks."""
HASH_BYTES = 16


def _hash(*parts: bytes) -> bytes:
    hashed = blake2b(digest_size=HASH_BYTES, person=b"arena replay")
    for part in parts:
        hashed.update(part)
    return hashed.digest()


_HEAD_BYTES = len(MARK) + 1


def chained(sections: list[tuple[int, bytes]], *, version: int) -> bytes:
    """Write sections, each a kind and a payload, one after the other."""
    start = MARK + bytes((version,))
    parts = [start]
    before = _hash(start)
    for kind, payload in sections:
        head = bytes((kind,)) + put_uint(len(payload))
        before = _hash(before, head, payload)
        parts += (head, payload, before)
    return b"".join(parts)


class Chain:
    """A replay that is read section by section, each checked before it is believed."""

    def __init__(self, data: bytes) -> None:
        """Check the mark and the version."""
        if not data.startswith(MARK):
            raise BadReplay(f"not a replay: it begins with {data[: len(MARK)]!r}, not {MARK!r}")
        if len(data) < _HEAD_BYTES:
            raise BadReplay(f"the replay breaks off before its version: it has {len(data)} bytes")
        self.version = version = data[len(MARK)]
        if version > VERSION:
            raise BadReplay(
                f"the replay is of version {version}, and this arena reads up to version "
                f"{VERSION}: a newer arena can read it"
            )
        if version < 1:
            raise BadReplay(f"the replay is of version {version}: there is no such version")
        self._data = data
        self._at = _HEAD_BYTES
        self._before = _hash(data[:_HEAD_BYTES])
        self._number = 0

    def section(self, kind: int, name: str) -> Unpacking:
        """Return the payload of the next section, which should be of this kind."""
        data, first = self._data, self._at
        where = f"section {self._number} ({name}) at byte {first}"
        if first == len(data):
            raise BadReplay(f"the replay breaks off after {first} bytes: {where} is missing")
        length, begin = uint_at(data, first + 1, where)
        end = begin + length
        if end + HASH_BYTES > len(data):
            raise BadReplay(
                f"{where} should end at byte {end + HASH_BYTES}, but the replay has {len(data)}"
            )
        payload = data[begin:end]
        hashed = _hash(self._before, data[first:begin], payload)
        if hashed != data[end : end + HASH_BYTES]:
            raise BadReplay(f"{where} does not match its hash: bytes were changed, added or lost")
        if data[first] != kind:
            raise BadReplay(f"{where} is of kind {data[first]}, not {kind}")
        self._before = hashed
        self._at = end + HASH_BYTES
        self._number += 1
        return Unpacking(payload, where)

    def end(self) -> None:
        """Refuse anything after the last section."""
        left = len(self._data) - self._at
        if left:
            raise BadReplay(f"{left} bytes follow the end of the replay at byte {self._at}")

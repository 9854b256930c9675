"""The sections of a replay, chained by hashes so that no byte can change unnoticed.

A replay begins with magic bytes and a version. Each section then consists of a byte for its kind,
the length of the payload, the payload, and a hash of 16 bytes (BLAKE2b) over the previous hash, the
kind, the length and the payload. For the first section, the previous hash is that of magic bytes
and version. The first section that was changed, added, removed or moved is found and named.

The hashes detect accidents. A forger can compute new hashes, but not new rules: see `verify`.
"""

from __future__ import annotations

from hashlib import blake2b

from arena.errors import BadReplay
from arena.replays.varint import ByteReader, decode_uint, encode_uint

MAGIC = b"\x8fARENA\r\n"
"""Not valid text, and damaged by any program that converts line endings."""
VERSION = 1
HASH_BYTES = 16


def _hash(*parts: bytes) -> bytes:
    digest = blake2b(digest_size=HASH_BYTES, person=b"arena replay")
    for part in parts:
        digest.update(part)
    return digest.digest()


_HEAD_BYTES = len(MAGIC) + 1


def write_chain(sections: list[tuple[int, bytes]]) -> bytes:
    """Write sections, each a kind and a payload, in order."""
    start = MAGIC + bytes((VERSION,))
    parts = [start]
    previous = _hash(start)
    for kind, payload in sections:
        head = bytes((kind,)) + encode_uint(len(payload))
        previous = _hash(previous, head, payload)
        parts += (head, payload, previous)
    return b"".join(parts)


class ChainReader:
    """Reads a replay section by section; each is checked before its payload is returned."""

    def __init__(self, data: bytes) -> None:
        """Check the magic bytes and the version."""
        if not data.startswith(MAGIC):
            raise BadReplay(f"not a replay: it begins with {data[: len(MAGIC)]!r}, not {MAGIC!r}")
        if len(data) < _HEAD_BYTES:
            raise BadReplay(f"the replay is truncated before its version: it has {len(data)} bytes")
        version = data[len(MAGIC)]
        if version != VERSION:
            raise BadReplay(
                f"the replay has version {version}, but this arena reads version {VERSION}: use "
                "the arena that wrote it"
            )
        self._data = data
        self._at = _HEAD_BYTES
        self._previous = _hash(data[:_HEAD_BYTES])
        self._number = 0

    def section(self, kind: int, name: str) -> ByteReader:
        """Return the payload of the next section, which must be of this kind."""
        data, first = self._data, self._at
        where = f"section {self._number} ({name}) at byte {first}"
        if first == len(data):
            raise BadReplay(f"the replay is truncated after {first} bytes: {where} is missing")
        length, begin = decode_uint(data, first + 1, where)
        end = begin + length
        if end + HASH_BYTES > len(data):
            raise BadReplay(
                f"{where} should end at byte {end + HASH_BYTES}, but the replay has {len(data)}"
            )
        payload = data[begin:end]
        digest = _hash(self._previous, data[first:begin], payload)
        if digest != data[end : end + HASH_BYTES]:
            raise BadReplay(f"{where} does not match its hash: bytes were changed, added or lost")
        if data[first] != kind:
            raise BadReplay(f"{where} is of kind {data[first]}, not {kind}")
        self._previous = digest
        self._at = end + HASH_BYTES
        self._number += 1
        return ByteReader(payload, where)

    def end(self) -> None:
        """Refuse anything after the last section."""
        left = len(self._data) - self._at
        if left:
            raise BadReplay(f"{left} bytes follow the end of the replay at byte {self._at}")

"""The 32 secret bytes that the deals of an event or a run follow from.

Whoever knows them can compute every deal, so they are drawn from the system's randomness. Their
hash, the commitment, is published before the first match and the bytes after the last one: then
anybody can check that no deal was chosen. A seed that a person types is no secret: everybody can
compute what follows from it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import sha256

from arena.errors import BadSeed
from arena.games.randomness import SEED_BYTES, Seed, derive, seed_from

OPEN_DEALS = "open deals"
"""The mark of results whose deals anybody could have computed."""
_SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Secret:
    """What the deals of one event or run follow from."""

    key: Seed
    seed: int | None = None
    """The number that it was made from, if a person typed one."""
    is_open: bool = False
    """Whether somebody may have known it before: it was not drawn for this run."""

    @property
    def commitment(self) -> bytes:
        """The hash that is published before the first match."""
        return commitment_to(self.key)

    def __str__(self) -> str:
        """Write it as the option that repeats the run."""
        return f"secret {self.key.hex()}" if self.seed is None else f"seed {self.seed}"


def chosen_secret(*, seed: int | None, secret: str | None, purpose: str = "") -> Secret:
    """Return the secret that was asked for, by a number or as hexadecimal digits, or draw one.

    The purpose tells apart what the same number is used for.
    """
    if seed is not None and secret is not None:
        raise BadSeed("either a seed or a secret, not both")
    if secret is not None:
        return Secret(read_secret(secret), is_open=True)
    if seed is None:
        return Secret(secrets.token_bytes(SEED_BYTES))
    key = seed_from(seed)
    return Secret(derive(key, purpose) if purpose else key, seed, is_open=True)


def read_secret(text: str) -> Seed:
    """Read a secret that was written as hexadecimal digits."""
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != SEED_BYTES:
        raise BadSeed(f"secret {text[:80]!r} is not {2 * SEED_BYTES} hexadecimal digits")
    return key


def commitment_to(key: Seed) -> bytes:
    """Return the hash of an event's secret."""
    return sha256(b"arena event " + key).digest()


def match_salt(key: Seed, number: int) -> bytes:
    """Return what makes the bots' seeds and the commitment of a match differ from all others.

    The rotations of a deal share its seed, and must not be recognised by what follows from it.
    """
    return derive(key, f"match {number}")[:_SALT_BYTES]

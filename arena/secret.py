"""Secrets: the 32 bytes from which the deals of an event or a run are derived.

All deals can be computed from the secret, so it is drawn from the system's random source. Its hash,
the commitment, is published before the first match, and the secret itself after the last one. Then
anyone can check that no deal was chosen. A seed typed by a person is not secret: its deals can be
computed in advance.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import sha256

from arena.errors import BadSeed
from arena.games.randomness import SEED_BYTES, Seed, derive, seed_from

OPEN_DEALS = "open deals"
"""Marks results whose deals could have been computed in advance."""
SEALED_DEALS = "sealed deals"
"""Marks results of secret deals that no process could know from an earlier match."""
UNSEALED_DEALS = "secret deals, not sealed"
_SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Secret:
    """The source of all deals of one event or run."""

    key: Seed
    seed: int | None = None
    """The number that it was derived from, if a person typed one."""
    is_open: bool = False
    """Whether it may have been known in advance, because it was not drawn for this run."""

    @property
    def commitment(self) -> bytes:
        """The hash to publish before the first match."""
        return commitment_to(self.key)

    def __str__(self) -> str:
        """Return the option that repeats the run."""
        return f"secret {self.key.hex()}" if self.seed is None else f"seed {self.seed}"


def make_secret(*, seed: int | None, secret: str | None, purpose: str = "") -> Secret:
    """Return the secret for a number or for hexadecimal digits, or draw a new one.

    The same number gives different secrets for different purposes.
    """
    if seed is not None and secret is not None:
        raise BadSeed("give either a seed or a secret, not both")
    if secret is not None:
        return Secret(read_secret(secret), is_open=True)
    if seed is None:
        return Secret(secrets.token_bytes(SEED_BYTES))
    key = seed_from(seed)
    return Secret(derive(key, purpose) if purpose else key, seed, is_open=True)


def secret_from(seed: int | bytes | Secret | None, *, purpose: str = "") -> Secret:
    """Return the secret for a number or for 32 bytes, or draw a new one."""
    if isinstance(seed, Secret):
        return seed
    if isinstance(seed, bytes):
        return make_secret(seed=None, secret=seed.hex())
    return make_secret(seed=seed, secret=None, purpose=purpose)


def read_secret(text: str) -> Seed:
    """Parse a secret in hexadecimal digits."""
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
    """Return the salt that makes the bots' seeds and the commitment of a match unique.

    The rotations of a deal share its seed; without the salt, bots could recognise them.
    """
    return derive(key, f"match {number}")[:_SALT_BYTES]

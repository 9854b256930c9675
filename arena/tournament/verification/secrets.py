"""Check the secrets of events that are not over.

They are not in the journal, which may be published before: it has the commitment.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from arena.errors import BadSeed
from arena.secret import commitment_to, read_secret
from arena.tournament.verification import AT_MOST
from leaderboard.store import Reader


def secret_differences(reader: Reader) -> list[str]:
    """Return a sentence for each event whose secret is missing, doubled or another one."""
    return list(islice(_differences(reader), AT_MOST))


def _differences(reader: Reader) -> Iterator[str]:
    rows = reader.rows(
        """
        SELECT name, commitment, events.secret, secrets.secret
        FROM events LEFT JOIN secrets ON secrets.event = events.id
        ORDER BY events.id
        """
    )
    for name, commitment, revealed, hidden in rows:
        if revealed is not None and hidden is not None:
            yield f"event {name}: its secret is revealed, but also in the table of secrets"
        if not _matches(revealed if hidden is None else hidden, commitment):
            yield f"event {name}: its secret is missing, or does not match its commitment"


def _matches(secret: str | None, commitment: str) -> bool:
    try:
        key = read_secret(secret or "")
    except BadSeed:
        return False
    # Compared as text: hexadecimal digits may be written in two ways.
    return (key.hex(), commitment_to(key).hex()) == (secret, commitment)

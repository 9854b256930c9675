"""Rule of thumb: none. Every legal action is as likely as any other.

It plays all games. Whoever does not beat it clearly has a bug.
"""

from __future__ import annotations

from typing import Any

from arena.sdk import Bot, run


class AtRandom(Bot):
    """Plays at random."""

    name = "random"

    def choose(self, view: Any) -> int:
        """Draw one of the legal actions."""
        return self.rng.choice(self.legal_actions(view))


if __name__ == "__main__":
    run(AtRandom)

"""Strategy: none. All legal actions are equally likely.

It plays every game. A bot that does not clearly beat it has a bug.
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

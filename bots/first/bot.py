"""Strategy: always play the first legal action.

It plays every game, badly. Use it to test whether a bot can win at all; it uses almost no time.
"""

from __future__ import annotations

from typing import Any

from arena.sdk import Bot, run


class First(Bot):
    """Always plays the first legal action."""

    name = "first"

    def choose(self, view: Any) -> int:
        """Play the first legal action."""
        return self.legal_actions(view)[0]


if __name__ == "__main__":
    run(First)

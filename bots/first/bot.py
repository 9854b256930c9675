"""Rule of thumb: do the first thing that the rules allow, always.

It plays all games, and badly: it is here to see whether a bot can win at all, and because it costs
next to nothing.
"""

from __future__ import annotations

from typing import Any

from arena.sdk import Bot, run


class First(Bot):
    """Plays its first legal action."""

    name = "first"

    def choose(self, view: Any) -> int:
        """Take it."""
        return self.legal_actions(view)[0]


if __name__ == "__main__":
    run(First)

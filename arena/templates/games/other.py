"""A bot for {{title}}: it plays any legal action.

The three lines to change first are marked.
"""

from __future__ import annotations

from typing import Any

from arena.sdk import Bot, run


class MyBot(Bot):
    """Plays at random, but for what you add."""

    games = ("{{game}}",)

    def choose(self, view: Any) -> int:
        """Return the action with the highest merit."""
        return max(self.legal_actions(view), key=lambda action: self.merit(action, view))

    def merit(self, action: int, view: Any) -> float:
        """Estimate how good an action is."""
        merit = 0.0  # 1 change me: what is good about it?
        if view.seat == 0:  # 2 change me: when does something else matter?
            merit += 0.0  # 3 change me: and how much?
        return merit + self.rng.random()


if __name__ == "__main__":
    run(MyBot)

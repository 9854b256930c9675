"""The cheapest bot there is: it plays its first legal action."""

from __future__ import annotations

from typing import Any

from arena.sdk import Bot, run


class Trivial(Bot):
    """Plays the first legal action."""

    def choose(self, view: Any) -> int:
        """Choose it."""
        return self.legal_actions(view)[0]


if __name__ == "__main__":
    run(Trivial)

"""The Python SDK: write a bot as a subclass of `Bot`, and start it with `run`.

A complete bot:

    from arena.sdk import Bot, run

    class First(Bot):
        games = ("meow",)

        def choose(self, view):
            return self.legal_actions(view)[0]

    if __name__ == "__main__":
        run(First)

`arena docs sdk` describes every method and field, with examples.

What is public: the four names in `__all__`, with their documented attributes and methods. Together
with `arena.games`, which has the rules and the views, they are everything that a bot should import.
Every other module and name in this package may change at any time.
"""

from arena.sdk.bot import Bot, Match, Result
from arena.sdk.client import run

__all__ = ["Bot", "Match", "Result", "run"]

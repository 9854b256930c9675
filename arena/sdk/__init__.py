"""What a bot imports: `Bot` to decide, `run` to play."""

from arena.sdk.bot import Bot, Match, Result
from arena.sdk.client import run

__all__ = ["Bot", "Match", "Result", "run"]

"""A bot that sits in one seat of a match in this process: its methods are called directly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.sdk.bot import Bot, Match, Result
from arena.sdk.client import check_actions


class SeatedBot:
    """A bot in one seat of one match; calls the bot's methods as the SDK does."""

    def __init__(self, bot: Bot, match: Match) -> None:
        """Tell the bot that the match has started."""
        self._bot = bot
        self._match = match
        self._events_seen = 0
        bot.match = match
        bot.match_started()

    def choose(self, view: Any, events: Sequence[Any] | None) -> int:
        """Return the bot's decision; `events` are all events of the match so far."""
        bot = self._bot
        self._tell(events)
        bot.match = self._match
        bot.matches = (self._match,)
        (action,) = check_actions(bot, bot.choose_many((view,)), bot.matches)
        return action

    def end(self, result: Result, events: Sequence[Any] | None) -> None:
        """Tell the bot that the match is over."""
        self._tell(events)
        self._bot.match = self._match
        self._bot.match_ended(result)

    def _tell(self, events: Sequence[Any] | None) -> None:
        new = events[self._events_seen :] if events else ()
        if new:
            self._events_seen += len(new)
            self._bot.match = self._match
            self._bot.happened(new)

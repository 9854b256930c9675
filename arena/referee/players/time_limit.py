"""A time limit that is checked whenever it may have been reached."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType


class TimeLimit:
    """An async context manager that raises TimeoutError when a check says that time is up.

    One timer serves all the reasons for which a wait may end. It replaces several nested timeouts:
    there is a wait for every message.
    """

    __slots__ = ("_check", "_timeout", "_timer", "_when")

    def __init__(self, when: float, check: Callable[[], float | None]) -> None:
        """Call `check` at the time `when` of the loop.

        It returns when to call it again, or None if time is up.
        """
        self._when = when
        self._check = check

    async def __aenter__(self) -> None:
        """Start the timer."""
        self._timeout = asyncio.timeout(None)
        await self._timeout.__aenter__()
        self._timer = asyncio.get_running_loop().call_at(self._when, self._on_timer)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the timer; raise TimeoutError if it has ended the wait."""
        self._timer.cancel()
        await self._timeout.__aexit__(kind, error, trace)

    def _on_timer(self) -> None:
        when = self._check()
        loop = asyncio.get_running_loop()
        if when is None:
            self._timeout.reschedule(loop.time())
        else:
            self._timer = loop.call_at(when, self._on_timer)

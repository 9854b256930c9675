"""How is a bot run under Python's debugger?

`python -m arena.sdk.debugger NUMBER PROGRAM [WORD ...]` runs a bot's program on this terminal. The
debugger takes over where the bot begins to decide for the NUMBERth time, counted from 0, and where
it fails.
"""

from __future__ import annotations

import os
import pdb
import runpy
import sys
from collections.abc import Callable
from traceback import format_exception_only
from typing import Any, NoReturn

from arena.sdk import client
from arena.sdk.bot import Bot


def main() -> None:
    """Run a bot's program."""
    _, number, *words = sys.argv
    sys.argv = words
    sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
    converse = client._converse

    def debugged(bot: Bot, socket: str) -> None:
        decides_together = type(bot).choose_many is not Bot.choose_many
        method = "choose_many" if decides_together else "choose"
        setattr(bot, method, _stopping(getattr(bot, method), int(number)))
        try:
            converse(bot, socket)
        except Exception as error:
            print(*format_exception_only(error), end="", file=sys.stderr)
            pdb.post_mortem(error.__traceback__)
            sys.exit(1)

    client._converse = debugged
    runpy.run_path(os.path.abspath(words[0]), run_name="__main__")


class _Debugger(pdb.Pdb):
    """A debugger whose quit is the end, and not an answer."""

    def set_quit(self) -> NoReturn:
        """Leave the program."""
        sys.exit("you left the debugger")


def _stopping(decide: Callable[[Any], Any], number: int) -> Callable[[Any], Any]:
    """Wrap a bot's method, so that the debugger takes over when it is called for that time."""
    times = 0

    def stopping(asked: Any) -> Any:
        nonlocal times
        times += 1
        return _Debugger().runcall(decide, asked) if times == number + 1 else decide(asked)

    return stopping


if __name__ == "__main__":
    main()

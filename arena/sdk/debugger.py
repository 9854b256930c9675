"""Run a bot under Python's debugger.

`python -m arena.sdk.debugger NUMBER PROGRAM [ARGUMENT ...]` runs a bot's program in this terminal.
The debugger starts at the bot's decision NUMBER, counted from 0, and wherever the bot fails.
"""

from __future__ import annotations

import os
import pdb
import runpy
import sys
from collections.abc import Callable
from contextlib import suppress
from traceback import format_exception_only
from typing import Any, NoReturn

from arena.sdk import client
from arena.sdk.bot import Bot


def main() -> None:
    """Run a bot's program."""
    _, number, *words = sys.argv
    sys.argv = words
    sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
    answer_requests = client._answer_requests

    def debug(bot: Bot, socket: str) -> None:
        overrides_choose_many = type(bot).choose_many is not Bot.choose_many
        method = "choose_many" if overrides_choose_many else "choose"
        setattr(bot, method, _stop_at(getattr(bot, method), int(number)))
        try:
            answer_requests(bot, socket)
        except Exception as error:
            print(*format_exception_only(error), end="", file=sys.stderr)
            pdb.post_mortem(error.__traceback__)
            sys.exit(1)

    client._answer_requests = debug
    runpy.run_path(os.path.abspath(words[0]), run_name="__main__")


class _Debugger(pdb.Pdb):
    """A debugger that exits the program on quit, instead of returning an answer."""

    def set_quit(self) -> NoReturn:
        """Exit the program."""
        sys.exit("you left the debugger")

    def message(self, msg: str) -> None:
        """Print a message, unless Ctrl-C has interrupted the bot while it prints."""
        # Python does not let a signal handler write to a stream that is being written to.
        with suppress(RuntimeError):
            super().message(msg)


def _stop_at(decide: Callable[[Any], Any], number: int) -> Callable[[Any], Any]:
    """Wrap a bot's method so that its call `number`, counted from 0, starts the debugger."""
    calls = 0

    def stop_or_decide(argument: Any) -> Any:
        nonlocal calls
        calls += 1
        return _Debugger().runcall(decide, argument) if calls == number + 1 else decide(argument)

    return stop_or_decide


if __name__ == "__main__":
    main()

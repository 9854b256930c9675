"""The debugger of `arena reproduce --pdb` copes with a bot that is interrupted anywhere."""

from __future__ import annotations

import signal
import sys
from io import StringIO

from arena.sdk.debugger import _Debugger


class _BusyStream(StringIO):
    """A stream that a bot is writing to when Ctrl-C interrupts it."""

    is_busy = True

    def write(self, text: str) -> int:
        if self.is_busy:
            self.is_busy = False
            raise RuntimeError("reentrant call inside <_io.BufferedWriter name='<stdout>'>")
        return super().write(text)


def test_a_bot_can_be_interrupted_while_it_prints() -> None:
    stream = _BusyStream()
    before = sys.gettrace()
    try:
        debugger = _Debugger(stdin=StringIO("continue\n"), stdout=stream)
        debugger.sigint_handler(signal.SIGINT, sys._getframe())
        printed = stream.getvalue()  # The debugger stops before this line.
    finally:
        sys.settrace(before)
    assert "-> printed = " in printed

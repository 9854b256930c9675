"""Does a bot on the user's terminal get Ctrl-C to itself, and is its end told?"""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from arena.sandbox.terminal import TerminalProcess
from tests.sandbox.caged import PATIENCE_S


@pytest.mark.parametrize(
    ("code", "how"),
    [("exit 3", "ended with exit code 3"), ("kill -KILL $$", "was ended by SIGKILL")],
)
def test_its_end_is_heard_of_once_and_told(tmp_path: Path, code: str, how: str) -> None:
    async def run() -> None:
        ended = asyncio.Event()
        process = started(code, tmp_path, ended)
        async with asyncio.timeout(PATIENCE_S):
            await ended.wait()
        assert process.is_ending()
        assert process.how_it_ended() == how

    asyncio.run(run())


def test_the_interrupt_key_is_for_it_alone_until_it_ends(tmp_path: Path) -> None:
    async def run() -> None:
        before = signal.getsignal(signal.SIGINT)
        process = started("sleep 600", tmp_path, asyncio.Event())
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        process.kill()
        assert signal.getsignal(signal.SIGINT) is before
        mine = signal.signal(signal.SIGINT, signal.default_int_handler)
        process.kill()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        signal.signal(signal.SIGINT, mine)
        assert process.how_it_ended() == "was ended by SIGKILL"

    asyncio.run(run())


def started(code: str, folder: Path, ended: asyncio.Event) -> TerminalProcess:
    """Start a shell on whatever is here in place of a terminal."""
    command = ["/bin/sh", "-c", code]
    return TerminalProcess(command, folder=folder, environment={}, on_exit=ended.set)

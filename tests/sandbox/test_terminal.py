"""Only the bot receives Ctrl-C on the user's terminal, and its exit is reported."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from arena.sandbox.bot_process import TerminalProcess
from tests.sandbox.caged_bot import PATIENCE_S


@pytest.mark.parametrize(
    ("code", "how"),
    [("exit 3", "ended with exit code 3"), ("kill -KILL $$", "was ended by SIGKILL")],
)
def test_its_exit_is_reported_once_and_described(tmp_path: Path, code: str, how: str) -> None:
    async def run() -> None:
        ended = asyncio.Event()
        process = start_process(code, tmp_path, ended)
        async with asyncio.timeout(PATIENCE_S):
            await ended.wait()
        assert process.is_ending()
        assert process.describe_exit() == how

    asyncio.run(run())


def test_ctrl_c_reaches_only_the_bot_until_it_ends(tmp_path: Path) -> None:
    async def run() -> None:
        before = signal.getsignal(signal.SIGINT)
        process = start_process("sleep 600", tmp_path, asyncio.Event())
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        process.kill()
        assert signal.getsignal(signal.SIGINT) is before
        mine = signal.signal(signal.SIGINT, signal.default_int_handler)
        process.kill()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        signal.signal(signal.SIGINT, mine)
        assert process.describe_exit() == "was ended by SIGKILL"

    asyncio.run(run())


def start_process(code: str, folder: Path, ended: asyncio.Event) -> TerminalProcess:
    """Start a shell on the stand-in for a terminal."""
    command = ["/bin/sh", "-c", code]
    return TerminalProcess(command, folder=folder, environment={}, on_exit=ended.set)

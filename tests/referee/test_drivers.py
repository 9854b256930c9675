"""The referee has its own driver of gRPC; the environment can choose grpcio's, the reference."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from arena.errors import ArenaError
from arena.referee.players.connection import DRIVER, Driver, chosen_driver


def test_the_environment_chooses_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DRIVER, raising=False)
    assert chosen_driver() is Driver.OWN
    monkeypatch.setenv(DRIVER, "grpcio")
    assert chosen_driver() is Driver.GRPCIO
    monkeypatch.setenv(DRIVER, "pigeon")
    with pytest.raises(ArenaError, match="ARENA_GRPC is 'pigeon': it must be own or grpcio"):
        chosen_driver()


def in_new_process(code: str) -> str:
    """Run code in another process, and return what it prints."""
    environment = {name: value for name, value in os.environ.items() if name != DRIVER}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True).stdout


def test_the_referee_does_not_import_grpcio() -> None:
    code = (
        "import asyncio, sys, tempfile, pathlib, arena.referee.players.remote as _\n"
        "from arena.referee.players.connection import listen\n"
        "async def main():\n"
        "    with tempfile.TemporaryDirectory() as folder:\n"
        "        async with listen(pathlib.Path(folder, 's'), print): pass\n"
        "asyncio.run(main()); print('grpc' in sys.modules)"
    )
    assert in_new_process(code) == "False\n"

"""Run commands of `arena` for a client, as separate processes in the server's folder."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.errors import BadInput

_MOST_CHARACTERS = 12_000
"""Of the output of a command, from its end: what follows is read by a model."""
_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@:=+,/-]*")


@dataclass(frozen=True)  # the SDK reads no slots
class Done:
    """What a command has done."""

    exit_code: int
    """0 success, 1 failure, 2 usage error."""
    output: str
    """What it printed, without the beginning if that is long."""


def word(text: str) -> str:
    """Check a name, or a path inside the server's folder."""
    if not _WORD.fullmatch(text):
        raise BadInput(f"{text!r} is not a name or a path: use letters, digits and _ . @ : - /")
    if ".." in Path(text).parts:
        raise BadInput(f"{text!r} leads out of the folder of the server")
    return text


def path_inside(text: str) -> str:
    """Check a path, which must stay inside the server's folder, links included."""
    here = Path.cwd().resolve()
    if not (here / word(text)).resolve().is_relative_to(here):
        raise BadInput(f"{text!r} leads out of the folder of the server")
    return text


async def run(*words: str, timeout_s: float = 600.0) -> Done:
    """Run a command to its end; a client that cancels its call ends the command too."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "arena", *words),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100"},
    )
    try:
        async with asyncio.timeout(timeout_s):
            printed, said = await process.communicate()
    except TimeoutError:
        return Done(exit_code=1, output=f"the command took longer than {timeout_s:g} s")
    finally:
        if process.returncode is None:
            await _end(process)
    # Progress and warnings are for people; what went wrong is for everyone.
    text = (printed + said if process.returncode else printed).decode(errors="replace").strip()
    if len(text) > _MOST_CHARACTERS:
        text = f"... {text[-_MOST_CHARACTERS:]}"
    assert process.returncode is not None
    return Done(exit_code=process.returncode, output=text)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Interrupt a command, which then cleans up, and kill it if that takes long."""
    for sent in (signal.SIGINT, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, sent)
        with suppress(TimeoutError):
            async with asyncio.timeout(20):
                await process.wait()
                return

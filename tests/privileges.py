"""How do permissions hold in a test that root runs?"""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PR_SET_SECUREBITS, _NO_ROOT = 28, 1
_ROOT = Path(__file__).parents[1]


def without_privileges() -> None:
    """Let the program that this process becomes be an ordinary one, even if root starts it."""
    ctypes.CDLL(None).prctl(_PR_SET_SECUREBITS, _NO_ROOT, 0, 0, 0)


@contextmanager
def read_only(*paths: Path) -> Iterator[None]:
    """Take away the permission to write."""
    modes = [path.stat().st_mode for path in paths]
    for path in paths:
        path.chmod(0o555)
    yield
    for path, mode in zip(paths, modes, strict=True):
        path.chmod(mode)


def last_words(code: str, *words: object) -> str:
    """Run a program for which permissions hold; return the last line that it says."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=_ROOT,
        preexec_fn=without_privileges,
    )
    return done.stdout.splitlines()[-1]

"""Make file permissions apply in tests that root runs, and run tests as other users."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

_PR_SET_SECUREBITS, _NO_ROOT = 28, 1
_ROOT = Path(__file__).parents[1]
_DROP = f"""
import ctypes, os, sys
ctypes.CDLL(None).prctl({_PR_SET_SECUREBITS}, {_NO_ROOT}, 0, 0, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


def without_privileges() -> None:
    """Drop root's privileges from the program that this process is about to exec."""
    ctypes.CDLL(None).prctl(_PR_SET_SECUREBITS, _NO_ROOT, 0, 0, 0)


@contextmanager
def read_only(*paths: Path) -> Iterator[None]:
    """Remove write permission until the context ends."""
    modes = [path.stat().st_mode for path in paths]
    for path in paths:
        path.chmod(0o555)
    yield
    for path, mode in zip(paths, modes, strict=True):
        path.chmod(mode)


def run_unprivileged(code: str, *arguments: object) -> str:
    """Run a program without privileges; return the last line of its output."""
    # Not by a function between fork and exec, which may hang or crash beside gRPC's threads.
    done = subprocess.run(
        [sys.executable, "-c", _DROP, sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=_ROOT,
    )
    return done.stdout.splitlines()[-1]


def copy_packages(folder: Path) -> None:
    """Copy the packages that a referee needs, for a user who cannot reach those of this Python."""
    for name in ("grpc", "google", "hpack", "typing_extensions"):
        spec = find_spec(name)
        assert spec
        if spec.submodule_search_locations:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(
                next(iter(spec.submodule_search_locations)), folder / name, ignore=ignored
            )
        else:
            assert spec.origin
            shutil.copy(spec.origin, folder)

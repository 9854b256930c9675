"""The shared libraries that programs of this machine need, as its dynamic loader finds them.

Nothing is run, but the loader reads the files: they must be of this machine, not of strangers.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from arena.errors import PlatformError

_LOADER = re.compile(r"/\S*/ld-[\w.-]+$", re.MULTILINE)
_FOUND = re.compile(r"^\t(?:(\S+) => )?(/.+) \(0x[0-9a-f]+\)$", re.MULTILINE)
_LIST_EACH = 'for each; do "$0" --list "$each"; done'


def libraries_of(files: Iterable[str]) -> set[str]:
    """Return the paths of all libraries that programs and libraries need, and of the loader."""
    return _listed(["sh", "-c", _LIST_EACH, _loader(), *files], {})


def libraries_named(names: Iterable[str]) -> set[str]:
    """Return the paths of the libraries with these names, as far as there are any."""
    return _listed([_loader(), "--list", "/bin/sh"], {"LD_PRELOAD": " ".join(names)})


@cache
def _loader() -> str:
    """Return the loader that this process was started by."""
    found = _LOADER.search(Path("/proc/self/maps").read_text(errors="surrogateescape"))
    if found is None:
        raise PlatformError("this Python is linked statically: bots need one with a loader")
    return found[0]


def _listed(command: list[str], variables: Mapping[str, str]) -> set[str]:
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        errors="surrogateescape",
        env={"LC_ALL": "C", **variables},
        check=False,
    )
    # Programs name the loader itself by a path, which may be a link.
    pairs = _FOUND.findall(done.stdout)
    return {path for pair in pairs for path in pair if path.startswith("/")}

"""Whether this machine lets us make control groups for bots.

They are made below the group that this process runs in, and nowhere else: as root, or where that
group was delegated to this user.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from arena.sandbox.control_group import ControlGroup, make_group
from arena.sandbox.places import fresh

_PATIENCE_S = 10.0


def group_for(place: Path) -> ControlGroup | None:
    """Make a group for a bot that lives in a folder, if one can be had."""
    return None if why_no_groups() else make_group(place, own_group())


def why_no_groups() -> str | None:
    """Say why bots get no groups here; None if they do."""
    return _why_not(os.getpid())


def own_group() -> Path:
    """Return the folder of the group that this process runs in."""
    names = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    own = next((name[3:] for name in names if name.startswith("0::")), None)
    if own is None:
        raise OSError("this kernel has no control groups of version 2")
    for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines():
        words, _, kind = line.partition(" - ")
        root, mount = map(_unescaped, words.split()[3:5])
        if kind.startswith("cgroup2 ") and Path(own).is_relative_to(root):
            return Path(mount, Path(own).relative_to(root))
    raise OSError("control groups of version 2 are not mounted")


@cache
def _why_not(_: int) -> str | None:
    """Start a program in a group; done once for each process, which may be in another group."""
    with fresh() as place:
        try:
            return _trial(make_group(place, own_group()))
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            return f"{where}{error.strerror or error}"


def _trial(group: ControlGroup) -> str | None:
    words = [*group.joining(), shutil.which("true") or "true"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_PATIENCE_S)
        group.freeze()
        group.thaw()
        is_counted = group.cpu_s() > 0
    finally:
        group.remove(_PATIENCE_S)
    if done.returncode == 0 and is_counted:
        return None
    return done.stderr.strip() or "no program can be started in one"


def _unescaped(text: str) -> str:
    """Return a path of mountinfo, where blanks are written as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)

"""Find out whether this machine allows control groups for bots.

They are created only below the group that this process runs in. This works for root, or where that
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
from arena.sandbox.tempdir import temp_dir

_TIMEOUT_S = 10.0


def make_group_if_possible(folder: Path) -> ControlGroup | None:
    """Create a group for the bot in a temporary folder; None if this machine does not allow it."""
    return None if control_group_problem() else make_group(folder, current_group())


def control_group_problem() -> str | None:
    """Return why bots cannot have control groups here; None if they can."""
    return _find_problem(os.getpid())


def current_group() -> Path:
    """Return the folder of the group that this process runs in."""
    names = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    group = next((name[3:] for name in names if name.startswith("0::")), None)
    if group is None:
        raise OSError("this kernel has no version 2 control groups")
    for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines():
        words, _, kind = line.partition(" - ")
        root, mount = map(_unescape, words.split()[3:5])
        if kind.startswith("cgroup2 ") and Path(group).is_relative_to(root):
            return Path(mount, Path(group).relative_to(root))
    raise OSError("version 2 control groups are not mounted")


@cache
def _find_problem(_: int) -> str | None:
    """Start a program in a group; cached per process, because a fork may be in another group."""
    with temp_dir() as folder:
        try:
            return _run_trial(make_group(folder, current_group()))
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            return f"{where}{error.strerror or error}"


def _run_trial(group: ControlGroup) -> str | None:
    words = [*group.join_command(), shutil.which("true") or "true"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_TIMEOUT_S)
        group.freeze()
        group.thaw()
        is_counted = group.cpu_s() > 0
    finally:
        group.remove(_TIMEOUT_S)
    if done.returncode == 0 and is_counted:
        return None
    return done.stderr.strip() or "cannot start a program in a control group"


def _unescape(text: str) -> str:
    """Return a path from mountinfo, where blanks are written as octal escapes."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)

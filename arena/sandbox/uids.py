"""User ids for bots that are started by root.

Each bot gets a uid that no other bot has, so that it shares neither files nor signals with them.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path

_FIRST = 1 << 30
_UIDS_PER_REFEREE = 1 << 12
"""The number of bots of one referee that can have different uids at the same time: more than it can
have descriptors for."""
_REFEREES = 1 << 19
"""Process ids are taken modulo this number, so that all uids fit into 32 bits."""
_counter = itertools.count()


def next_uid() -> int | None:
    """Return a uid that no other bot has; None if this process may not choose one."""
    if os.geteuid() != 0:
        return None
    return uid_for(os.getpid(), next(_counter))


def uid_for(pid: int, number: int) -> int:
    """Return the uid of a bot, given the process id of its referee and how many came before."""
    return _FIRST + pid % _REFEREES * _UIDS_PER_REFEREE + number % _UIDS_PER_REFEREE


def closed_folder(path: Path) -> Path | None:
    """Return the outermost folder on the way to a path that other users cannot enter, if any."""
    parents = reversed(path.parents)
    return next((each for each in parents if not each.stat().st_mode & 0o001), None)


def setpriv_command(uid: int) -> list[str]:
    """Return a command prefix that changes from root to a uid, without any capability."""
    return [
        *("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"),
        *("--inh-caps=-all", "--bounding-set=-all", "--"),
    ]

"""User ids for bots that are started by root.

Each bot gets a uid that no other bot has, so that it shares neither files nor signals with them.
"""

from __future__ import annotations

import itertools
import os

_FIRST = 1 << 30
_UIDS_PER_REFEREE = 256
"""The number of bots of one referee that can have different uids at the same time."""
_counter = itertools.count()


def next_uid() -> int | None:
    """Return a uid that no other bot has; None if this process may not choose one."""
    if os.geteuid() != 0:
        return None
    return _FIRST + os.getpid() * _UIDS_PER_REFEREE + next(_counter) % _UIDS_PER_REFEREE


def setpriv_command(uid: int) -> list[str]:
    """Return a command prefix that changes from root to a uid, without any capability."""
    return [
        *("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"),
        *("--inh-caps=-all", "--bounding-set=-all", "--"),
    ]

"""As which user does a bot run that root starts?

As one that nobody else is, so that neither files nor signals connect it with other bots.
"""

from __future__ import annotations

import itertools
import os

_FIRST = 1 << 30
_OF_ONE_REFEREE = 256
"""So many bots of one referee have uids of their own at the same time."""
_counted = itertools.count()


def next_uid() -> int | None:
    """Return a uid that no other bot has; None if this process may not choose one."""
    if os.geteuid() != 0:
        return None
    return _FIRST + os.getpid() * _OF_ONE_REFEREE + next(_counted) % _OF_ONE_REFEREE


def dropping_to(uid: int) -> list[str]:
    """Return the words that make root a uid of a bot's own, without any capability."""
    return [
        *("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"),
        *("--inh-caps=-all", "--bounding-set=-all", "--"),
    ]

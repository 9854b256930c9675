"""Which cage can this machine give its bots?

The best one that works is found by trying: a bot's own Python is started in each until one does.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from subprocess import Popen

from arena.errors import ArenaError, BadInput, did_you_mean
from arena.limits import Limits
from arena.sandbox import bubblewrap, landlock
from arena.sandbox.bubblewrap import Way
from arena.sandbox.cage import INSTALL, Cage, NoneCage, RealCage, variables_for
from arena.sandbox.control_group import ControlGroup
from arena.sandbox.inmate import Inmate
from arena.sandbox.watched import WatchedProcess

AUTO = "auto"


class NoCage(ArenaError):
    """This machine cannot hold bots that are not trusted."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        """Say of every cage that was tried what is missing."""
        self.reasons = reasons
        told = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
        super().__init__(
            f"this machine cannot hold bots that are not trusted ({told}). Install bubblewrap "
            f"({INSTALL}), or run bots of your own with --cage none"
        )

    def __reduce__(self) -> tuple[type[NoCage], tuple[dict[str, str]]]:
        """Let a worker raise it, too: an exception is made again from what made it."""
        return NoCage, (dict(self.reasons),)


class BubblewrapCage(RealCage):
    """Bubblewrap, started in one of its ways."""

    mark = "bubblewrap"
    seen_folder = bubblewrap.BOT
    seen_environment = bubblewrap.ENVIRONMENT

    def __init__(self, way: Way, python: Path | None = None) -> None:
        """Say how it is started."""
        super().__init__(python)
        self.name = way.value
        self._way = way

    def begin(
        self,
        inmate: Inmate,
        socket: Path | None,
        uid: int | None,
        group: ControlGroup | None = None,
    ) -> tuple[Popen[bytes], int]:
        """Start bubblewrap."""
        variables = variables_for(bubblewrap.SOCKET)
        return bubblewrap.begin(self._way, inmate, variables, socket, uid, group)

    def process(
        self,
        popen: Popen[bytes],
        news: int,
        on_exit: Callable[[], None],
        limits: Limits,
        group: ControlGroup | None = None,
    ) -> WatchedProcess:
        """Watch over it."""
        return bubblewrap.BubblewrappedProcess(popen, on_exit, limits, news, group)

    def why_not(self) -> str | None:
        """Try it, if this user may and it is there."""
        for program in ("bwrap", "prlimit", "setpriv"):
            if shutil.which(program) is None:
                return f"{program} is not installed"
        if (self._way is Way.USER) == (os.geteuid() == 0):
            return "it is for ordinary users" if self._way is Way.USER else "it is for root"
        return super().why_not()


class LandlockCage(RealCage):
    """The fallback without namespaces."""

    name = mark = "landlock"
    allows_processes = False
    warning = (
        "a lesser cage (Landlock): bots can see which files there are and knock at unix sockets; "
        f"for the full one: {INSTALL}"
    )

    def begin(
        self,
        inmate: Inmate,
        socket: Path | None,
        uid: int | None,
        group: ControlGroup | None = None,
    ) -> tuple[Popen[bytes], int]:
        """Start it."""
        if socket and uid is not None:
            # No namespace hides one bot's socket from the others. The folder stays ours to sweep.
            os.chown(socket.parent, -1, uid)
            socket.parent.chmod(0o710)
        return landlock.begin(inmate, {**variables_for(str(socket)), "HOME": "/"}, uid), -1

    def process(
        self,
        popen: Popen[bytes],
        news: int,
        on_exit: Callable[[], None],
        limits: Limits,
        group: ControlGroup | None = None,
    ) -> WatchedProcess:
        """Watch over it."""
        return WatchedProcess(popen, on_exit, limits)

    def why_not(self) -> str | None:
        """Try it, if the kernel has Landlock."""
        return super().why_not() if landlock.is_there() else "this kernel has no Landlock"


NAMES = (AUTO, *(way.value for way in Way), LandlockCage.name, NoneCage.name)
"""What can be asked for."""
_SYSTEMS_PYTHON = Path("/usr/bin/python3")


def _real_cages(python: Path | None = None) -> list[RealCage]:
    """List the cages, the best first."""
    return [*(BubblewrapCage(way, python) for way in Way), LandlockCage(python)]


@cache
def cage_named(name: str) -> Cage:
    """Return the cage that is asked for, or the best one, if it works here."""
    if name == NoneCage.name:
        return NoneCage()
    if name not in NAMES:
        raise BadInput(f"there is no cage {name!r}: {did_you_mean(name, NAMES)}")
    # A bot's uid may not be able to reach our own Python; everybody can reach the system's.
    cages = [*_real_cages(), *_real_cages(_SYSTEMS_PYTHON)]
    reasons: dict[str, str] = {}
    for cage in cages:
        if name in (AUTO, cage.name):
            reason = cage.why_not()
            if reason is None:
                return cage
            reasons.setdefault(cage.name, reason)
    raise NoCage(reasons)


def best_cage() -> Cage:
    """Find the best cage that works here, by trying."""
    return cage_named(AUTO)

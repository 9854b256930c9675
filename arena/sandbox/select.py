"""Select a cage that works on this machine.

Each cage is tested by starting a bot's Python in it; the best one that works is used.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from arena.errors import ArenaError, BadInput, did_you_mean
from arena.sandbox.cage import INSTALL, Cage, IsolatingCage, Uncaged
from arena.sandbox.cages.bubblewrap import BubblewrapCage, StartMode
from arena.sandbox.cages.landlock import LandlockCage

AUTO = "auto"


class NoCage(ArenaError):
    """No cage for untrusted bots works on this machine."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        """Take the problem of each cage that was tested."""
        self.reasons = reasons
        details = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
        remedy = (
            f"Install bubblewrap ({INSTALL})"
            if shutil.which("bwrap") is None
            else "`arena doctor` says what is missing"
        )
        super().__init__(
            f"no cage for untrusted bots works on this machine ({details}). {remedy}, or run your "
            "own bots with --cage none"
        )

    def __reduce__(self) -> tuple[type[NoCage], tuple[dict[str, str]]]:
        """Support pickling, so that a worker process can raise it."""
        return NoCage, (dict(self.reasons),)


CAGE_NAMES = (AUTO, *(mode.value for mode in StartMode), LandlockCage.name, Uncaged.name)
"""The names that can be given on the command line."""
_SYSTEM_PYTHON = Path("/usr/bin/python3")


def _isolating_cages(python: Path | None = None) -> list[IsolatingCage]:
    """List the cages that isolate bots, best first."""
    return [*(BubblewrapCage(mode, python) for mode in StartMode), LandlockCage(python)]


def choose_cage(name: str, on_warning: Callable[[str], object]) -> Cage:
    """Return a cage like `select_cage`; call `on_warning` if its protection is incomplete."""
    cage = select_cage(name)
    if cage.warning:
        on_warning(cage.warning)
    return cage


@cache
def select_cage(name: str) -> Cage:
    """Return a cage by its name, or the best one; raise `NoCage` if it does not work here."""
    if name == Uncaged.name:
        return Uncaged()
    if name not in CAGE_NAMES:
        raise BadInput(f"unknown cage {name!r}: {did_you_mean(name, CAGE_NAMES)}")
    # A bot's uid may not be able to reach our own Python, but every user can reach the system's.
    cages = [*_isolating_cages(), *_isolating_cages(_SYSTEM_PYTHON)]
    reasons: dict[str, str] = {}
    for cage in cages:
        if name in (AUTO, cage.name):
            reason = cage.problem()
            if reason is None:
                return cage
            reasons.setdefault(cage.name, reason)
    raise NoCage(reasons)

"""Attacks and their verdicts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

BUBBLEWRAP, LANDLOCK = "bubblewrap", "landlock"
EVERYWHERE = (BUBBLEWRAP, LANDLOCK)


@dataclass(frozen=True, slots=True)
class Attack:
    """One thing that a hostile bot may try."""

    probe: str
    """`GROUP.NAME`: a function in probes/GROUP.py."""
    title: str
    limits: Mapping[str, int] = field(default_factory=dict)
    over: str = ""
    """A pattern for the limit that must stop it, if a limit does."""
    over_in: tuple[str, ...] = EVERYWHERE
    ends: str = ""
    """A pattern for how it ends, if it cannot report its own result."""
    seen: str = ""
    """What the host must observe if it succeeds, where the attacker cannot know."""
    variant: str = ""
    """How the bot differs from the default: see bots.py."""
    scenario: str = ""
    """How the host runs it: see scenarios.py."""
    machine: str = ""
    """The only architecture that it supports; empty for all."""
    needs_root: bool = False
    """Whether outside the cage only root can do it."""
    reason: str = ""
    """Why it cannot be shown to succeed outside."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Files with kernel settings, and the values that let it succeed outside."""
    open_in: Mapping[str, str] = field(default_factory=dict)
    """The setups that do not stop it, each with the reason."""

    def untried_outside(self, *, is_root: bool) -> str:
        """Return why it cannot be shown to succeed outside here; empty if it can."""
        if self.reason:
            return self.reason
        if self.needs_root and not is_root:
            return "only root could do it"
        for path, value in self.settings.items():
            if Path(path).exists() and Path(path).read_text().strip() != value:
                return f"here {path} is not {value}"
        return ""


class Verdict(Enum):
    """The result of an attack."""

    OPEN = "OPEN"
    HELD = "ok"
    UNCLEAR = "unclear"
    """It failed, but not for the expected reason."""


def verdict(attack: Attack, result: Mapping[str, Any], *, kind: str) -> Verdict:
    """Judge the result of an attack in one kind of cage."""
    if result["seen"][attack.seen] if attack.seen else result["escaped"]:
        return Verdict.OPEN
    if attack.over and kind in attack.over_in:
        held = re.fullmatch(attack.over, result["over"] or "") is not None
    elif attack.ends and result["escaped"] is None:
        held = re.search(attack.ends, result["ended"]) is not None
    else:
        held = result["escaped"] is not None and result["over"] is None
    return Verdict.HELD if held else Verdict.UNCLEAR

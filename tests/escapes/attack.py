"""What is an attack, and what came of it?"""

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
    """What its watcher must say of it, as a pattern, where it is a limit that stops it."""
    over_in: tuple[str, ...] = EVERYWHERE
    ends: str = ""
    """How it ends, as a pattern, where it is not left to tell itself what came of it."""
    seen: str = ""
    """What the host must see for it to have succeeded, where the attacker cannot know."""
    dress: str = ""
    """How the bot differs from a usual one: see bots.py."""
    conduct: str = ""
    """How the host goes about it: see conducts.py."""
    machine: str = ""
    """The only kind of machine that it is written for, if it is."""
    needs_root: bool = False
    """Whether outside the cage only root can do it."""
    reason: str = ""
    """Why it cannot be shown to succeed outside."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Files of the kernel's settings, with what they must say for it to succeed outside."""
    open_in: Mapping[str, str] = field(default_factory=dict)
    """The ways that do not stop it, each with the reason."""

    def untried_outside(self, *, is_root: bool) -> str:
        """Say why it cannot be shown to succeed outside here; empty if it can."""
        if self.reason:
            return self.reason
        if self.needs_root and not is_root:
            return "only root could do it"
        for path, value in self.settings.items():
            if Path(path).exists() and Path(path).read_text().strip() != value:
                return f"here {path} is not {value}"
        return ""


class Verdict(Enum):
    """What came of an attack."""

    OPEN = "OPEN"
    HELD = "ok"
    UNCLEAR = "unclear"
    """It did not succeed, but not for the reason that it should."""


def verdict(attack: Attack, result: Mapping[str, Any], *, kind: str) -> Verdict:
    """Judge what is known of an attack, made in one kind of cage."""
    if result["seen"][attack.seen] if attack.seen else result["escaped"]:
        return Verdict.OPEN
    if attack.over and kind in attack.over_in:
        held = re.fullmatch(attack.over, result["over"] or "") is not None
    elif attack.ends and result["escaped"] is None:
        held = re.search(attack.ends, result["ended"]) is not None
    else:
        held = result["escaped"] is not None and result["over"] is None
    return Verdict.HELD if held else Verdict.UNCLEAR

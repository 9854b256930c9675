"""Durations as an organiser writes them: 45s, 90m, 2h, 1h30m."""

from __future__ import annotations

import re

from arena.errors import BadInput

_DURATION = re.compile(r"(?:(\d{1,5})h)?(?:(\d{1,5})m)?(?:(\d{1,5})s)?")


def read_duration(text: str) -> int:
    """Return the seconds that a duration stands for."""
    found = _DURATION.fullmatch(text)
    hours, minutes, seconds = map(int, found.groups("0")) if found else (0, 0, 0)
    total = 3600 * hours + 60 * minutes + seconds
    if not total:
        raise BadInput(f"{text!r} is not a duration, such as 45s, 90m, 2h or 1h30m")
    return total

"""Find the cause of a crash in what the bot printed: its last line, without a trace of calls."""

from __future__ import annotations

import re

from arena.text import plain

_LIMIT = 120
"""Characters of a cause that are shown."""
_EXPLAINED = re.compile(r"ended with exit code [1-9]|was ended by SIGABRT")
"""Exits before which programs say why; before other signals, the last line is about something
else."""
_GO_TRACE = re.compile(r"^goroutine \d+ \[.*", re.MULTILINE | re.DOTALL)
"""What Go prints after `panic: index out of range`."""
_TRACE_LINE = re.compile(r"\s+at |Node\.js v|note: |\W*$")
"""Lines that JavaScript and Rust print after an error, and lines without a word."""


def crash_sentence(how: str, when: str, printed: bytes) -> str:
    """Say how a bot ended, after the cause if its output shows one.

    `how` is the description of its exit. The text of a cause comes from the bot.
    """
    exit_text = f"it {how} {when}"
    cause = cause_in(printed) if _EXPLAINED.match(how) else ""
    return f"{cause} ({exit_text})" if cause else exit_text


def cause_in(printed: bytes) -> str:
    """Return the last line with a message, such as `ValueError: no idea`; empty if there is none.

    Other languages than Python print the message before the trace.
    """
    text = _GO_TRACE.sub("", printed.decode(errors="replace"))
    for line in reversed(text.splitlines()):
        if not _TRACE_LINE.match(line):
            return _shorten(plain(line.strip()))
    return ""


def _shorten(line: str) -> str:
    return line if len(line) <= _LIMIT else f"{line[: _LIMIT - 1]}…"

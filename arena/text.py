"""Short pieces of text: names that can be shown, widths, counts, durations and colours."""

from __future__ import annotations

import re
import unicodedata

_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
"""Letters and marks that show nothing; Python counts them as printable."""
_MARKS = ("Mn", "Me")
"""The categories of marks that are drawn above, below or around a letter."""
_KOREAN_PARTS = re.compile("[\u1160-\u11ff\ud7b0-\ud7ff]")
_MOST_MARKS = 2
"""Marks above and below one letter: more of them cover other lines."""


def plain(text: str) -> str:
    """Replace characters that could control a terminal: names and replays are untrusted."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def is_visible(text: str) -> bool:
    """Return whether a text can stand beside others: every character shows, and stays in its line.

    There are no controls, no marks of direction or of no width, and no marks without a letter.
    """
    if not text.isprintable() or _BLANK.search(text):
        return False
    marks = _MOST_MARKS
    for letter in text:
        is_mark = unicodedata.category(letter) in _MARKS
        marks = marks + 1 if is_mark else 0 if letter != " " else _MOST_MARKS
        if is_mark and marks > _MOST_MARKS:
            return False
    return True


def display_width(text: str) -> int:
    """Return the number of columns that a text takes on a terminal."""
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(letter: str) -> int:
    # Vowels and endings of Korean syllables are drawn into the syllable.
    if unicodedata.category(letter) in _MARKS or _KOREAN_PARTS.match(letter):
        return 0
    return 1 + (unicodedata.east_asian_width(letter) in "WF")


def quantity(number: int, noun: str, plural: str = "") -> str:
    """Write a number with its noun: 0 faults, 1 fault, 2,000 faults.

    Pass the plural where it is not the noun with an "s".
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def percent(share: float) -> str:
    """Write a share as a percentage with three significant digits: 0.95 is 95 %."""
    return f"{100 * share:.3g} %"


def short_duration(time_us: int) -> str:
    """Write microseconds in the unit that suits them: 12 µs, 3.4 ms, 5.6 s."""
    if time_us < 1_000:
        return f"{time_us} µs"
    if time_us < 1_000_000:
        return f"{time_us / 1_000:.1f} ms"
    return f"{time_us / 1_000_000:.1f} s"


def clock_time(seconds: float) -> str:
    """Write seconds as a clock shows them: 2:05, or 1:02:05 with hours."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


_RESET = "\x1b[0m"
_BOLD = "\x1b[1m"
_COLOURS = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36}


def styled(text: str, *, fg: str | None = None, bold: bool = False) -> str:
    """Colour a text, or set it in bold, for a terminal: as `click.style`, which no bot has."""
    codes = (f"\x1b[{_COLOURS[fg]}m" if fg else "") + (_BOLD if bold else "")
    return f"{codes}{text}{_RESET}" if codes else text


def unstyled(text: str) -> str:
    """Return a text without what `styled` has added."""
    if "\x1b" not in text:
        return text
    for code in (_RESET, _BOLD, *(f"\x1b[{number}m" for number in _COLOURS.values())):
        text = text.replace(code, "")
    return text

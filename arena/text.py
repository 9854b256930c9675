"""Short pieces of text: printable names, counts, percentages, durations and colours."""

from __future__ import annotations


def plain(text: str) -> str:
    """Replace characters that could control a terminal: names and replays are untrusted."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


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

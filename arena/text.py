"""Short pieces of text: printable names, counts, percentages and durations."""

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

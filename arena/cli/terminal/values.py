"""Types of option values: numbers within limits, and lists of names."""

from __future__ import annotations

from math import inf, isnan
from typing import Any

import click

# click passes text or a default of any type, hence Any.


class Number(click.ParamType[float]):
    """A number within limits, whole or not."""

    name = "number"

    def __init__(
        self, least: float, most: float, *, whole: bool = True, above: bool = False
    ) -> None:
        """Set the limits, which are allowed; with `above`, the lower one is not."""
        self._least, self._most = least, most
        self._is_whole = whole
        self._is_above = above

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Parse the value."""
        try:
            number = int(value) if self._is_whole else float(value)
        except ValueError:
            number = float("nan")
        if isnan(number):
            self.fail(f"{value!r} is not a {'whole ' * self._is_whole}number.", param, ctx)
        fits = self._least <= number <= self._most
        if not fits or (self._is_above and number == self._least):
            self.fail(f"{value} must be {self._limits()}.", param, ctx)
        return number

    def _limits(self) -> str:
        least = f"{'above' if self._is_above else 'at least'} {self._least:,}"
        return least if self._most == inf else f"{least} and at most {self._most:,}"


class NameList(click.ParamType[tuple[str, ...]]):
    """One or more names, separated by commas."""

    name = "names"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Parse the value."""
        if isinstance(value, tuple):
            return value
        names = tuple(filter(None, map(str.strip, value.split(","))))
        if not names:
            self.fail(f"{value!r} contains no name", param, ctx)
        return names

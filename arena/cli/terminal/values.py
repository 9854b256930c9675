"""Types of option values that click lacks."""

from __future__ import annotations

from math import isnan
from typing import Any

import click

# click passes text or a default of any type, hence Any.


class BoundedFloat(click.FloatRange):
    """A number within bounds; NaN is rejected."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Parse the value."""
        number = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


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

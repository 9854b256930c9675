"""Which values can options take, beyond those that click knows?"""

from __future__ import annotations

from math import isnan
from typing import Any

import click

# What click hands over may be a text or a default of any type, hence Any.


class Real(click.FloatRange):
    """A number within bounds; "nan" is within none."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read it."""
        number = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


class Count(click.ParamType[int | None]):
    """A whole number from 0 on, or `all`, which is None."""

    name = "count"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | None:
        """Read it."""
        if value == "all":
            return None
        try:
            count = int(value)
        except ValueError:
            count = -1
        if count < 0:
            self.fail(f"{value!r} is neither a number nor the word all", param, ctx)
        return count


class Names(click.ParamType[tuple[str, ...]]):
    """Names between commas, at least one."""

    name = "names"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Read them."""
        if isinstance(value, tuple):
            return value
        names = tuple(filter(None, map(str.strip, value.split(","))))
        if not names:
            self.fail(f"{value!r} names nobody", param, ctx)
        return names

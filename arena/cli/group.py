"""How do commands fail? With one sentence and the right exit code: 1 for no, 2 for asked wrong."""

from __future__ import annotations

from typing import Any

import click

from arena.errors import ArenaError


class _No(click.ClickException):
    exit_code = 1


class _AskedWrong(click.ClickException):
    exit_code = 2


class ArenaGroup(click.Group):
    """A group of commands that turns our errors into sentences."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, with our errors as click's."""
        try:
            return super().invoke(ctx)
        except ArenaError as error:
            failure = _AskedWrong if error.exit_code == 2 else _No
            raise failure(str(error)) from error

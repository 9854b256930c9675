"""The command `arena event`."""

from __future__ import annotations

import click

from arena.cli.event.delete import delete
from arena.cli.event.run import extend, resume, run
from arena.cli.event.show import list_events, show_event
from arena.cli.event.watch import watch_event
from arena.cli.group import Subgroup


@click.group(cls=Subgroup)
def event() -> None:
    """Run events, from round-robins to gauntlets, and show results.

    Example: arena event run swiss --game meow --bots kitten,greedy-meow,random
    """


for command in (run, resume, list_events, show_event, watch_event, extend, delete):
    event.add_command(command)

"""What can be typed after `arena`?"""

from __future__ import annotations

import os
import sys

import click

from arena import __version__
from arena.cli.check import check
from arena.cli.doctor import doctor
from arena.cli.games import games, rules
from arena.cli.group import ArenaGroup
from arena.cli.play import play
from arena.cli.replay import replay


@click.group(cls=ArenaGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="arena", message="%(prog)s %(version)s")
def main() -> None:
    """Tournaments between bots at four hidden-information tabletop games.

    Example: arena play meow human random random
    """
    # gRPC tells the terminal when a bot hangs up; the referee tells it better.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # A name or a card may hold any character; a terminal that lacks it shows a substitute.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


main.add_command(games)
main.add_command(rules)
main.add_command(play)
main.add_command(replay)
main.add_command(check)
main.add_command(doctor)

"""What can be typed after `arena`?"""

from __future__ import annotations

import os
import sys

import click

from arena import __version__
from arena.cli.group import ArenaGroup

COMMANDS = {
    "demo": ("arena.cli.demo", "Let the house bots play a short event in each game."),
    "games": ("arena.cli.games", "List the games, their player counts, variants and parameters."),
    "rules": ("arena.cli.games", "Show the rules of a game as the engine plays them."),
    "play": ("arena.cli.play", "Play a match, or several."),
    "new": ("arena.cli.new", "Make a folder with a bot that already plays, to be changed."),
    "check": ("arena.cli.check", "Try a bot in every way that a league will, step by step."),
    "compare": ("arena.cli.compare", "Find out whether a change has made a bot better."),
    "submit": ("arena.cli.submit", "Check a bot's folder and add it to the league."),
    "bots": ("arena.cli.bots", "List the bots of the league, and the house bots."),
    "event": ("arena.cli.event", "Hold round-robin and Swiss events, and look at them."),
    "leaderboard": ("arena.cli.leaderboard", "Show the ratings of a game, or of all."),
    "verify": ("arena.cli.verify", "Play the league's matches again, and check all that follows."),
    "replay": ("arena.cli.replay", "Read, check and export the replays of finished matches."),
    "reproduce": ("arena.cli.reproduce", "Play a stored match again for one of its bots."),
    "report": ("arena.cli.report", "Write the league as pages for the browser."),
    "doctor": ("arena.cli.doctor", "Say which cage this machine can have for bots."),
}
_EPILOG = """\b
Exit codes: 0 done, 1 no, 2 you asked wrong.
The shell completes commands and options after
  eval "$(_ARENA_COMPLETE=bash_source arena)"
with zsh_source in zsh; in fish, _ARENA_COMPLETE=fish_source arena | source
"""


@click.group(
    cls=ArenaGroup, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="arena", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Tournaments between bots at four hidden-information tabletop games.

    Example: arena play meow greedy-meow random random
    """
    # gRPC tells the terminal when a bot hangs up; the referee tells it better.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    _open_streams()
    # A name, a card or what somebody types may hold any character; a substitute stands for one
    # that the terminal lacks, or that is none.
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _open_streams() -> None:
    """Put the null device where the caller has closed a stream, before a file of ours is there."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r", closefd=False))


assert isinstance(main, ArenaGroup)
main.commands_there = COMMANDS

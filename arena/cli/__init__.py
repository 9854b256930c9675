"""The `arena` command line.

Each command is a module or a folder, imported when it is used; `group` loads it and turns its
errors into messages. `options/` has the options that several commands share, and `terminal/` the
toolkit (tables, screens, progress, keys). Each game draws itself: `drawing` finds its module.
README.md describes the JSON output.
"""

from __future__ import annotations

import os
import sys

import click

from arena import __version__
from arena.cli.group import ArenaGroup

COMMANDS = {
    "demo": ("demo", "Play a short event in each game between the house bots."),
    "games": ("games", "List the games, their player counts, variants and parameters."),
    "rules": ("games", "Show the rules of a game as the engine plays them."),
    "docs": ("docs", "List the pages of documentation, or show one of them."),
    "play": ("play.command", "Play one or more matches."),
    "new": ("new", "Create a folder with a working bot to start from."),
    "check": ("check", "Check step by step whether a bot is ready for a league."),
    "compare": ("compare", "Find out whether a change made a bot better."),
    "improve": ("improve", "Let programs improve bots between the rounds of a contest."),
    "submit": ("check", "Check a bot's folder and add it to the league."),
    "bots": ("bots", "List the bots of the league and the house bots."),
    "event": ("event.command", "Run events, from round-robins to gauntlets, and show results."),
    "leaderboard": ("leaderboard.command", "Show the ratings for one game or for all games."),
    "collusion": ("collusion", "Find pairs of bots whose results together no rating explains."),
    "verify": ("verify", "Replay all matches; check all results, ratings and bots."),
    "rerate": ("verify", "Recompute all ratings with today's tie rates."),
    "replay": ("replay.command", "Show, verify and export replays of finished matches."),
    "reproduce": ("reproduce", "Rerun a stored match for one of its bots."),
    "report": ("report", "Write the league as HTML pages."),
    "serve": ("serve", "Serve a league that others submit to, and play it."),
    "author": ("serve", "List the people who may submit to a league, and add some."),
    "season": ("serve", "List the seasons of a league, or close one."),
    "backup": ("serve", "Copy the league to a file, even while it is served."),
    "login": ("check", "Remember your token for the league at an address."),
    "worker": ("cluster", "Play matches of events that run on another machine."),
    "scheduler": ("cluster", "Run the scheduler that connects workers and events."),
    "certificates": ("cluster", "Make the certificates of a cluster."),
    "mcp": ("mcp", "Let programs with a language model play and write bots."),
    "doctor": ("doctor", "Show which cages this machine supports for bots."),
}
SECTIONS = {
    "First steps": ("demo", "games", "rules", "docs", "doctor"),
    "Your bot": ("new", "check", "play", "reproduce", "compare", "improve", "mcp"),
    "The league": ("submit", "bots", "event", "leaderboard", "report"),
    "A closer look": ("replay", "collusion", "verify", "rerate"),
    "For others": ("serve", "author", "season", "backup", "login"),
    "Many machines": ("worker", "scheduler", "certificates"),
}
"""How `arena --help` lists the commands."""
_EPILOG = """Exit codes: 0 success, 1 failure, 2 usage error.

\b
Shell completion:
  bash  eval "$(_ARENA_COMPLETE=bash_source arena)"
  zsh   eval "$(_ARENA_COMPLETE=zsh_source arena)"
  fish  _ARENA_COMPLETE=fish_source arena | source
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
    # gRPC logs to stderr when a bot disconnects; the referee reports it better.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    _open_streams()
    # Names, cards and typed text may hold any character: replace what the encoding lacks.
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _open_streams() -> None:
    """Open the null device for closed standard streams, before a file takes their numbers."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r", closefd=False))


assert isinstance(main, ArenaGroup)
main.lazy_commands = COMMANDS
main.sections = SECTIONS

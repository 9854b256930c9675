"""The command `arena docs`: the pages that belong to the installed version.

`arena/docs` has a link to each page of the project; in a wheel they are files.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

import arena
from arena.cli.terminal.output import columns_of, say, wrapped
from arena.errors import ArenaError, BadInput, did_you_mean

FOLDER = Path(arena.__file__).parent / "docs"
PAGES = {
    "readme": "Install, play, run events: where to begin.",
    "bots": "Write a bot, debug it, make it stronger.",
    "sdk": "The Python SDK: every method and field, with examples.",
    "protocol": "Write a bot in another language.",
    "learn": "Train a bot: PettingZoo, Gymnasium, numpy.",
    "training": "From random weights to the leaderboard: a bot that learns.",
    "replays": "Read or check a replay yourself.",
    "scheduling": "How tables and rounds are balanced.",
    "league": "Query the league's file.",
    "security": "Who is trusted with what.",
    "cage": "What a bot may use, and what is blocked.",
    "workers": "Play events on many machines.",
    "json": "Use the commands from a program.",
    "games": "Use the game engines in Python.",
    "adding": "Add a game, in your own package or to the project.",
    "python": "Use all of it from Python and in notebooks.",
    "changes": "What is new in each version.",
}
"""The pages with a sentence each: for players, for organisers, and for developers of games."""


class _NoViewer(ArenaError):
    """This machine has no program that opens a page."""


@click.command()
@click.argument("page", required=False)
@click.option("--open", "to_open", is_flag=True, help="Open it in your editor or viewer instead.")
def docs(page: str | None, to_open: bool) -> None:
    """List the pages of documentation, or show one of them.

    They belong to the installed version. `arena rules` shows the rules of a game.

    Example: arena docs sdk
    """
    if page is None:
        if to_open:
            raise BadInput(f"which page? Choose from {', '.join(PAGES)}")
        width = max(map(len, PAGES))
        say("\n".join(f"{name:<{width}}  {what}" for name, what in PAGES.items()))
        return
    if page not in PAGES:
        raise BadInput(f"no such page: {page!r}; {did_you_mean(page, PAGES)}")
    # Links are resolved, so that an editor shows where the page belongs.
    path = (FOLDER / f"{page}.md").resolve()
    if not to_open:
        click.echo_via_pager(wrapped(path.read_text(encoding="utf-8"), columns_of(sys.stdout)))
    elif click.launch(str(path)):
        raise _NoViewer(f"no program here opens pages; this one is {path}")

"""The command `arena improve`: programs edit bots between the rounds of a contest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import arena
from arena.api.improvement import Author, Improvement, RoundRow
from arena.api.rows import Rows
from arena.cli.options import number_option
from arena.cli.options.cage import cage_option, warn
from arena.cli.options.league import db_option
from arena.cli.terminal.columns import sparkline
from arena.cli.terminal.output import print_json, say
from arena.cli.terminal.tables import show_rows
from arena.cli.terminal.values import NameList
from arena.errors import BadInput
from arena.sandbox.select import choose_cage
from leaderboard.strength.words import strength_text


def _authors(
    ctx: click.Context, option: click.Parameter, words: tuple[str, ...]
) -> tuple[Author, ...]:
    authors = []
    for word in words:
        folder, separator, command = word.partition("=")
        if not separator or not command.strip():
            raise BadInput(f"--with {word!r} must be FOLDER=COMMAND, such as kitten='./edit.sh'")
        authors.append(Author(Path(folder), command))
    return tuple(authors)


@click.command()
@click.argument("name", metavar="NAME")
@click.option("--game", required=True, metavar="GAME", help="The game to play.")
@click.option(
    "--with",
    "authors",
    multiple=True,
    required=True,
    callback=_authors,
    metavar="FOLDER=COMMAND",
    help="The folder of a bot, and the command that edits it, for the shell. Repeatable.",
)
@click.option(
    "--bots",
    "opponents",
    type=NameList(),
    default=(),
    metavar="BOT,...",
    help="Other bots that play along.",
)
@number_option(
    "--rounds", most=1000, default=5, help="Number of rounds, with those already played."
)
@number_option("--deals", most=100_000, default=10, help="Deals for each pairing.")
@number_option("--seats", least=2, help="Players at a table; default 4, or what is nearest.")
@number_option(
    "--minutes",
    least=0.01,
    most=1440,
    whole=False,
    default=30,
    help="How long a command may take in one round.",
)
@cage_option
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print the rounds as JSON.")
def improve(minutes: float, cage: str, db: Path, as_json: bool, **options: Any) -> None:
    """Let programs improve bots between the rounds of a contest.

    Programs are coding agents, or any others. In each round, every command runs in the folder of
    its bot. The folder in ARENA_FEEDBACK has the standings of the round before, the faults of the
    bot and its worst matches as it saw them.
    Then the bot is checked, submitted if it has changed, and plays a round-robin called NAME-1,
    NAME-2 and so on. A bot that fails the check plays on with its last version, and its command
    reads why in the next round. The same command continues an interrupted contest.

    The commands run with your rights and without a cage: name only programs that you trust.

    Example: arena improve duel --game meow --with kitten='./agent.sh' --bots greedy-meow,random
    """
    choose_cage(cage, warn)
    # The other options have the names of the contest's fields.
    rows = Improvement(
        **options,
        league=arena.open_league(db),
        time_s=60 * minutes,
        cage=cage,
        say=lambda sentence: say(sentence, err=True),
    ).play()
    if as_json:
        print_json([row._asdict() for row in rows])
    else:
        _print_rounds(rows)


def _print_rounds(rows: Rows[RoundRow]) -> None:
    """Print the rounds as a table, and the strengths of each bot over the rounds as a curve."""
    shown = [
        {
            "round": row.round,
            "bot": f"{row.bot}@{row.version}",
            "new": "new" if row.changed else "",
            "rank": row.rank,
            "points": row.points,
            "strength": strength_text(row.strength, row.strength_low, row.strength_high),
            "faults": row.faults,
            "problem": row.problem.partition("\n")[0][:60],
        }
        for row in rows
    ]
    headings = {key: key for key in shown[0]}
    show_rows(shown, headings, optional=["problem"])
    for bot in dict.fromkeys(row.bot for row in rows):
        own = [row.strength for row in rows if row.bot == bot and row.strength is not None]
        if own:
            say(f"{bot}: {sparkline(own)}  {own[0]:.1f} → {own[-1]:.1f}")

"""How does an author find out whether a bot is fit to play?"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from arena.cli.caging import Caging, caging_options, clock_option, working_cage
from arena.cli.dealing import deal_options, repeating
from arena.house import bot_meant, house_bots
from arena.referee.checking.check import check as check_bot
from arena.referee.checking.steps import Book, Step, Verdict, passed
from arena.referee.clock import EVENT_CLOCK, Clock
from arena.secret import Secret, chosen_secret

_COLOURS = {
    Verdict.OK: "green",
    Verdict.WARNING: "yellow",
    Verdict.FAILED: "red",
    Verdict.LEFT_OUT: "bright_black",
}


@click.command()
@click.argument("word", metavar="BOT")
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    help="Try this game only; may be given again. All that the bot plays by default.",
)
@clock_option(str(EVENT_CLOCK))
@deal_options
@caging_options
@click.option("--json", "as_json", is_flag=True, help="Print the steps as one JSON document.")
@click.pass_context
def check(
    ctx: click.Context,
    word: str,
    games: tuple[str, ...],
    clock: Clock,
    seed: int | None,
    secret: str | None,
    cage_name: str,
    limits: dict[str, int],
    as_json: bool,
) -> None:
    """Try a bot in every way that a league will, step by step.

    BOT is its folder, its .py file, its command line in quotes, or a house bot. The exit code is 1
    if a step fails. It plays by the clock of an event, and cannot tell that it is being checked.

    Example: arena check kitten
    """
    place = _place(word)
    caging = Caging(working_cage(cage_name), limits)
    deals = chosen_secret(seed=seed, secret=secret)
    if as_json:
        steps = check_bot(place, deals.key, launcher=caging.launcher, games=games, clock=clock)
        document = {
            "bot": word,
            **repeating(deals),
            "passed": passed(steps),
            "steps": [_described(s) for s in steps],
        }
        click.echo(json.dumps(document, indent=2))
    else:
        steps = checked_aloud(word, place, caging, deals, games=games, clock=clock)
    ctx.exit(0 if passed(steps) else 1)


def checked_aloud(
    word: str,
    place: str,
    caging: Caging,
    deals: Secret,
    *,
    games: Sequence[str] = (),
    clock: Clock = EVENT_CLOCK,
) -> list[Step]:
    """Check the bot in a place, and tell of every step; `word` is what the user calls it."""
    book = Book(_begin, _end)
    steps = check_bot(
        place, deals.key, launcher=caging.launcher, games=games, clock=clock, book=book
    )
    counts = Counter(step.verdict for step in steps)
    told = [f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict]]
    click.echo(f"{word}: {', '.join(told)}; {deals}")
    return steps


def _place(word: str) -> str:
    """Return where the bot is that is meant, which may be a house bot; refuse one that is not."""
    if os.path.isdir(word):
        return word
    bot_meant(word)
    return str(house_bots().get(word, word))


def _begin(number: int, title: str) -> None:
    click.echo(f"{number:>2}  {title}: ", nl=False)


def _end(step: Step) -> None:
    verdict = click.style(step.verdict.value, fg=_COLOURS[step.verdict], bold=True)
    click.echo(f"{verdict}, {step.sentence}" if step.sentence else verdict)
    if step.printed:
        click.echo("    The last that it printed:")
        for line in step.printed:
            click.echo(f"      {line}".rstrip())


def _described(step: Step) -> dict[str, Any]:
    return {
        "number": step.number,
        "title": step.title,
        "verdict": step.verdict.value,
        "sentence": step.sentence,
        "printed": step.printed,
        "figures": step.figures,
    }

"""How are replays read, checked and handed on from the terminal?"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from arena.cli.db import db_option
from arena.cli.drawing import drawing_of
from arena.cli.matches import check_seat, file_record, stored_match, true_record
from arena.cli.stepping import step_through
from arena.cli.tables import counted
from arena.errors import BadInput, BadReplay
from arena.games.registry import game_named
from arena.pages.replay_page import replay_page
from arena.replays.export import document
from arena.replays.story import plain, story, story_of_seat
from arena.replays.verify import verify as complaints_about
from arena.wire.messages import commitment as commitment_to

_file = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def replay() -> None:
    """Read, check and export the replays of finished matches.

    Example: arena replay show final.replay
    """


@replay.command()
@click.argument("word", metavar="MATCH")
@click.option("--seat", type=click.IntRange(min=0), help="Tell only what this seat could know.")
@click.option("--plain", "as_text", is_flag=True, help="Print the whole match.")
@click.option("--step", is_flag=True, help="Print it, and wait for Enter between decisions.")
@click.option("--all", "hidden", is_flag=True, help="Tell the hidden cards and secret choices too.")
@db_option
def show(word: str, seat: int | None, as_text: bool, step: bool, hidden: bool, db: Path) -> None:
    """Tell a match: what happened, with thinking times, and who won.

    On a terminal it is stepped through with the arrow keys, with all eyes or one seat's; elsewhere
    it is printed. MATCH is a replay file, or EVENT/NUMBER in the league.

    Example: arena replay show final.replay --seat 2
    """
    if hidden and seat is not None:
        raise BadInput(f"--all tells what seat {seat} could not know: leave one of the two out")
    record = stored_match(word, db).record
    check_seat(word, record, seat)
    teller = drawing_of(game_named(record.game_id))
    if sys.stdin.isatty() and sys.stdout.isatty() and not as_text and not step:
        step_through(record, teller, seat=seat)
    elif seat is None:
        _tell(story(record, teller, hidden=hidden), step=step)
    else:
        _tell(story_of_seat(record, teller, seat), step=step)


def _tell(paragraphs: Iterator[str], *, step: bool) -> None:
    for number, paragraph in enumerate(paragraphs):
        if number and step and sys.stdin.isatty():
            click.echo("[Enter] ", nl=False, err=True)
            # Without any more input there is nobody to wait for.
            step = bool(sys.stdin.readline())
        click.echo(paragraph)


@replay.command()
@click.argument("paths", metavar="FILE...", type=_file, nargs=-1, required=True)
@click.option(
    "--commitment",
    metavar="HEX",
    help="What the bots were told of the deal before the match; its seed must match it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def verify(paths: tuple[Path, ...], commitment: str | None, as_json: bool) -> None:
    """Check that replays are undamaged and true.

    The rules play each match again. If any is bad, the exit code is 1.

    Example: arena replay verify final.replay
    """
    told = None if commitment is None else _hex(commitment)
    verdicts = [_verdict(path, told) for path in paths]
    if as_json:
        click.echo(json.dumps(verdicts, indent=2))
    else:
        for verdict in verdicts:
            click.echo(_line(verdict))
    if not all(verdict["good"] for verdict in verdicts):
        raise click.exceptions.Exit(1)


@replay.command()
@click.argument("path", metavar="FILE", type=_file)
@click.option(
    "--format", "form", type=click.Choice(["json"]), default="json", help="How to write it."
)
def export(path: Path, form: str) -> None:
    """Print a match with nothing left out.

    That is its deals, actions, events, faults and the result.

    Example: arena replay export final.replay
    """
    click.echo(json.dumps(document(true_record(path)), indent=2))


@replay.command()
@click.argument("word", metavar="MATCH")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="The page to write.",
)
@click.option(
    "--seat", type=click.IntRange(min=0), help="Put only what this seat could know into the page."
)
@db_option
def html(word: str, output: Path, seat: int | None, db: Path) -> None:
    """Write a match as one page for the browser, to step through it.

    The page needs no network. MATCH is a replay file, or EVENT/NUMBER in the league.

    Example: arena replay html final.replay -o final.html
    """
    record = stored_match(word, db).record
    check_seat(word, record, seat)
    page = replay_page(record, drawing_of(game_named(record.game_id)), seat=seat)
    try:
        output.write_text(page, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {error.strerror}") from None


# Verdicts are printed as JSON, whose values differ in type: hence Any.


def _verdict(path: Path, told: bytes | None) -> dict[str, Any]:
    try:
        record = file_record(path)
    except BadReplay as error:
        return {"file": str(path), "good": False, "complaints": [str(error)]}
    complaints = complaints_about(record, commitment=told)
    return {
        "file": str(path),
        "good": not complaints,
        "complaints": complaints,
        "game": record.game_id,
        "players": [entrant.name for entrant in record.entrants],
        "decisions": len(record.decisions),
        "faults": len(record.faults),
        "commitment": commitment_to(record.seed, record.salt).hex(),
    }


def _line(verdict: dict[str, Any]) -> str:
    complaints = verdict["complaints"]
    if complaints:
        more = f" (and {len(complaints) - 1} more)" if len(complaints) > 1 else ""
        return f"bad   {verdict['file']}: {plain(complaints[0])}{more}"
    return (
        f"good  {verdict['file']}: {verdict['game']}, {len(verdict['players'])} players, "
        f"{verdict['decisions']} decisions, {counted(verdict['faults'], 'fault')}, "
        f"commitment {verdict['commitment']}"
    )


def _hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise BadInput(f"--commitment: {text[:80]!r} is not a hexadecimal number") from None

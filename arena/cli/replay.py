"""The command `arena replay`: show, verify and export replays."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from arena.cli.drawing import drawing_of
from arena.cli.options.league import db_option
from arena.cli.stored_match import check_seat, read_record, stored_match, verified_record
from arena.cli.terminal.replay_screen import step_through
from arena.errors import BadInput, BadReplay
from arena.games.registry import game_named
from arena.pages.replay_page import replay_page
from arena.replays.export import document
from arena.replays.transcript import seat_transcript, transcript
from arena.replays.verify import verify as complaints_about
from arena.text import plain, quantity
from arena.wire.envelope import commitment as commitment_to

_file = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def replay() -> None:
    """Show, verify and export replays of finished matches.

    Example: arena replay show final.replay
    """


@replay.command()
@click.argument("word", metavar="MATCH")
@click.option("--seat", type=click.IntRange(min=0), help="Show only what this seat could know.")
@click.option(
    "--plain", "as_text", is_flag=True, help="Print the whole match instead of opening the viewer."
)
@click.option("--step", is_flag=True, help="Print one decision at a time; press Enter to continue.")
@click.option("--all", "hidden", is_flag=True, help="Include hidden cards and secret choices.")
@db_option
def show(word: str, seat: int | None, as_text: bool, step: bool, hidden: bool, db: Path) -> None:
    """Show a match: every decision, thinking times and the result.

    On a terminal, step through it with the arrow keys, as one seat or with all cards visible;
    otherwise it is printed. MATCH is a replay file, or EVENT/NUMBER in the league.

    Example: arena replay show final.replay --seat 2
    """
    if hidden and seat is not None:
        raise BadInput("--all and --seat cannot be used together")
    record = stored_match(word, db).record
    check_seat(word, record, seat)
    draw = drawing_of(game_named(record.game_id)).draw
    if sys.stdin.isatty() and sys.stdout.isatty() and not as_text and not step:
        step_through(record, draw, seat=seat)
    elif seat is None:
        _print_paragraphs(transcript(record, hidden=hidden), step=step)
    else:
        _print_paragraphs(seat_transcript(record, seat, draw), step=step)


def _print_paragraphs(paragraphs: Iterator[str], *, step: bool) -> None:
    for number, paragraph in enumerate(paragraphs):
        if number and step and sys.stdin.isatty():
            click.echo("[Enter] ", nl=False, err=True)
            # At the end of the input, stop waiting.
            step = bool(sys.stdin.readline())
        click.echo(paragraph)


@replay.command()
@click.argument("paths", metavar="FILE...", type=_file, nargs=-1, required=True)
@click.option(
    "--commitment",
    metavar="HEX",
    help="The commitment that the bots received before the match; check the seed against it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as JSON.")
def verify(paths: tuple[Path, ...], commitment: str | None, as_json: bool) -> None:
    """Check that replays are intact and follow the rules.

    Each match is replayed by the rules. The exit code is 1 if any replay is bad.

    Example: arena replay verify final.replay
    """
    expected = None if commitment is None else _parse_hex(commitment)
    verdicts = [_verdict(path, expected) for path in paths]
    if as_json:
        click.echo(json.dumps(verdicts, indent=2))
    else:
        for verdict in verdicts:
            click.echo(_verdict_line(verdict))
    if not all(verdict["good"] for verdict in verdicts):
        raise click.exceptions.Exit(1)


@replay.command()
@click.argument("path", metavar="FILE", type=_file)
@click.option(
    "--format", "form", type=click.Choice(["json"]), default="json", help="Output format."
)
def export(path: Path, form: str) -> None:
    """Print a complete match as JSON.

    It includes the deals, actions, events, faults and the result.

    Example: arena replay export final.replay
    """
    click.echo(json.dumps(document(verified_record(path)), indent=2))


@replay.command()
@click.argument("word", metavar="MATCH")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="HTML file to write.",
)
@click.option("--seat", type=click.IntRange(min=0), help="Include only what this seat could know.")
@db_option
def html(word: str, output: Path, seat: int | None, db: Path) -> None:
    """Write a match as an HTML page to step through.

    The page works offline. MATCH is a replay file, or EVENT/NUMBER in the league.

    Example: arena replay html final.replay -o final.html
    """
    record = stored_match(word, db).record
    check_seat(word, record, seat)
    page = replay_page(record, seat=seat)
    try:
        output.write_text(page, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot write {output}: {error.strerror}") from None


# JSON values differ in type, hence Any.


def _verdict(path: Path, expected: bytes | None) -> dict[str, Any]:
    try:
        record = read_record(path)
    except BadReplay as error:
        return {"file": str(path), "good": False, "complaints": [str(error)]}
    complaints = complaints_about(record, commitment=expected)
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


def _verdict_line(verdict: dict[str, Any]) -> str:
    complaints = verdict["complaints"]
    if complaints:
        more = f" (and {len(complaints) - 1} more)" if len(complaints) > 1 else ""
        return f"bad   {verdict['file']}: {plain(complaints[0])}{more}"
    return (
        f"good  {verdict['file']}: {verdict['game']}, {len(verdict['players'])} players, "
        f"{verdict['decisions']} decisions, {quantity(verdict['faults'], 'fault')}, "
        f"commitment {verdict['commitment']}"
    )


def _parse_hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise BadInput(f"--commitment: {text[:80]!r} is not a hexadecimal number") from None

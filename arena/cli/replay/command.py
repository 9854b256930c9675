"""The command `arena replay`: show, verify and export replays."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from arena.analysis.assessment import Effort
from arena.api.replay import StoredReplay
from arena.cli.drawing import drawing_of
from arena.cli.group import Subgroup
from arena.cli.options import number_option
from arena.cli.options.league import db_option
from arena.cli.replay.analysis import analyse_on_screen, effort_options, show_worst
from arena.cli.replay.stored_match import is_event, stored_match, stored_replays
from arena.cli.replay.viewer import ReplayViewer
from arena.cli.terminal.output import is_full_terminal, print_json, say
from arena.errors import BadInput, BadReplay
from arena.games.registry import game_named
from arena.pages.match_data import analysis_data
from arena.pages.pictures import DEAL, PREVIEW, picture_of, png_of
from arena.replays.transcript import seat_transcript, transcript
from arena.replays.verify import verify as complaints_about
from arena.text import plain, quantity
from arena.wire.envelope import commitment as commitment_to

_JSON, _REPLAY = "json", "replay"


@click.group(cls=Subgroup)
def replay() -> None:
    """Show, verify and export replays of finished matches.

    Example: arena replay show final.replay
    """


@replay.command()
@click.argument("word", metavar="MATCH")
@number_option("--seat", least=0, help="Show only what this seat could know.")
@click.option(
    "--plain", "as_text", is_flag=True, help="Print the whole match instead of opening the viewer."
)
@click.option("--all", "hidden", is_flag=True, help="Include hidden cards and secret choices.")
@db_option
def show(word: str, seat: int | None, as_text: bool, hidden: bool, db: Path) -> None:
    """Show a match: every decision, thinking times and the result.

    On a terminal, step through it with the arrow keys, as one seat or with all cards visible, or
    let it play with the space bar; ? lists the keys. Otherwise it is printed. MATCH is a replay
    file, or EVENT/NUMBER in the league.

    Example: arena replay show final.replay --seat 2
    """
    if hidden and seat is not None:
        raise BadInput("--all and --seat cannot be used together")
    record = stored_match(word, db, seat=seat).record
    draw = drawing_of(game_named(record.game_id)).draw
    if not as_text and is_full_terminal(sys.stdin, sys.stdout):
        # Imported here: it takes as long as all the rest.
        from arena.cli.terminal.screen import show_full_screen

        show_full_screen(ReplayViewer(record, draw, only=seat))
        return
    by_seat = None if seat is None else seat_transcript(record, seat, draw)
    for paragraph in by_seat or transcript(record, hidden=hidden):
        say(paragraph)


@replay.command()
@click.argument("words", metavar="MATCH...", nargs=-1, required=True)
@click.option(
    "--commitment",
    metavar="HEX",
    help="The commitment that the bots received before the match; check the seed against it.",
)
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as JSON.")
def verify(words: tuple[str, ...], commitment: str | None, db: Path, as_json: bool) -> None:
    """Check that replays are intact and follow the rules.

    Each match is replayed by the rules. The exit code is 1 if any replay is bad. MATCH is a replay
    file, EVENT/NUMBER in the league, or EVENT for all of its matches.

    Example: arena replay verify final.replay
    """
    expected = None if commitment is None else _parse_hex(commitment)
    verdicts = [_verdict(each, expected) for word in words for each in stored_replays(word, db)]
    if as_json:
        print_json(verdicts)
    else:
        for verdict in verdicts:
            say(_verdict_line(verdict))
    if not all(verdict["good"] for verdict in verdicts):
        raise click.exceptions.Exit(1)


@replay.command()
@click.argument("word", metavar="MATCH")
@click.option(
    "--format",
    "form",
    type=click.Choice([_JSON, _REPLAY]),
    default=_JSON,
    help="Output format: a JSON document, or a replay file.",
)
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="File to write, or a new folder for all matches of an event; default: stdout.",
)
@db_option
def export(word: str, form: str, output: Path | None, db: Path) -> None:
    """Write complete matches as JSON or as replay files.

    The JSON includes the deals, actions, events, faults and the result. MATCH is a replay file,
    EVENT/NUMBER in the league, or EVENT for all of its matches: without -o they are printed one
    JSON document per line, with -o each is a file of the folder. Forfeited matches have no replay.

    Example: arena replay export final.replay
    """
    if output is None and form == _REPLAY:
        raise BadInput("--format replay needs a file or a folder to write to: add -o PATH")
    if not is_event(word):
        (found,) = stored_replays(word, db)
        content = _exported(found, form, indent=2)
        _write(output, content)
        return
    if output is not None:
        _make_folder(output)
    for found in stored_replays(word, db):
        content = _exported(found, form, indent=None if output is None else 2)
        _write(output and output / f"{found.number:04}.{form}", content)


def _exported(found: StoredReplay, form: str, *, indent: int | None) -> bytes:
    replay = found.verified()
    if form == _REPLAY:
        return found.data
    return f"{json.dumps(replay.document(), indent=indent)}\n".encode()


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True)
    except FileExistsError:
        raise BadInput(f"{path} already exists: name a new folder") from None


def _write(path: Path | None, content: bytes) -> None:
    """Write to a file, or to stdout."""
    if path is None:
        click.echo(content.decode(), nl=False)
        return
    try:
        path.write_bytes(content)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}") from None
    say(plain(f"wrote {path}"), err=True)


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
@number_option("--seat", least=0, help="Include only what this seat could know.")
@click.option(
    "--analyse", "wants_analysis", is_flag=True, help="Add what `search` thinks of each decision."
)
@effort_options
@db_option
def html(
    word: str,
    output: Path,
    seat: int | None,
    wants_analysis: bool,
    effort: Effort | None,
    db: Path,
) -> None:
    """Write a match as an HTML page to step through.

    The page works offline. MATCH is a replay file, or EVENT/NUMBER in the league. For --analyse,
    see `arena replay analyse --help`.

    Example: arena replay html final.replay -o final.html
    """
    if effort and not wants_analysis:
        raise BadInput("--think and --playouts are for an analysis: add --analyse")
    replay = stored_match(word, db, seat=seat)
    analysis = analyse_on_screen(replay.record, effort, seat=seat) if wants_analysis else None
    _write(output, replay.page(seat=seat, analysis=analysis).encode())


def _read_decision(ctx: click.Context, option: click.Parameter, text: str | None) -> int | None:
    if text is not None and text != "deal" and not (text.isdecimal() and len(text) < 10):
        raise click.BadParameter(f"{text!r} is neither a number nor 'deal'", ctx, option)
    return DEAL if text == "deal" else None if text is None else int(text)


@replay.command()
@click.argument("word", metavar="MATCH")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="File to write: .svg, or .png if a program for it is installed.",
)
@click.option(
    "--decision",
    callback=_read_decision,
    metavar="NUMBER|deal",
    help="Draw the table after this decision; default: one late in the match.",
)
@number_option("--seat", least=0, help="Draw only what this seat could know.")
@number_option(
    "--last", most=60, default=1, help="Show as many moments in turn, up to this one (.svg)."
)
@db_option
def picture(
    word: str, output: Path, decision: int | None, seat: int | None, last: int, db: Path
) -> None:
    """Draw the table at one moment of a match.

    The picture needs nothing else: it can be shown on any page or in a message. MATCH is a replay
    file, or EVENT/NUMBER in the league.

    Example: arena replay picture final.replay --decision 75 -o final.svg
    """
    if output.suffix not in (".svg", ".png"):
        raise BadInput(f"a picture is .svg or .png, not {output.name!r}")
    if last > 1 and output.suffix == ".png":
        raise BadInput("a PNG shows one moment: leave out --last, or write .svg")
    record = stored_match(word, db, seat=seat).record
    if output.suffix == ".png":
        drawn = picture_of(record, decision, seat=seat, size=PREVIEW)
        _write(output, png_of(drawn))
    else:
        _write(output, picture_of(record, decision, seat=seat, last=last).encode())


@replay.command()
@click.argument("word", metavar="MATCH")
@number_option("--seat", least=0, help="Assess only the decisions of this seat.")
@number_option("--worst", default=5, help="Number of decisions to list.")
@effort_options
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print all assessments as JSON.")
def analyse(
    word: str, seat: int | None, worst: int, effort: Effort | None, db: Path, as_json: bool
) -> None:
    """List the worst decisions of a match, as search sees them.

    For each decision that a player chose, search samples the hidden cards from what that player
    knew, and finds the best action. Then the action that was played and the best one are played on
    in the same new samples. The loss is the difference in expected place; a decision that loses 0.2
    places or more, and twice its standard error, is a mistake. All of these are estimates.

    With --playouts, the result is the same on every machine. MATCH is a replay file, or
    EVENT/NUMBER in the league.

    Example: arena replay analyse final.replay --think 0.5
    """
    record = stored_match(word, db, seat=seat).record
    analysis = analyse_on_screen(record, effort, seat=seat)
    if as_json:
        game = game_named(record.game_id)
        print_json(analysis_data(game, analysis))
        return
    show_worst(record, analysis, worst)


# JSON values differ in type, hence Any.


def _verdict(found: StoredReplay, expected: bytes | None) -> dict[str, Any]:
    try:
        record = found.decode()
    except BadReplay as error:
        return {"file": found.name, "good": False, "complaints": [str(error)]}
    complaints = complaints_about(record, commitment=expected)
    return {
        "file": found.name,
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

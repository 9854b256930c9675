"""Analyse a match with progress on the terminal, and list its worst decisions."""

from __future__ import annotations

import click

from arena.analysis.assessment import MISTAKE_PLACES, Analysis, Effort
from arena.cli.options import add_options, number_option
from arena.cli.terminal.columns import headings_of
from arena.cli.terminal.progress import Progress
from arena.cli.terminal.tables import show_rows
from arena.errors import BadInput
from arena.games.registry import game_named
from arena.records import Record
from arena.replays.transcript import match_title, player_names
from arena.text import percent, quantity


def _effort(think_s: float | None, playouts: int | None) -> Effort | None:
    if think_s is not None and playouts is not None:
        raise BadInput("use either --think or --playouts, not both")
    if playouts is not None:
        return Effort(playouts=playouts)
    return None if think_s is None else Effort(think_s)


effort_options = add_options(
    number_option(
        "--think",
        "think_s",
        least=0.001,
        most=3600,
        whole=False,
        metavar="SECONDS",
        help="CPU time for each decision; default: 0.1.",
    ),
    number_option(
        "--playouts",
        most=10_000_000,
        help="Number of playouts for each decision instead, which gives the same result anywhere.",
    ),
    packed={"effort": _effort},
)


def analyse_on_screen(record: Record, effort: Effort | None, *, seat: int | None) -> Analysis:
    """Analyse a match, with a progress line."""
    # Imported here: most commands start no processes.
    from arena.analysis.engine import analyse

    with Progress(quiet=False) as progress:

        def update(done: int, total: int) -> None:
            line = f"analysed {done} of {quantity(total, 'decision')}"
            progress.update(lambda: line, done / total)

        return analyse(record, effort or Effort(), seat=seat, on_progress=update)


def show_worst(record: Record, analysis: Analysis, count: int) -> None:
    """Print the decisions that lost most."""
    game = game_named(record.game_id)
    names = player_names(record)
    click.echo(match_title(game, record))
    mistakes = sum(each.is_mistake for each in analysis.assessments)
    click.echo(
        f"{quantity(len(analysis.assessments), 'decision')}, {analysis.effort}: "
        f"{quantity(mistakes, 'mistake')} that {'loses' if mistakes == 1 else 'lose'} "
        f"{MISTAKE_PLACES:g} places or more"
    )
    rows = [
        {
            "decision": each.number,
            "player": names[each.seat],
            "played": game.action_text(each.played),
            "better": game.action_text(each.best),
            "places_lost": f"{each.loss:.2f} ± {each.error:.2f}",
            "chance_before": percent(round(each.chances[each.seat], 2)),
            "verdict": "mistake" if each.is_mistake else "",
        }
        for each in analysis.worst(count)
    ]
    if not rows:
        click.echo("Search finds nothing better than what was played.")
        return
    headings = headings_of(
        *("decision", "player", "played", "better", "places_lost", "chance_before", "verdict")
    ) | {"better": "better", "verdict": ""}
    show_rows(rows, headings, optional=["chance_before"])

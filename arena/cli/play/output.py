"""Print what bots print while they play, and the results of matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from arena.api.replay import Replay
from arena.checks.advice import advice_on, hides_output, without_sdk
from arena.cli.terminal.columns import headings_of
from arena.cli.terminal.output import say
from arena.cli.terminal.tables import show_rows
from arena.games.registry import game_named
from arena.records import Fault, SeatEnding, ServiceUse
from arena.replays.transcript import result_text
from arena.text import plain, quantity
from leaderboard.result import is_win

_PRINTED_LINES = 20
"""Lines of a faulty bot's output that are shown."""
_LINE_LIMIT = 4096
"""Bytes after which a line is cut, so that one without an end is shown too."""


class SeatOutput:
    """Writes the output of the bot in one seat to stderr."""

    def __init__(self, name: str) -> None:
        """Mark every line with the name of the seat."""
        self._name = name
        self._rest = b""

    def write(self, data: bytes) -> None:
        """Write complete lines; keep the beginning of the next."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._write_line(line)
        if len(self._rest) > _LINE_LIMIT:
            self.close()

    def close(self) -> None:
        """Write what is left, although its line has no end."""
        if self._rest:
            self._write_line(self._rest)
            self._rest = b""

    def _write_line(self, line: bytes) -> None:
        text = plain(line.decode(errors="replace").rstrip("\r").expandtabs())
        click.echo(f"{self._name} | {text}", err=True)


def print_results(replays: Sequence[Replay], happened: Sequence[str], *, with_output: bool) -> str:
    """Print what happened and the result of one match, or the standings of several.

    With `with_output`, also the last lines of bots that faulted. Return how it ended.
    """
    if len(replays) > 1:
        _print_standings(replays)
        ending = f"{len(replays)} matches"
    else:
        for sentence in happened:
            say(sentence)
        say(result_text(replays[0].record))
        ending = replays[0].record.outcome.ending.value
    _print_models(replays)
    _print_faults(replays, with_output=with_output)
    return ending


def _print_models(replays: Sequence[Replay]) -> None:
    """Print what language models asked of their services, and what that cost."""
    used: dict[str, list[ServiceUse]] = {}
    for replay in replays:
        for seat, each in enumerate(replay.record.usage):
            if each.service:
                used.setdefault(replay.players[seat], []).append(each.service)
    for name, uses in used.items():
        total = ServiceUse(*map(sum, zip(*uses, strict=True)))
        parts = [
            quantity(total.requests, "request"),
            f"{total.tokens_in:,} tokens in, {total.tokens_out:,} out",
            *([f"cost {total.cost_micros / 1e6:.4f}"] if total.cost_micros else []),
            *([quantity(total.rethinks, "rethink")] if total.rethinks else []),
            *([quantity(total.retries, "retry", "retries")] if total.retries else []),
        ]
        say(f"{name}: {', '.join(parts)}")


def _print_faults(replays: Sequence[Replay], *, with_output: bool) -> None:
    """Print each kind of fault once, with the last lines of the bot's output unless shown."""
    kinds: dict[tuple[str, str], list[Fault]] = {}
    for replay in replays:
        for fault in replay.faults:
            name = replay.players[fault.seat]
            kinds.setdefault((name, fault.ending.value), []).append(fault)
    for (name, ending), faults in kinds.items():
        how_often = f" in {len(faults)} matches, first" if len(faults) > 1 else ""
        say(f"{name}: {ending}{how_often}: {plain(faults[0].sentence)}", err=True)
        printed = faults[0].printed
        if advice := advice_on(faults[0].sentence, printed):
            say(f"    {click.style(plain(advice), fg='cyan')}", err=True)
        if not with_output or hides_output(faults[0].sentence, printed):
            continue
        lines = without_sdk(printed.decode(errors="replace").splitlines())
        for line in lines[-_PRINTED_LINES:]:
            say(f"    {plain(line)}", err=True)


def _print_standings(replays: Sequence[Replay]) -> None:
    """Print how each player did in all matches."""
    records = [replay.record for replay in replays]
    game = game_named(records[0].game_id)
    rows: list[dict[str, Any]] = []
    parameters = game.parameters_form.read(records[0].parameters)
    sides = game.sides(len(records[0].entrants), parameters)
    for seat, entrant in enumerate(records[0].entrants):
        places = [record.places[seat] for record in records]
        rows.append(
            {
                "mean_place": sum(places) / len(places),
                "wins": sum(is_win(seat, record.places, sides) for record in records),
                "faults": sum(
                    record.ending_of(seat) is not SeatEnding.PLAYED for record in records
                ),
                "mean_score": sum(record.outcome.scores[seat] for record in records) / len(places),
                "player": entrant.name,
            }
        )
    rows.sort(key=lambda row: (row["mean_place"], -row["wins"], row["player"]))
    headings = headings_of("player", "mean_place", "wins", "faults")
    show_rows(rows, headings | {"mean_score": f"mean {game.score_word}"})

"""What happened in a match, step by step: the log, and where rounds and turns begin."""

from __future__ import annotations

from collections.abc import Sequence

import click

from arena.cli.drawing import drawing_of
from arena.cli.terminal.styling import visible_lines, wrap
from arena.games.layout import Periods
from arena.games.registry import game_named
from arena.records import Record, replay_record


class Timeline:
    """The steps of a match: the deal, and each decision with its consequences."""

    def __init__(self, record: Record, names: Sequence[str]) -> None:
        """Play the match once."""
        game = game_named(record.game_id)
        drawing = drawing_of(game)
        self._periods: list[Periods] = []
        self._sentences: list[list[str]] = []
        shown = 0
        for _, state in replay_record(record):
            # Rounds and turns are public: every view has them.
            self._periods.append(drawing.periods(game.view_of(state, 0)))
            events = state.events[shown:]
            shown = len(state.events)
            text = "\n".join(game.narrate(event, names) for event in events)
            self._sentences.append(text.split("\n") if text else [])

    def starts(self, kind: str) -> list[int]:
        """Return the steps at which a round or a turn begins, the deal included."""
        values = [getattr(periods, kind) for periods in self._periods]
        return [at for at, value in enumerate(values) if not at or value != values[at - 1]]

    def log_lines(self, step: int, columns: int, rows: int) -> list[str]:
        """Return the last lines of the log at a step, which itself is set in bold."""
        lines = []
        for number, sentences in enumerate(self._sentences[: step + 1]):
            for sentence in sentences:
                text = click.style(sentence, bold=True) if number == step else sentence
                lines += wrap(text, columns)
        return visible_lines(lines, rows, len(lines))[0]

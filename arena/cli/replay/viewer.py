"""Step through a match on the full terminal, or let it play.

The positions are the deal, each decision with its consequences, and the result. The viewpoint is
one seat or all. One seat shows its own view and the public events; all shows the table with all
cards face up. Where there is room, the log stands beside the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import click

from arena.cli.drawing import Draw
from arena.cli.replay.timeline import Timeline
from arena.cli.terminal.progress import bar
from arena.cli.terminal.styling import join_fitting, pad, visible_lines, wrap, wrap_lines
from arena.games.registry import game_named
from arena.records import Decision, Record, replay_record
from arena.replays.decision_details import decision_time, details_of
from arena.replays.export import stand_in_start
from arena.replays.transcript import (
    fault_sentences,
    match_title,
    note_lines,
    player_names,
    result_text,
)

_PAGE = 10
_SPEEDS_S = (3.0, 2.0, 1.0, 0.5, 0.2, 0.1)
"""Seconds between two steps while the match plays."""
_BOARD = 72
"""Columns of the table beside the log, at least."""
_LOG = 30
"""Columns of the log, at least."""
_KEYS = (
    ("← →", "one decision back or forward"),
    ("space", "let the match play, or stop it"),
    ("+ -", "play faster or slower"),
    ("t T", "next or previous turn or trick"),
    ("r R", "next or previous round"),
    ("f", "next fault"),
    ("PgUp PgDn", f"{_PAGE} decisions back or forward"),
    ("Home End", "the deal, the result"),
    ("0 1 2 …", "see what one seat sees"),
    ("a", "see all cards"),
    ("Tab", "next of these views"),
    ("↑ ↓", "scroll"),
    ("?", "show or hide these keys"),
    ("q", "quit"),
)
_STEPS = {"right": 1, "left": -1, "pagedown": _PAGE, "pageup": -_PAGE}
_MIN_NARRATION_LINES = 2
"""Lines reserved for what happened, so that the table below rarely moves."""


class _Moment(NamedTuple):
    """The table after a decision or the deal; types that depend on the game are Any."""

    decision: Decision | None
    state: Any
    events: list[Any]


class ReplayViewer:
    """The position and the viewpoint in a match, and what the keys do."""

    def __init__(self, record: Record, draw: Draw, *, only: int | None = None) -> None:
        """Start at the deal; `only` restricts the viewpoint to one seat."""
        self.position = 0
        self.viewpoint = only
        """A seat, or None for all."""
        self._record = record
        self._draw = draw
        self._only = only
        self._game = game_named(record.game_id)
        self._names = player_names(record)
        self._faults = fault_sentences(record)
        self._timeline = Timeline(record, self._names)
        self._details = details_of(record)
        self._notes = note_lines(record)
        self._steps = _moments(record)
        self._replayed = -1
        """The position of the moment that was replayed last."""
        self._now: _Moment
        self._top = 0
        self._note = ""
        self._speed = 2
        self._is_playing = False
        self._shows_keys = False

    @property
    def interval_s(self) -> float | None:
        """Seconds until the next step while the match plays; None if it is paused."""
        return _SPEEDS_S[self._speed] if self._is_playing else None

    def advance(self) -> bool:
        """Go one step forward, and stop at the result, which stays."""
        self._go(self.position + 1)
        self._is_playing = self.position < self.last
        return True

    @property
    def last(self) -> int:
        """The position of the result, after the deal and all decisions."""
        return len(self._record.decisions) + 1

    def press(self, key: str) -> None:
        """Handle a key."""
        self._note = ""
        was_playing, self._is_playing = self._is_playing, self._is_playing and key in "+-"
        if key in _STEPS:
            self._go(self.position + _STEPS[key])
        elif key == "home":
            self._go(0)
        elif key == "end":
            self._go(self.last)
        elif key == " ":
            self._is_playing = not was_playing and self.position < self.last
        elif key in "+-":
            step = 1 if key == "+" else -1
            self._speed = min(max(self._speed + step, 0), len(_SPEEDS_S) - 1)
            self._note = f"a step every {_SPEEDS_S[self._speed]:g} s"
        elif key in "tTrR":
            self._go_to_period("turn" if key in "tT" else "round", forward=key.islower())
        elif key == "f":
            self._go_to_fault()
        elif key in ("down", "up"):
            self._top += 1 if key == "down" else -1
        elif key == "?":
            self._shows_keys, self._top = not self._shows_keys, 0
        elif key in ("tab", "s-tab", "a") or key.isdecimal():
            self._change_viewpoint(key)

    def render(self, columns: int, rows: int) -> list[str]:
        """Return the lines of the frame at this position."""
        title = wrap(match_title(self._game, self._record), columns)
        head = [click.style(line, bold=True) for line in title[: max(1, rows // 6)]]
        rows = max(1, rows - len(head) - 2)
        log_columns = columns - max(_BOARD, columns * 3 // 5) - 3
        if log_columns < _LOG:
            body = self._body_lines(columns, rows)
        else:
            body = self._beside_log(columns - log_columns - 3, log_columns, rows)
        return [*head, *body, self._status(columns), self._help(columns)]

    def _beside_log(self, columns: int, log_columns: int, rows: int) -> list[str]:
        body = self._body_lines(columns, rows)
        log = self._timeline.log_lines(self.position, log_columns, rows)
        log += [""] * (rows - len(log))
        return [f"{pad(left, columns)} │ {right}" for left, right in zip(body, log, strict=True)]

    def _body_lines(self, columns: int, rows: int) -> list[str]:
        """Return the lines of the table, as many as there are rows."""
        body = _key_lines() if self._shows_keys else self._body(columns)
        shown, self._top = visible_lines(wrap_lines(body, columns), rows, self._top)
        return [*shown, *[""] * (rows - len(shown))]

    def _go(self, position: int) -> None:
        self.position = min(max(position, 0), self.last)
        self._top = 0

    def _go_to_period(self, kind: str, *, forward: bool) -> None:
        """Go to the next or the previous beginning of a turn or a round."""
        starts = self._timeline.starts(kind)
        if len(starts) == 1:
            self._note = f"{self._game.title} has no {kind}s"
        elif forward:
            self._go(min((at for at in starts if at > self.position), default=self.last))
        else:
            self._go(max((at for at in starts if at < self.position), default=0))

    def _go_to_fault(self) -> None:
        """Go to the next fault that is visible; after the last one, to the first."""
        positions = []
        for fault in self._record.faults:
            if self.viewpoint in (None, fault.seat):
                number = stand_in_start(self._record, fault.seat)
                positions.append(self.last if number is None else number + 1)
        if positions:
            later = [position for position in positions if position > self.position]
            self._go(min(later or positions))
        else:
            self._note = (
                "no fault in this match" if self.viewpoint is None else "no fault of this seat"
            )

    def _change_viewpoint(self, key: str) -> None:
        if self._only is not None:
            self._note = f"--seat {self._only} allows no other view"
            return
        choice = [None, *range(len(self._names))]
        if key == "a":
            self.viewpoint = None
        elif key.isdecimal():
            if int(key) in choice:
                self.viewpoint = int(key)
            else:
                self._note = f"no seat {key}"
        else:
            step = 1 if key == "tab" else -1
            self.viewpoint = choice[(choice.index(self.viewpoint) + step) % len(choice)]

    def _body(self, columns: int) -> list[str]:
        if self.position == self.last:
            return self._result()
        moment = self._moment()
        narration = wrap_lines(self._narration(moment), columns)
        narration += [""] * (_MIN_NARRATION_LINES - len(narration))
        view = self._game.view_of(moment.state, self.viewpoint or 0)
        hidden = self._game.hidden_cards(moment.state) if self.viewpoint is None else None
        table = self._draw(view, names=self._names, width=columns, hidden=hidden)
        return [*narration, *table.split("\n")]

    def _moment(self) -> _Moment:
        """Replay the match up to this position, from the deal if it lies behind."""
        if self.position < self._replayed:
            self._steps, self._replayed = _moments(self._record), -1
        while self._replayed < self.position:
            self._now = next(self._steps)
            self._replayed += 1
        return self._now

    def _narration(self, moment: _Moment) -> list[str]:
        """Describe what happened, as far as the viewpoint may know it."""
        sentences = [self._game.narrate(event, self._names) for event in moment.events]
        decision = moment.decision
        lines = []
        if decision:
            name = self._names[decision.seat]
            is_visible = self.viewpoint in (None, decision.seat)
            if is_visible:
                faults = self._faults.get(self.position - 1, [])
                lines += [click.style(line, fg="red", bold=True) for line in faults]
            if sentences and getattr(moment.events[0], "seat", None) == decision.seat:
                action_line = sentences.pop(0)
            elif is_visible:
                action = self._game.action_text(decision.action)
                action_line = f"{name} chooses in secret: {action}."
            else:
                action_line = f"{name} chooses in secret."
            number = self.position - 1
            details = self._details[number]
            time = f"  ({decision_time(decision, details.left_us)})" if is_visible else ""
            lines.append(click.style(action_line, fg="cyan", bold=True) + time)
            if is_visible and details.sentence:
                lines.append(click.style(f"  {details.sentence}", dim=True))
            if is_visible:
                lines += [click.style(line, fg="yellow") for line in self._notes.get(number, [])]
        return [*lines, *(line for sentence in sentences for line in sentence.split("\n"))]

    def _result(self) -> list[str]:
        lines = result_text(self._record).split("\n")
        for fault in self._record.faults:
            if self.viewpoint in (None, fault.seat):
                fault_text = self._faults[stand_in_start(self._record, fault.seat)][0]
                lines += ["", click.style(fault_text, fg="red")]
        if self.viewpoint is None:
            lines += ["", self._record.outcome.ending.value, f"seed {self._record.seed.hex()}"]
        return lines

    def _status(self, columns: int) -> str:
        count = len(self._record.decisions)
        # Decisions count from 0, as in every other place that names one.
        position = f"decision {self.position - 1} of 0 to {count - 1}"
        if self.position in (0, self.last):
            position = "result" if self.position else f"deal, before {count} decisions"
        viewpoint = "view: all"
        if self.viewpoint is not None:
            viewpoint = f"view: seat {self.viewpoint}"
            if columns > _BOARD:
                viewpoint += f" {self._names[self.viewpoint]}"
        playing = f"▶ {self.interval_s:g} s" if self.interval_s else ""
        line = join_fitting([*filter(None, (position, viewpoint, playing, self._note))], columns)
        room = columns - len(line) - 1
        return f"{bar(self.position / self.last, min(room, 20))} {line}" if room > 5 else line

    def _help(self, columns: int) -> str:
        views = "" if self._only is not None else f"Tab a 0-{len(self._names) - 1} view"
        keys = ("q quit", "← → step", "space play", "? keys", "r round", "t turn", "f fault", views)
        return click.style(join_fitting([*filter(None, keys)], columns), dim=True)


def _moments(record: Record) -> Iterator[_Moment]:
    """Yield the moments of a match; their state is one object, which changes."""
    shown = 0
    for decision, state in replay_record(record):
        yield _Moment(decision, state, state.events[shown:])
        shown = len(state.events)


def _key_lines() -> list[str]:
    return [f"{keys:<10} {meaning}" for keys, meaning in _KEYS]

"""Step through a match on the full terminal.

The positions are the deal, each decision with its consequences, and the result. The viewpoint is
one seat or all. One seat shows its own view and the public events; all shows the view of the seat
that decided, with the hidden cards below.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

import click

from arena.cli.terminal.progress import bar
from arena.cli.terminal.screen import QUIT, full_screen
from arena.cli.terminal.styling import visible_lines, wrap
from arena.games.registry import game_named
from arena.records import Decision, Record, replay_record
from arena.replays.decision_details import decision_time, details_of
from arena.replays.export import stand_in_start
from arena.replays.transcript import (
    Draw,
    fault_sentences,
    match_title,
    note_lines,
    player_names,
    result_text,
)
from arena.text import short_duration

_PAGE = 10
_MIN_NARRATION_LINES = 2
"""Lines reserved for the narration, so that the table below rarely moves."""


def step_through(record: Record, draw: Draw, *, seat: int | None) -> None:
    """Show a match until the user quits; with `seat`, only what that seat could know."""
    viewer = ReplayViewer(record, draw, only=seat)
    with suppress(KeyboardInterrupt), full_screen() as screen:
        while not viewer.is_over:
            screen.draw(viewer.render(*screen.size))
            for key in screen.keys():
                viewer.press(key)


class _Moment(NamedTuple):
    """The table after a decision or the deal; types that depend on the game are Any."""

    decision: Decision | None
    state: Any
    events: list[Any]


class ReplayViewer:
    """The position and the viewpoint in a match, and what the keys do."""

    def __init__(self, record: Record, draw: Draw, *, only: int | None = None) -> None:
        """Start at the deal; `only` restricts the viewpoint to one seat."""
        self.is_over = False
        self.position = 0
        self.viewpoint = only
        """A seat, or None for all."""
        self._record = record
        self._draw = draw
        self._only = only
        self._game = game_named(record.game_id)
        self._names = player_names(record)
        self._faults = fault_sentences(record)
        self._details = details_of(record)
        self._notes = note_lines(record)
        self._top = 0
        self._note = ""

    @property
    def last(self) -> int:
        """The position of the result, after the deal and all decisions."""
        return len(self._record.decisions) + 1

    def press(self, key: str) -> None:
        """Handle a key."""
        self._note = ""
        match key:
            case "right" | " ":
                self._go(self.position + 1)
            case "left":
                self._go(self.position - 1)
            case "page down":
                self._go(self.position + _PAGE)
            case "page up":
                self._go(self.position - _PAGE)
            case "home":
                self._go(0)
            case "end":
                self._go(self.last)
            case "f":
                self._go_to_fault()
            case "down":
                self._top += 1
            case "up":
                self._top -= 1
            case "tab" | "back tab" | "a":
                self._change_viewpoint(key)
            case _ if key.isdecimal():
                self._change_viewpoint(key)
            case _ if key == QUIT:
                self.is_over = True

    def render(self, columns: int, rows: int) -> list[str]:
        """Return the lines of the frame at this position."""
        title = click.style(match_title(self._game, self._record), bold=True)
        body = [part for line in self._body() for part in wrap(line, columns)]
        shown, self._top = visible_lines(body, max(1, rows - 3), self._top)
        blank = [""] * (rows - 3 - len(shown))
        return [title, *shown, *blank, self._status(), self._help()]

    def _go(self, position: int) -> None:
        self.position = min(max(position, 0), self.last)
        self._top = 0

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

    def _body(self) -> list[str]:
        if self.position == self.last:
            return self._result()
        moment = self._moment()
        narration = self._narration(moment)
        narration += [""] * (_MIN_NARRATION_LINES - len(narration))
        view = self._game.view_of(moment.state, self._viewer(moment))
        drawing = self._draw(view).split("\n")
        hidden = self._hidden(moment.state) if self.viewpoint is None else []
        return [*narration, *drawing, *hidden]

    def _moment(self) -> _Moment:
        """Replay the match up to this position, which is fast enough for every key."""
        shown = 0
        for decision, state in islice(replay_record(self._record), self.position + 1):
            moment = _Moment(decision, state, state.events[shown:])
            shown = len(state.events)
        return moment

    def _viewer(self, moment: _Moment) -> int:
        if self.viewpoint is not None:
            return self.viewpoint
        return moment.decision.seat if moment.decision else self._record.decisions[0].seat

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

    def _hidden(self, state: Any) -> list[str]:
        deal = self._game.hidden_cards(state)
        hands = zip(self._names, deal.hands, strict=True)
        lines = [f"  {name} holds {' '.join(hand)}" for name, hand in hands if hand]
        if deal.face_down:
            lines.append(f"  face down {' '.join(deal.face_down)}")
        return [click.style(line, dim=True) for line in lines]

    def _result(self) -> list[str]:
        lines = result_text(self._record).split("\n")
        for fault in self._record.faults:
            if self.viewpoint in (None, fault.seat):
                fault_text = self._faults[stand_in_start(self._record, fault.seat)][0]
                lines += ["", click.style(fault_text, fg="red")]
        if self.viewpoint is None:
            lines += ["", self._record.outcome.ending.value, f"seed {self._record.seed.hex()}"]
        return lines

    def _status(self) -> str:
        count = len(self._record.decisions)
        # Decisions count from 0, as in every other place that names one.
        position = f"decision {self.position - 1} ({self.position} of {count})"
        if self.position in (0, self.last):
            position = "result" if self.position else f"deal, before {count} decisions"
        viewpoint = "view: all" if self.viewpoint is None else f"view: seat {self.viewpoint}"
        parts = [f"{bar(self.position / self.last)} {position}", viewpoint]
        note = click.style(self._note, fg="yellow") if self._note else self._thinking_time()
        return "  ".join([*parts, note])

    def _thinking_time(self) -> str:
        """Return the total thinking time so far of the seat that decided."""
        so_far = self._record.decisions[: self.position]
        if (
            not so_far
            or self.position == self.last
            or self.viewpoint not in (None, so_far[-1].seat)
        ):
            return ""
        seat = so_far[-1].seat
        total_us = sum(decision.time_us for decision in so_far if decision.seat == seat)
        return f"seat {seat} used {short_duration(total_us)}"

    def _help(self) -> str:
        switch = "" if self._only is not None else f"  Tab a 0-{len(self._names) - 1} view"
        keys = f"← → step  PgUp PgDn {_PAGE}  Home End  f fault{switch}  ↑ ↓ scroll  q quit"
        return click.style(keys, dim=True)

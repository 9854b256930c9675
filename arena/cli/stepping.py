"""How does somebody step through a match on the whole terminal?

A match has a moment for the deal, one for each decision with what came of it, and the result. With
one seat's eyes the picture is made from that seat's view and from what happened in the open; with
all eyes, from the view of whoever decided, and with the hidden cards below it.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

import click

from arena.cli.progress import bar
from arena.cli.screen import QUIT, full_screen
from arena.cli.styled import folded, window
from arena.games.registry import game_named
from arena.records import Decision, Record, replayed
from arena.replays.deals import deal_of
from arena.replays.export import out_since
from arena.replays.story import (
    Teller,
    duration_told,
    faults_told,
    names_in,
    placing,
    time_told,
    title_told,
)

_LEAP = 10
_WORDS = 2
"""At least so many lines are for words, so that the table below mostly stays where it is."""


def step_through(record: Record, teller: Teller, *, seat: int | None) -> None:
    """Show a match until somebody leaves; with `seat`, only what that seat could know."""
    walk = Walk(record, teller, only=seat)
    with suppress(KeyboardInterrupt), full_screen() as screen:
        while not walk.is_over:
            screen.draw(walk.picture(*screen.size))
            for key in screen.keys():
                walk.press(key)


class _Moment(NamedTuple):
    """The table after a decision, or after the deal; what is the game's own is Any."""

    decision: Decision | None
    state: Any
    events: list[Any]


class Walk:
    """Where somebody is in a match, and whose eyes they have."""

    def __init__(self, record: Record, teller: Teller, *, only: int | None = None) -> None:
        """Begin at the deal; `only` is the seat whose eyes alone may be had."""
        self.is_over = False
        self.position = 0
        self.eyes = only
        """A seat, or None for all."""
        self._record = record
        self._teller = teller
        self._only = only
        self._game = game_named(record.game_id)
        self._names = names_in(record)
        self._faults = faults_told(record)
        self._top = 0
        self._note = ""

    @property
    def last(self) -> int:
        """The position of the result: behind those of the deal and of all decisions."""
        return len(self._record.decisions) + 1

    def press(self, key: str) -> None:
        """Do what a key asks for."""
        self._note = ""
        match key:
            case "right" | " ":
                self._go(self.position + 1)
            case "left":
                self._go(self.position - 1)
            case "page down":
                self._go(self.position + _LEAP)
            case "page up":
                self._go(self.position - _LEAP)
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
                self._change_eyes(key)
            case _ if key.isdecimal():
                self._change_eyes(key)
            case _ if key == QUIT:
                self.is_over = True

    def picture(self, columns: int, rows: int) -> list[str]:
        """Draw this moment."""
        title = click.style(title_told(self._game, self._record), bold=True)
        body = [part for line in self._body() for part in folded(line, columns)]
        shown, self._top = window(body, max(1, rows - 3), self._top)
        blank = [""] * (rows - 3 - len(shown))
        return [title, *shown, *blank, self._status(), self._help()]

    def _go(self, position: int) -> None:
        self.position = min(max(position, 0), self.last)
        self._top = 0

    def _go_to_fault(self) -> None:
        """Go to the next fault that these eyes see; after the last one comes the first."""
        places = []
        for fault in self._record.faults:
            if self.eyes in (None, fault.seat):
                number = out_since(self._record, fault.seat)
                places.append(self.last if number is None else number + 1)
        if places:
            later = [place for place in places if place > self.position]
            self._go(min(later or places))
        else:
            self._note = "there is no fault" if self.eyes is None else "this seat had no fault"

    def _change_eyes(self, key: str) -> None:
        if self._only is not None:
            self._note = f"--seat {self._only} shows no other eyes"
            return
        choice = [None, *range(len(self._names))]
        if key == "a":
            self.eyes = None
        elif key.isdecimal():
            if int(key) in choice:
                self.eyes = int(key)
            else:
                self._note = f"there is no seat {key}"
        else:
            step = 1 if key == "tab" else -1
            self.eyes = choice[(choice.index(self.eyes) + step) % len(choice)]

    def _body(self) -> list[str]:
        if self.position == self.last:
            return self._result()
        moment = self._moment()
        words = self._words(moment)
        words += [""] * (_WORDS - len(words))
        view = self._game.view_of(moment.state, self._viewer(moment))
        picture = self._teller.draw(view).split("\n")
        hidden = self._hidden(moment.state) if self.eyes is None else []
        return [*words, *picture, *hidden]

    def _moment(self) -> _Moment:
        """Play the match again up to here, which takes less time than a key."""
        told = 0
        for decision, state in islice(replayed(self._record), self.position + 1):
            moment = _Moment(decision, state, state.events[told:])
            told = len(state.events)
        return moment

    def _viewer(self, moment: _Moment) -> int:
        if self.eyes is not None:
            return self.eyes
        return moment.decision.seat if moment.decision else self._record.decisions[0].seat

    def _words(self, moment: _Moment) -> list[str]:
        """Say what happened, as far as these eyes saw it."""
        sentences = [self._teller.tell(event, self._names) for event in moment.events]
        decision = moment.decision
        lines = []
        if decision:
            name = self._names[decision.seat]
            is_seen = self.eyes in (None, decision.seat)
            if is_seen:
                faults = self._faults.get(self.position - 1, [])
                lines += [click.style(line, fg="red", bold=True) for line in faults]
            if sentences and getattr(moment.events[0], "seat", None) == decision.seat:
                deed = sentences.pop(0)
            elif is_seen:
                action = self._game.action_text(decision.action)
                deed = f"{name} chooses in secret: {action}."
            else:
                deed = f"{name} chooses in secret."
            note = f"  ({time_told(decision)})" if is_seen else ""
            lines.append(click.style(deed, fg="cyan", bold=True) + note)
        return [*lines, *(line for told in sentences for line in told.split("\n"))]

    def _hidden(self, state: Any) -> list[str]:
        deal = deal_of(self._game.id, state)
        hands = zip(self._names, deal.hands, strict=True)
        lines = [f"  {name} holds {' '.join(hand)}" for name, hand in hands if hand]
        if deal.face_down:
            lines.append(f"  face down {' '.join(deal.face_down)}")
        return [click.style(line, dim=True) for line in lines]

    def _result(self) -> list[str]:
        lines = placing(self._record).split("\n")
        for fault in self._record.faults:
            if self.eyes in (None, fault.seat):
                told = self._faults[out_since(self._record, fault.seat)][0]
                lines += ["", click.style(told, fg="red")]
        if self.eyes is None:
            lines += ["", self._record.outcome.ending.value, f"seed {self._record.seed.hex()}"]
        return lines

    def _status(self) -> str:
        count = len(self._record.decisions)
        place = f"decision {self.position} of {count}"
        if self.position in (0, self.last):
            place = "the result" if self.position else f"the deal, before {count} decisions"
        eyes = "all eyes" if self.eyes is None else f"the eyes of seat {self.eyes}"
        parts = [f"{bar(self.position / self.last)} {place}", eyes]
        note = click.style(self._note, fg="yellow") if self._note else self._thought()
        return "  ".join([*parts, note])

    def _thought(self) -> str:
        """Say how much time the seat that decided has thought so far."""
        so_far = self._record.decisions[: self.position]
        if not so_far or self.position == self.last or self.eyes not in (None, so_far[-1].seat):
            return ""
        seat = so_far[-1].seat
        total_us = sum(decision.time_us for decision in so_far if decision.seat == seat)
        return f"seat {seat} has thought {duration_told(total_us)}"

    def _help(self) -> str:
        switch = "" if self._only is not None else f"  Tab a 0-{len(self._names) - 1} eyes"
        keys = f"← → step  PgUp PgDn {_LEAP}  Home End  f fault{switch}  ↑ ↓ scroll  q quit"
        return click.style(keys, dim=True)

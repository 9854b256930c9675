"""Histories: everything that each seat has seen and done since the match began.

A view says what a seat knows about the position, which is all that most bots need. A history keeps
everything, the hands and tricks of earlier rounds included (perfect recall), as programs need that
solve a game. As text there is a line for each public event, each hand that was dealt to the seat,
and each action of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from arena.games.core import State
    from arena.games.registry import AnyGame

_UNSEEN = "."
"""The line for a choice that everyone sees being made, without seeing what was chosen."""


class _Step(NamedTuple):
    """One decision and what followed from it, up to the next one; or the first deal."""

    actor: int
    """The seat that acted; negative for the first deal."""
    action: int
    events: tuple[Any, ...]
    """The public events."""
    dealt: State | None
    """The state, if hands may have changed otherwise than by what the events say."""


class MatchHistory:
    """What has happened in a match. It never changes: `after` returns a longer one."""

    __slots__ = ("_earlier", "_game", "_seats", "_step", "_texts")

    def __init__(self, game: AnyGame, state: State) -> None:
        """Begin with the first deal, with this recording state, which must not change later."""
        self._game = game
        self._seats = state.seats
        self._earlier: MatchHistory | None = None
        self._step = _Step(-1, -1, tuple(state.events or ()), state)
        self._texts: dict[int, str] = {}

    def after(self, actor: int, action: int, state: State) -> MatchHistory:
        """Add what this seat did, and the events that this state has recorded since then."""
        events = tuple(state.events or ())
        deals = self._game.deal_events
        dealt = state if any(isinstance(event, deals) for event in events) else None
        return self._longer(_Step(actor, action, events, dealt))

    def redealt(self, seat: int, state: State) -> MatchHistory:
        """Return a history that is the same for a seat, but in which the others have other cards.

        What the others have seen is not invented: theirs begins with what they know now.
        """
        new = self._longer(_Step(-1, -1, (), None))
        for other in range(self._seats):
            if other == seat:
                new._texts[other] = self.text(other)
            else:
                view = self._game.view_of(state, other)
                new._texts[other] = f"seat {other}\n{self._game.view_form.show(view)}\n"
        return new

    def _longer(self, step: _Step) -> MatchHistory:
        new = MatchHistory.__new__(MatchHistory)
        new._game = self._game
        new._seats = self._seats
        new._earlier = self
        new._step = step
        new._texts = {}
        return new

    def __reduce__(self) -> tuple[Callable[..., MatchHistory], tuple[AnyGame, list[_Step]]]:
        """Pickle the steps as a list: following the links would be too deep."""
        steps = []
        history: MatchHistory | None = self
        while history is not None:
            steps.append(history._step)
            history = history._earlier
        return _read, (self._game, steps[::-1])

    def text(self, seat: int) -> str:
        """Write everything that a seat has seen and done."""
        steps: list[MatchHistory] = []
        step: MatchHistory | None = self
        while step is not None and seat not in step._texts:
            steps.append(step)
            step = step._earlier
        text = f"seat {seat}\n" if step is None else step._texts[seat]
        for step in reversed(steps):
            text += step._lines(seat)
            step._texts[seat] = text
        return text

    def _lines(self, seat: int) -> str:
        game, (actor, action, events, dealt) = self._game, self._step
        lines = []
        if seat == actor:
            lines.append(f"> {game.action_text(action)}")
        lines += map(game.event_form.show, events)
        if not events and self._earlier is not None:
            lines.append(_UNSEEN)
        if dealt is not None:
            lines.append(f"hand {' '.join(game.hidden_cards(dealt).hands[seat])}")
        return "\n".join(lines) + "\n"


def _read(game: AnyGame, steps: list[_Step]) -> MatchHistory:
    first, *others = steps
    assert first.dealt is not None
    history = MatchHistory(game, first.dealt)
    for step in others:
        history = history._longer(step)
    return history

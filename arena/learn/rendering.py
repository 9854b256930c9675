"""What environments show of a match: text, or a page for the browser."""

from __future__ import annotations

from typing import Any

from arena.errors import BadInput
from arena.games.randomness import Seed
from arena.indices import Seat
from arena.learn.table import Setup
from arena.pages.replay_page import replay_page
from arena.records import Decision, Entrant, How, Record

RENDER_MODES = ["ansi", "html", "human"]


def check_render_mode(mode: str | None) -> None:
    """Refuse a way of rendering that there is not."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadInput(f"no such render_mode: {mode!r}; there are {', '.join(RENDER_MODES)}")


def rendered(
    mode: str | None,
    text: Any,
    setup: Setup,
    seed: Seed,
    played: list[tuple[int, int]],
    state: Any,
    names: list[str],
    seat: int | None = None,
) -> str | None:
    """Render a match: `text` is a state or a view, and `played` the seats and their actions.

    A page shows everything, or with `seat` what that seat knows. Its places are those that the
    match would have if it ended now.
    """
    if mode is None:
        raise BadInput(
            f"pass render_mode when you make the environment: {' or '.join(RENDER_MODES)}"
        )
    if mode == "html":
        return replay_page(_record(setup, seed, played, state, names), seat=seat)
    if mode == "ansi":
        return str(text)
    print(text)
    return None


def _record(
    setup: Setup, seed: Seed, played: list[tuple[int, int]], state: Any, names: list[str]
) -> Record:
    outcome = state.outcome()
    return Record(
        game_id=setup.game.id,
        parameters=setup.game.parameters_form.show(setup.parameters),
        seed=seed,
        entrants=tuple(Entrant(name) for name in names),
        clock="",
        decisions=tuple(Decision(Seat(seat), action, How.CHOSEN, 0) for seat, action in played),
        faults=(),
        outcome=outcome,
        places=outcome.places,
    )

"""Tournaments: enter an event in a league, play it with workers, and read its standings.

The names in `__all__` are public, with those that the `leaderboard` package describes as public;
everything else may change between releases. An event is described by a `Spec`, added to a league by
`enter_event` and played by `run_event`, which also resumes an interrupted event. `run_event` passes
an `EventProgress` to its progress callback, and `standing_of` returns the standings.

>>> from datetime import UTC, datetime
>>> from pathlib import Path
>>> from arena.tournament import Kind, Spec, enter_event, run_event, standing_of
>>> from leaderboard.store import Store
>>> spec = Spec(Kind.ROUND_ROBIN, "meow", bots=("greedy-meow", "random"), seats=2, deals=10, seed=1)
>>> with Store.open(Path("arena.db"), create=True) as store, store.writing() as writer:
...     event = enter_event(writer, spec, now=datetime.now(UTC))
...     finished = run_event(writer, event, jobs=1)
...     standings = standing_of(writer, event).rows()
>>> finished
True
>>> [(row["rank"], row["bot"], row["matches"]) for row in standings]
[(1, 'greedy-meow', 20), (2, 'random', 20)]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.tournament.playing import run_event
    from arena.tournament.progress import EventProgress
    from arena.tournament.setup import enter_event
    from arena.tournament.spec import Kind, Spec
    from arena.tournament.spec_files import read_spec
    from arena.tournament.standing import EventStanding, standing_of

__all__ = [
    "EventProgress",
    "EventStanding",
    "Kind",
    "Spec",
    "enter_event",
    "read_spec",
    "run_event",
    "standing_of",
]

# Imported on first use: a command that only reads an event's spec does not load a referee.
_MODULES = {
    "EventProgress": "progress",
    "EventStanding": "standing",
    "Kind": "spec",
    "Spec": "spec",
    "enter_event": "setup",
    "read_spec": "spec_files",
    "run_event": "playing",
    "standing_of": "standing",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)

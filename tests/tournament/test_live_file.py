"""A live file says what is in play; an event runs even if it cannot be written."""

from __future__ import annotations

from pathlib import Path

from arena.tournament.live_file import LiveFile, read_live
from arena.tournament.progress import BlockInPlay, EventProgress
from arena.workers.assignments import MachineLoad
from arena.workers.pace import Pace

PROGRESS = EventProgress(
    "cup",
    *(2, 1, 3, 12, 1, 6),
    Pace(1.5, 90, 2, 3, 60),
    (("ann", 0.75),),
    (BlockInPlay(0.0, 8, ("ann", "ben")),),
    (MachineLoad("alpha", 30.5, 2, 3, 70, 0),),
)


def test_a_live_file_lists_blocks_and_machines_and_is_removed(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    with LiveFile(db) as live:
        live.update(PROGRESS)
        found = read_live(db)
    assert found == PROGRESS
    assert read_live(db) is None
    assert not list(tmp_path.iterdir())


def test_a_live_file_that_cannot_be_written_does_not_stop_the_event(tmp_path: Path) -> None:
    obstacle = tmp_path / "arena.db-playing"
    obstacle.mkdir()
    for db in (tmp_path / "arena.db", tmp_path / "nowhere" / "arena.db"):
        with LiveFile(db) as live:
            live.update(PROGRESS)
            assert read_live(db) is None
    assert list(tmp_path.iterdir()) == [obstacle]

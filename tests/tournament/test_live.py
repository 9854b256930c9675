"""An event runs even if its live file cannot be written."""

from __future__ import annotations

from pathlib import Path

from arena.tournament.live import LiveFile, LiveMachine, read_live
from arena.tournament.setup import load_runner
from arena.tournament.spec import Kind, Spec
from arena.workers.pool import MachineLoad
from leaderboard.result import Machine
from tests.builders.leagues import NOON, enter, open_league


def test_a_live_file_lists_the_machines_of_a_cluster(tmp_path: Path) -> None:
    load = MachineLoad(Machine("alpha", 30.5), 2, 3, 70, 0)
    with open_league(tmp_path, ["ann", "ben"]) as writer:
        event = enter(writer, Spec(Kind.SWISS, "meow", seats=2, bots=("ann", "ben")))
        run = load_runner(writer, event, now=lambda: NOON)
        db = tmp_path / "arena.db"
        with LiveFile(
            run, db, event=event.name, jobs=1, rate=lambda course: 0.0, machines=lambda: [load]
        ) as live:
            live.update(run.course)
            found = read_live(db)
    assert found
    assert found.jobs == 2
    assert found.machines == (LiveMachine("alpha", 30.5, 2, 3, 70, 0.0),)


def test_a_live_file_that_cannot_be_written_does_not_stop_the_event(tmp_path: Path) -> None:
    names = ["ann", "ben"]
    db = tmp_path / "arena.db"
    obstacle = tmp_path / "arena.db-playing"
    obstacle.mkdir()
    with open_league(tmp_path, names) as writer:
        event = enter(writer, Spec(Kind.SWISS, "meow", seats=2, bots=tuple(names)))
        run = load_runner(writer, event, now=lambda: NOON)
        with LiveFile(run, db, event=event.name, jobs=1, rate=lambda course: 0.0) as live:
            live.update(run.course)
            assert read_live(db) is None
    assert sorted(tmp_path.glob("arena.db-*")) == [obstacle]

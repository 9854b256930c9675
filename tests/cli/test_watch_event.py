"""A running event can be watched, and is distinguished from one that was killed."""

from __future__ import annotations

import fcntl
import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from arena.tournament.live_file import LiveFile, read_live
from arena.tournament.progress import BlockInPlay, EventProgress
from arena.tournament.runner import EventRunner
from arena.tournament.spec import Kind, Spec
from arena.workers.block import Block, Report
from arena.workers.pace import Pace
from leaderboard.events import end_event
from tests.builders.leagues import (
    NAMES,
    NOON,
    FakeWorkers,
    cat_crashes,
    enter,
    league_with_stopped_event,
    open_league,
)
from tests.cli.runner import arena_on, refused
from tests.cli.terminals import Terminal, arena_at_terminal
from tests.sandbox.caged_bot import PATIENCE_S
from tests.tournament.processes import Workspace, event, new_workspace

CUP = Spec(Kind.ROUND_ROBIN, "meow", name="cup", bots=tuple(NAMES), seats=3, seed=0)
IN_PLAY = EventProgress(
    "cup",
    *(2, 1, 3, 12, 1, 6),
    Pace(2.0, 90, 2, 5, 60),
    blocks=(BlockInPlay(0.0, 8, ("ann", "ben")),),
)
WATCH = ("event", "watch")


@contextmanager
def hold_live_file(db: Path, live_event: EventProgress) -> Iterator[None]:
    """Write the live file, as a process that runs an event would."""
    with db.with_name("arena.db-playing").open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(json.dumps(live_event))
        file.flush()
        yield


class PatientWorkers(FakeWorkers):
    """Finishes the oldest block, only on request."""

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        """Queue a block."""
        self.waiting.insert(0, (block, report))


def test_the_progress_of_an_event_is_shown_until_it_ends(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer, ExitStack() as stack:
        cup = enter(writer, CUP)
        run = EventRunner(writer, cup, now=lambda: NOON)
        workers = PatientWorkers(cat_crashes)
        terminals: list[Terminal] = []
        counts: set[int] = set()
        deadline = time.monotonic() + PATIENCE_S

        def should_stop() -> bool:
            """Finish a block only once the terminal shows the current count."""
            assert time.monotonic() < deadline, [each.text for each in terminals]
            if not terminals and read_live(writer.path):
                terminals.append(stack.enter_context(arena_at_terminal(tmp_path, *WATCH)))
            shown = f" {run.course.counted}/"
            if terminals and shown in terminals[0].read_screen() and workers.waiting:
                counts.add(run.course.counted)
                workers.finish_one()
            return False

        with LiveFile(writer.path) as live:
            assert run.play(
                workers, jobs=2, tables=4, on_progress=live.update, should_stop=should_stop
            )
            end_event(writer, cup.id, finished=True, now=NOON)
        (terminal,) = terminals
        assert terminal.wait_for_end() == 0
    assert not list(tmp_path.glob("*playing*"))
    assert len(counts) > 1
    assert terminal.output.endswith(b"cup is finished\r\n")


@contextmanager
def kill_at_the_end(workspace: Workspace, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Start a command, and kill it when the context ends."""
    running = workspace.start(*words)
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def test_a_killed_event_is_not_shown_as_running() -> None:
    words = ("--bots", "random,first", "--seats", "2", "--deals", "5000", "--name", "cup")
    with (
        new_workspace() as workspace,
        kill_at_the_end(workspace, *event("round-robin", *words)) as running,
    ):
        workspace.wait_until(lambda: read_live(workspace.db) is not None)
        assert (live_event := read_live(workspace.db))
        assert live_event.event == "cup"
        with arena_at_terminal(workspace.folder, *WATCH, "cup") as terminal:
            terminal.wait_for(" matches")
            running.kill()
            assert terminal.wait_for_end() == 1
        assert terminal.output.endswith(b"cup was killed\r\n")
        assert workspace.db.with_name("arena.db-playing").exists()
        again = arena_on(workspace.db, "event", "watch", "cup")
        assert again.exit_code == 1
        assert "cup is not in play: it was killed, or has not started yet" in again.stderr


def test_a_message_says_when_no_event_is_running(tmp_path: Path) -> None:
    db = league_with_stopped_event(tmp_path)
    none = arena_on(db, "event", "watch")
    assert (none.exit_code, none.stdout) == (1, "")
    assert "no event is running: start one with `arena event run`" in none.stderr
    for name, how in [("cup", "is finished"), ("open", "was interrupted")]:
        over = arena_on(db, "event", "watch", name)
        assert over.exit_code == 1
        assert f"{name} {how}; see `arena event show {name}`" in over.stderr
    assert "did you mean cup?" in refused(arena_on(db, "event", "watch", "cpu"))
    with hold_live_file(db, IN_PLAY._replace(event="open")):
        assert arena_on(db, "event", "watch", "cup").exit_code == 1


def test_a_live_file_counts_only_while_a_process_locks_it(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    assert read_live(db) is None
    with hold_live_file(db, IN_PLAY):
        assert read_live(db) == IN_PLAY
        (tmp_path / "other.db").symlink_to(db)
        assert read_live(tmp_path / "other.db") == IN_PLAY
    assert read_live(db) is None


@pytest.mark.parametrize("content", ["", "[1]", "{}", '{"blocks": [7]}', "\udcff"])
def test_a_malformed_live_file_is_ignored(content: str, tmp_path: Path) -> None:
    path = tmp_path / "arena.db-playing"
    path.write_text(content, encoding="utf-8", errors="surrogateescape")
    with path.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert read_live(tmp_path / "arena.db") is None

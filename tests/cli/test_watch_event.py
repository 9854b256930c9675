"""A running event can be watched, and is distinguished from one that was killed."""

from __future__ import annotations

import fcntl
import json
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import click
import pytest

from arena.cli.event.watch import event_frames
from arena.tournament.live_file import LiveFile, read_live
from arena.tournament.progress import BlockInPlay, EventProgress
from arena.tournament.runner import EventRunner
from arena.tournament.spec import Kind, Spec
from arena.workers.block import Block, Report
from arena.workers.pace import Pace
from leaderboard.bots import all_versions
from leaderboard.events import end_event, find_event
from leaderboard.matches import results_of
from leaderboard.result import FORFEIT, PLAYED
from leaderboard.store import Store
from tests.builders.leagues import (
    NAMES,
    NOON,
    FakeWorkers,
    cat_crashes,
    enter,
    league_with_stopped_event,
    open_league,
    play_event,
)
from tests.cli.runner import arena_on, refused
from tests.cli.terminals import Terminal, arena_at_terminal
from tests.sandbox.caged_bot import PATIENCE_S
from tests.tournament.processes import Workspace, event, new_workspace

EVIL = "ev\x1b[2Jil"
CUP = Spec(Kind.ROUND_ROBIN, "meow", name="cup", bots=tuple(NAMES), seats=3, seed=0)
IN_PLAY = EventProgress(
    "cup",
    *(2, 1, 3, 12, 1, 6),
    Pace(2.0, 90, 2, 5, 60),
    blocks=(BlockInPlay(0.0, 8, ("ann", "ben")),),
)
WATCH = ("event", "watch", "--every", "0.1")


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


def test_the_blocks_in_play_are_shown_until_the_event_ends(tmp_path: Path) -> None:
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
                assert "in play, with 2 workers" in terminals[0].text
                assert f"  {NOON.astimezone():%H:%M:%S}  " in terminals[0].text
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
        assert terminal.is_restored()
    assert not list(tmp_path.glob("*playing*"))
    assert len(counts) > 1
    assert b"points/match" in terminal.output
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
            terminal.wait_for("cup: round-robin", "in play", "random", "first", "q quit")
            running.kill()
            assert terminal.wait_for_end() == 1
            assert terminal.is_restored()
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


def test_interim_standings_count_all_matches_however_often_they_were_shown_before(
    tmp_path: Path,
) -> None:
    db = tmp_path / "arena.db"
    with (
        open_league(tmp_path, NAMES) as writer,
        Store.open(db) as store,
        hold_live_file(db, IN_PLAY),
    ):
        cup = enter(writer, CUP)
        frames = event_frames(store, db, cup)
        for stop_after in (5, 12, None):
            play_event(writer, "cup", FakeWorkers(cat_crashes), stop_after=stop_after)
            frame = next(frames)
        assert next(frames) is None
        results = list(results_of(store, cup.id, replays=False))
        names = {version.id: version.bot for version in all_versions(store)}
    assert frame
    live_event = [click.unstyle(line).split() for line in frame(0)[-len(NAMES) :]]
    assert sorted(bot for bot, *_ in live_event) == [f"{name}@1" for name in NAMES]
    shares = [share for _, share, *_ in live_event]
    assert shares == sorted(shares, reverse=True)
    for bot, share, wins, matches, mean_place, faults in live_event:
        seats = [
            seat
            for result in results
            for seat in result.seats
            if f"{names[seat.version]}@1" == bot and result.ending != FORFEIT
        ]
        assert int(matches) == len(seats)
        assert share == f"{sum(seat.points for seat in seats) / len(seats):.2f}"
        assert int(wins) == sum(
            seat.place == 1 and [other.place for other in result.seats].count(1) == 1
            for result in results
            for seat in result.seats
            if f"{names[seat.version]}@1" == bot and result.ending != FORFEIT
        )
        assert mean_place == f"{sum(seat.place for seat in seats) / len(seats):.2f}"
        assert int(faults) == sum(seat.ending != PLAYED for seat in seats)


def test_names_in_a_live_file_and_in_the_league_are_escaped(tmp_path: Path) -> None:
    db = league_with_stopped_event(tmp_path)
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE events SET name = ? WHERE name = 'cup'", [EVIL])
        connection.execute("UPDATE bots SET name = ? WHERE name = 'ann'", [EVIL])
    live_event = IN_PLAY._replace(event=EVIL, blocks=(BlockInPlay(0.0, 8, (EVIL,)),))
    with Store.open(db) as store, hold_live_file(db, live_event):
        frame = next(event_frames(store, db, find_event(store, EVIL)))
    assert frame
    text = click.unstyle("\n".join(frame(0)))
    assert text.count("ev�[2Jil") == 3
    assert "\x1b" not in text

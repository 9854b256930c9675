"""Can a running event be watched, and is one that runs no more told from one that does?"""

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

from arena.cli.watching_event import pictures_of
from arena.events.holding import run_of
from arena.events.notice import BlockInPlay, InPlay, Notice, in_play
from arena.events.spec import Kind, Spec
from arena.events.work import Block
from arena.events.workers import Report
from leaderboard.bots import all_versions
from leaderboard.events import end_event, event_named
from leaderboard.matches import results_of
from leaderboard.results import FORFEIT, PLAYED
from leaderboard.store import Store
from tests.cli.leagues import NAMES, arena, crasher, small_league
from tests.cli.terminals import Terminal, arena_at_terminal
from tests.events.leagues import NOON, PretendedWorkers, begun, gone_on, league
from tests.events.processes import Hall, event, new_hall
from tests.sandbox.caged import PATIENCE_S

EVIL = "ev\x1b[2Jil"
CUP = Spec(Kind.ROUND_ROBIN, "meow", name="cup", bots=tuple(NAMES), seats=3, seed=0)
IN_PLAY = InPlay("cup", 2, 1, 3, 12, 1, 2.5, (BlockInPlay(0.0, 8, ("ann", "ben")),))
WATCH = ("event", "watch", "--every", "0.1")


@contextmanager
def held(db: Path, told: InPlay) -> Iterator[None]:
    """Put up a notice, as a process that runs an event would."""
    with db.with_name("arena.db-playing").open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        document = told._asdict() | {"blocks": [block._asdict() for block in told.blocks]}
        file.write(json.dumps(document))
        file.flush()
        yield


class PatientWorkers(PretendedWorkers):
    """Finishes a block only when told to: the one that was handed out first."""

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        """Take a block."""
        self._waiting.insert(0, (block, report))


def test_the_blocks_in_play_are_shown_until_the_event_ends(tmp_path: Path) -> None:
    with league(tmp_path, NAMES) as writer, ExitStack() as stack:
        cup = begun(writer, CUP)
        run = run_of(writer, cup, now=lambda: NOON)
        workers = PatientWorkers(crasher)
        terminals: list[Terminal] = []
        counts: set[int] = set()
        until = time.monotonic() + PATIENCE_S

        def stops() -> bool:
            """Go on only when the terminal shows where the event is."""
            assert time.monotonic() < until, [each.text for each in terminals]
            if not terminals and in_play(writer.path):
                terminals.append(stack.enter_context(arena_at_terminal(tmp_path, *WATCH)))
            shown = f"] {run.course.counted}/"
            if terminals and shown in terminals[0].look() and workers._waiting:
                assert "in play, with 2 workers" in terminals[0].text
                assert f"  {NOON.astimezone():%H:%M:%S}  " in terminals[0].text
                counts.add(run.course.counted)
                workers.finish_one()
            return False

        with Notice(run, writer.path, event="cup", jobs=2, rate=lambda course: 2.5) as notice:
            assert run.play(workers, jobs=2, tables=4, tell=notice.tell, stops=stops)
            end_event(writer, cup.id, finished=True, now=NOON)
        (terminal,) = terminals
        assert terminal.wait_for_end() == 0
        assert terminal.is_as_before()
    assert not list(tmp_path.glob("*playing*"))
    assert len(counts) > 1
    assert b"points a match" in terminal.output
    assert terminal.output.endswith(b"cup is finished\r\n")


@contextmanager
def killed_in_the_end(hall: Hall, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Start a command that is not left to run when something goes wrong."""
    running = hall.begin(*words)
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def test_a_run_that_is_killed_is_not_taken_for_a_running_one() -> None:
    words = ("--bots", "random,first", "--seats", "2", "--deals", "5000", "--name", "cup")
    with new_hall() as hall, killed_in_the_end(hall, *event("round-robin", *words)) as running:
        hall.wait_until(lambda: in_play(hall.db) is not None)
        assert (told := in_play(hall.db))
        assert told.event == "cup"
        with arena_at_terminal(hall.folder, *WATCH, "cup") as terminal:
            terminal.wait_for("cup: round-robin", "in play", "random, first", "q quit")
            running.kill()
            assert terminal.wait_for_end() == 1
            assert terminal.is_as_before()
        assert terminal.output.endswith(b"cup was killed\r\n")
        assert hall.db.with_name("arena.db-playing").exists()
        again = arena(hall.db, "event", "watch", "cup")
        assert again.exit_code == 1
        assert "cup is not in play: it was killed, or it is about to begin" in again.stderr


def test_where_no_event_runs_a_sentence_says_so(tmp_path: Path) -> None:
    db = small_league(tmp_path)
    none = arena(db, "event", "watch")
    assert (none.exit_code, none.stdout) == (1, "")
    assert "no event is running: start one with `arena event run`" in none.stderr
    for name, how in [("cup", "is finished"), ("open", "was stopped")]:
        over = arena(db, "event", "watch", name)
        assert over.exit_code == 1
        assert f"{name} {how}: look at it with `arena event show {name}`" in over.stderr
    unknown = arena(db, "event", "watch", "cpu")
    assert unknown.exit_code == 2
    assert "did you mean cup?" in unknown.stderr
    with held(db, IN_PLAY._replace(event="open")):
        assert arena(db, "event", "watch", "cup").exit_code == 1


def test_a_notice_counts_only_while_somebody_holds_it(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    assert in_play(db) is None
    with held(db, IN_PLAY):
        assert in_play(db) == IN_PLAY
        (tmp_path / "other.db").symlink_to(db)
        assert in_play(tmp_path / "other.db") == IN_PLAY
    assert in_play(db) is None


@pytest.mark.parametrize("content", ["", "[1]", "{}", '{"blocks": [7]}', "\udcff"])
def test_nonsense_is_no_notice(content: str, tmp_path: Path) -> None:
    path = tmp_path / "arena.db-playing"
    path.write_text(content, encoding="utf-8", errors="surrogateescape")
    with path.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert in_play(tmp_path / "arena.db") is None


def test_an_event_goes_on_where_no_notice_can_be_written(tmp_path: Path) -> None:
    with league(tmp_path, NAMES) as writer:
        run = run_of(writer, begun(writer, CUP), now=lambda: NOON)
        nowhere = tmp_path / "nowhere" / "arena.db"
        with Notice(run, nowhere, event="cup", jobs=2, rate=lambda course: 0.0) as notice:
            notice.tell(run.course)
    assert not nowhere.parent.exists()


def test_standings_so_far_are_those_of_all_matches_however_often_one_has_looked(
    tmp_path: Path,
) -> None:
    db = tmp_path / "arena.db"
    with league(tmp_path, NAMES) as writer, Store.open(db) as store, held(db, IN_PLAY):
        cup = begun(writer, CUP)
        pictures = pictures_of(store, db, cup)
        for stop_after in (5, 12, None):
            gone_on(writer, "cup", PretendedWorkers(crasher), stop_after=stop_after)
            picture = next(pictures)
        assert next(pictures) is None
        results = list(results_of(store, cup.id, replays=False))
        names = {version.id: version.bot for version in all_versions(store)}
    assert picture
    told = [line.split() for line in picture[-len(NAMES) :]]
    assert sorted(bot for bot, *_ in told) == NAMES
    shares = [share for _, _, share, *_ in told]
    assert shares == sorted(shares, reverse=True)
    for bot, _, share, wins, matches, mean_place, faults in told:
        seats = [
            seat
            for result in results
            for seat in result.seats
            if names[seat.version] == bot and result.ending != FORFEIT
        ]
        assert int(matches) == len(seats)
        assert share == f"{sum(seat.points for seat in seats) / len(seats):.2f}"
        assert int(wins) == sum(seat.place == 1 for seat in seats)
        assert mean_place == f"{sum(seat.place for seat in seats) / len(seats):.2f}"
        assert int(faults) == sum(seat.ending != PLAYED for seat in seats)


def test_names_in_a_notice_and_in_the_league_move_nothing(tmp_path: Path) -> None:
    db = small_league(tmp_path)
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE events SET name = ? WHERE name = 'cup'", [EVIL])
        connection.execute("UPDATE bots SET name = ? WHERE name = 'ann'", [EVIL])
    told = IN_PLAY._replace(event=EVIL, blocks=(BlockInPlay(0.0, 8, (EVIL,)),))
    with Store.open(db) as store, held(db, told):
        picture = next(pictures_of(store, db, event_named(store, EVIL)))
    assert picture
    text = click.unstyle("\n".join(picture))
    assert text.count("ev�[2Jil") == 3
    assert "\x1b" not in text

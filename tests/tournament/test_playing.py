"""The library call that runs an event."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.tournament.live_file import read_live
from arena.tournament.playing import run_event
from arena.tournament.progress import EventProgress
from arena.tournament.spec import Kind, Spec
from arena.workers.block import Block, Report
from leaderboard.events import find_event
from tests.builders.leagues import NOON, FakeWorkers, enter, open_league

NAMES = ["ann", "ben", "cat"]
CUP = Spec(Kind.ROUND_ROBIN, "meow", bots=tuple(NAMES), seats=2, deals=8, seed=4, name="cup")


class EagerWorkers(FakeWorkers):
    """Workers that finish every block at once."""

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        """Take a block and finish it."""
        self.waiting.append((block, report))
        self.finish_one()


def test_an_event_is_interrupted_and_resumed_and_finished_only_once(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        event = enter(writer, CUP)
        stored: list[int] = []

        def watch(progress: EventProgress) -> None:
            live = read_live(writer.path)
            assert live is None or live.event == "cup"
            stored.append(progress.counted)

        def run(stop_after: int) -> tuple[bool, str]:
            finished = run_event(
                writer,
                find_event(writer, "cup"),
                tables=4,
                on_progress=watch,
                should_stop=lambda: bool(stored) and stored[-1] >= stop_after,
                workers=EagerWorkers(),
                now=lambda: NOON,
            )
            return finished, find_event(writer, "cup").status

        assert event.status == "running"
        assert run(stop_after=1) == (False, "interrupted")
        assert 1 <= stored[-1] < 48
        assert run(stop_after=100) == (True, "finished")
        assert stored[-1] == 48
        calls = len(stored)
        assert run(stop_after=100) == (True, "finished")
        assert len(stored) == calls
    assert read_live(tmp_path / "arena.db") is None


def test_an_event_that_fails_is_marked_as_interrupted(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        event = enter(writer, CUP)

        def fail(progress: EventProgress) -> None:
            raise OSError("the terminal is closed")

        with pytest.raises(OSError, match="the terminal is closed"):
            run_event(writer, event, on_progress=fail, workers=EagerWorkers())
        assert find_event(writer, "cup").status == "interrupted"
    assert not list(tmp_path.glob("*playing*"))

"""A check takes turns with matches, and the machine's failures are not the bot's."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.serve.checking import is_frozen
from arena.workers.generation_lock import GenerationLock
from leaderboard.seasons import Season
from leaderboard.store import Store
from leaderboard.uploads import (
    WAITING,
    end_upload,
    find_upload,
    next_upload,
    package_of_upload,
    requeue_waiting,
)
from tests.cages import cage_name
from tests.serve.in_process import InProcess, bot_files
from tests.serve.processes import wait_for

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def start_check(league: InProcess, number: int) -> subprocess.Popen[str]:
    """Start the process that checks a package."""
    return subprocess.Popen(
        [sys.executable, "-m", "arena.serve.checking", str(league.path), str(number)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def caged(tmp_path: Path) -> Iterator[InProcess]:
    """Serve a league whose bots are in the cage that this machine has."""
    change = ("limits =", f'cage = "{cage_name()}"\nlimits =')
    freeze = ("# freeze = 2030-06-01T12:00:00Z", "freeze = 2020-06-01T12:00:00Z")
    league = InProcess(tmp_path, change, freeze)
    yield league
    league.close()


def test_a_check_waits_for_the_end_of_a_generation(caged: InProcess) -> None:
    caged.submit(caged.author("ada"), bot_files("mouse", code="raise SystemExit"))
    generation = GenerationLock(lambda: False)
    generation.take()
    process = start_check(caged, 1)
    assert process.stdout
    assert process.stdin
    with process:
        # It waits in line before it starts the bot.
        line = Path(f"/proc/{process.pid}/fd")
        wait_for(lambda: any("arena." in str(fd.readlink()) for fd in line.iterdir()))
        with Store.open(caged.db) as store:
            assert next_upload(store)
        generation.release()
        steps = process.stdout.read()
        process.stdin.close()
    assert '"title": "manifest"' in steps
    with Store.open(caged.db) as store:
        done = find_upload(store, 1)
    assert done
    assert (done.status, done.sentence.partition(":")[0]) == ("refused", "start")
    assert done.cpu_ms > 0


def test_a_check_ends_with_the_server(caged: InProcess) -> None:
    caged.submit(caged.author("ada"), bot_files("mouse"))
    generation = GenerationLock(lambda: False)
    generation.take()
    with start_check(caged, 1) as process:
        assert process.stdin
        process.stdin.close()
        assert process.wait(120) == 1
    generation.release()
    with Store.open(caged.db) as store:
        assert next_upload(store)


@pytest.mark.parametrize(
    ("freeze", "opened", "expected"),
    [
        (None, NOON, False),
        (NOON + timedelta(days=1), NOON, False),
        (NOON + timedelta(days=-1), NOON - timedelta(days=9), True),
        # A season that was opened after the date is not frozen by it.
        (NOON + timedelta(days=-1), NOON, False),
    ],
    ids=["no date", "before it", "after it", "next season"],
)
def test_submissions_wait_after_the_freeze_until_the_next_season(
    league: InProcess, freeze: datetime | None, opened: datetime, expected: bool
) -> None:
    config = league.config.model_copy(update={"freeze": freeze})
    season = Season(1, "autumn", f"{opened:%Y-%m-%d %H:%M:%S}", None, None, [])
    assert is_frozen(config, [season], NOON) is expected


def test_what_waited_is_checked_again_in_the_next_season(league: InProcess) -> None:
    league.submit(league.author("ada"), bot_files("kitten"))
    with Store.open(league.db) as store, store.writing_bots() as writer:
        end_upload(writer, 1, WAITING, "it waits", now=NOON)
        assert next_upload(store) is None
        assert package_of_upload(store, 1)
        requeue_waiting(writer)
        assert next_upload(store)

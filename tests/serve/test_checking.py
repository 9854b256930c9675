"""A check takes turns with matches, and the machine's failures are not the bot's."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.serve.checking import is_frozen
from arena.workers.generation_lock import GenerationLock, Interrupted
from leaderboard.seasons import Season
from leaderboard.store import Store
from leaderboard.uploads import (
    WAITING,
    end_upload,
    find_upload,
    next_upload,
    package_of_upload,
    queue_length,
    requeue_waiting,
)
from tests.cages import cage_name
from tests.serve.in_process import InProcess, bot_files

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


@pytest.fixture
def caged(tmp_path: Path) -> Iterator[InProcess]:
    """Serve a league whose bots are in the cage that this machine has."""
    change = ("limits =", f'cage = "{cage_name()}"\nlimits =')
    freeze = ("# freeze = 2030-06-01T12:00:00Z", "freeze = 2020-06-01T12:00:00Z")
    league = InProcess(tmp_path, change, freeze)
    yield league
    league.close()


async def wait_until(look: Callable[[], Awaitable[bool]]) -> None:
    """Wait until a function returns True."""
    async with asyncio.timeout(300):
        while not await look():
            await asyncio.sleep(0.05)


def test_checks_wait_for_the_end_of_a_generation_and_run_together(caged: InProcess) -> None:
    for author in ("ada", "grace"):
        bot = bot_files(f"mouse-{author}", code="raise SystemExit")
        caged.submit(caged.author(author), bot)
    generation = GenerationLock(lambda: False)
    generation.take()
    most = 0

    async def others_wait() -> bool:
        return generation.is_over

    async def are_done() -> bool:
        nonlocal most
        most = max(most, len(caged.service.checking))
        return await caged.service.file.read(queue_length) == 0

    async def check() -> None:
        checks = asyncio.create_task(caged.service.check_queue())
        await wait_until(others_wait)
        assert not caged.service.checking
        generation.release()
        await wait_until(are_done)
        checks.cancel()
        await asyncio.gather(checks, return_exceptions=True)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.workers.generation_lock.TURN_S", 0.0)
        caged.run(check())
    assert most == 2
    with Store.open(caged.db) as store:
        done = [find_upload(store, number) for number in (1, 2)]
    for each in done:
        assert each
        assert (each.status, each.sentence.partition(":")[0]) == ("refused", "start")
        assert each.cpu_ms > 0


def test_a_check_ends_with_the_server_and_holds_its_turn_until_then(caged: InProcess) -> None:
    caged.submit(caged.author("ada"), bot_files("mouse"))
    turn = GenerationLock(lambda: False)
    turn.take()
    words = (str(caged.path), "1", str(turn.descriptor))
    with subprocess.Popen(
        [sys.executable, "-m", "arena.serve.checking", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        pass_fds=[turn.descriptor],
    ) as process:
        assert process.stdin
        assert process.stdout
        assert '"title": "manifest"' in process.stdout.readline()
        turn.release()
        with pytest.raises(Interrupted):
            GenerationLock(lambda: True).take()
        process.stdin.close()
        assert process.wait(120) == 1
    # Released: while this process holds it, no event with secret deals is played.
    turn.take()
    turn.release()
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

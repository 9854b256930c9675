"""An event has the same result for any number of workers, and however often it is killed.

These tests run real commands, bots and signals, and compare the league files.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena.tournament.spec import Kind, Spec
from arena.tournament.verification.league import check_league
from leaderboard.store import Store
from tests.cages import cage
from tests.rogues.cheats.cheat import CHEAT
from tests.tournament.processes import (
    Workspace,
    differences,
    enter_sealed,
    new_workspace,
    resume,
    rows_without_times,
    submit_bots,
)

FIRST_S = 1.5
"""Long enough for the command, its workers and the bots to start, and perhaps a few matches."""
BOTS = {
    "ann": (),
    "dan": ("cheat", CHEAT),
    "moody": ("0.1",),
    "moodier": ("0.4",),
}
"""Dan remembers every deal, and would play differently if it recognised one."""


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """Return a league of four bots: two crash now and then, and one remembers deals."""
    with new_workspace() as workspace:
        submit_bots(workspace, BOTS)
        yield workspace


def spec_of(kind: Kind, kills: int) -> Spec:
    """Return an event of all bots, with secret deals, that is long enough for this many kills."""
    deals = max(2, 2 * kills)
    spec = Spec(kind, "meow", name="cup", bots=tuple(BOTS), seats=3, deals=deals, cage=cage().name)
    # Four rounds have two fifths of the matches of a round-robin.
    return spec if kind is Kind.ROUND_ROBIN else replace(spec, deals=5 * deals // 2, rounds=4)


def kill_and_resume(workspace: Workspace, command: list[str], kills: int, matches: int) -> int:
    """Kill an event several times, then run it to its end; return the number of kills that hit.

    Kills alternate: one comes after a few more matches are stored, few enough for the event to
    outlast all kills, the next shortly after the start.
    """
    rng = random.Random(kills)
    for hits in range(kills):
        jobs, tables = rng.choice((1, 2)), rng.choice((1, 8, 64))
        stored = len(rows_without_times(workspace.db)["matches"])
        more = rng.randint(1, max(1, (matches - stored) // (4 * (kills - hits))))
        deadline = time.monotonic() + rng.uniform(0, FIRST_S)
        with workspace.start(*command, "--jobs", str(jobs), "--tables", str(tables)) as process:
            while process.poll() is None:
                if not hits % 2 and workspace.count_matches() >= stored + more:
                    break
                if hits % 2 and time.monotonic() >= deadline:
                    break
                time.sleep(0.01)
            process.kill()
        if process.returncode == 0 or workspace.is_finished():
            return hits
        if rows_without_times(workspace.db)["events"]:
            command = resume("--quiet")
    done = workspace.run(*command, "--jobs", "2", "--tables", "64")
    assert done.returncode == 0, done.stderr
    return kills


@pytest.mark.parametrize(
    "kind",
    [
        Kind.ROUND_ROBIN,
        # `test_until_sure` and the cluster are enough for every day.
        pytest.param(Kind.SWISS, marks=pytest.mark.slow),
        pytest.param(Kind.LADDER, marks=pytest.mark.slow),
    ],
    ids=lambda kind: kind.value,
)
@pytest.mark.parametrize(
    "kills",
    [2, pytest.param(30, marks=pytest.mark.slow), pytest.param(100, marks=pytest.mark.slow)],
)
def test_an_event_has_the_same_result_with_any_workers_and_after_any_kills(
    workspace: Workspace, kind: Kind, kills: int
) -> None:
    enter_sealed(workspace.db, spec_of(kind, kills))
    command = resume("cup", "--quiet")
    league = workspace.db.read_bytes()
    done = workspace.run(*command, "--jobs", "1", "--tables", "1")
    assert done.returncode == 0, done.stderr
    found = rows_without_times(workspace.db)
    workspace.db.write_bytes(league)
    assert kill_and_resume(workspace, command, kills, len(found["matches"])) >= kills // 2
    assert differences(found, rows_without_times(workspace.db)) == []
    endings = str(found["seats"])
    assert "crashed" in endings
    assert "forfeit" in endings
    with Store.open(workspace.db) as store:
        assert check_league(store).wrong == []
    workspace.wait_until_empty()
    assert workspace.leftover_folders() == []

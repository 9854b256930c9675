"""Does an event come out the same however many play it, and however often it is killed?

With real processes, bots and signals: the event is a command, and what is compared is its file.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator

import pytest

from arena.events.spec import Kind
from tests.events.processes import Hall, contents, differences, enter, event, new_hall

LATEST_S = 4.0
"""When a run is killed at the latest: in it, workers start, bots do, and some blocks are played."""
BOTS = {"ann": (), "ben": (), "cat": (), "dan": (), "moody": ("0.1",), "moodier": ("0.4",)}


@pytest.fixture
def hall() -> Iterator[Hall]:
    """Give a hall with a league of six bots, two of which crash now and then."""
    with new_hall() as hall:
        enter(hall, BOTS)
        yield hall


def words(kind: Kind, deals: int) -> list[str]:
    """Write the command for an event of all bots."""
    rounds = ["--rounds", "4"] if kind is Kind.SWISS else []
    return [
        *event(
            kind.value, "--bots", ",".join(BOTS), "--name", "cup", "--seats", "3", "--seed", "5"
        ),
        *("--deals", str(deals), *rounds),
    ]


def killed_and_resumed(hall: Hall, command: list[str], kills: int) -> int:
    """Run an event that is killed so many times, unless it ends before; return how often it was."""
    rng = random.Random(kills)
    for killed in range(kills):
        jobs, tables = rng.choice((1, 2)), rng.choice((1, 8, 64))
        with hall.begin(*command, "--jobs", str(jobs), "--tables", str(tables)) as process:
            try:
                process.wait(rng.uniform(0, LATEST_S))
            except subprocess.TimeoutExpired:
                process.kill()
            else:
                assert process.returncode == 0, process.stderr and process.stderr.read()
                return killed
        if hall.db.exists() and "cup" in str(contents(hall.db)["events"]):
            command = ["event", "resume"]
    done = hall.run(*command)
    assert done.returncode == 0, done.stderr
    return kills


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
@pytest.mark.parametrize(
    "kills",
    [5, pytest.param(30, marks=pytest.mark.slow), pytest.param(100, marks=pytest.mark.slow)],
)
def test_an_event_comes_out_the_same_with_any_workers_and_after_any_kills(
    hall: Hall, kind: Kind, kills: int
) -> None:
    command = words(kind, deals=1 if kills < 10 else kills // 2)
    league = hall.db.read_bytes()
    found = {}
    for jobs, tables in ((1, 1), (2, 64)):
        hall.db.write_bytes(league)
        done = hall.run(*command, "--jobs", str(jobs), "--tables", str(tables))
        assert done.returncode == 0, done.stderr
        found[jobs] = contents(hall.db)
    hall.db.write_bytes(league)
    killed = killed_and_resumed(hall, command, kills)
    found[0] = contents(hall.db)
    assert differences(found[1], found[2]) == []
    assert differences(found[1], found[0]) == []
    endings = str(found[1]["seats"])
    assert "crashed" in endings
    assert "forfeit" in endings
    assert killed >= min(kills, 3)
    verified = hall.run("verify")
    assert verified.returncode == 0, verified.stdout
    hall.wait_until_empty()
    assert hall.places() == []

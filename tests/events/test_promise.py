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


def words(kind: Kind, kills: int) -> list[str]:
    """Write the command for an event of all bots that lasts longer than so many kills."""
    deals = max(3, 2 * kills // 3)
    # Four rounds have two fifths of the matches that meeting everybody has.
    more: tuple[str, ...] = ("--deals", str(deals))
    if kind is Kind.SWISS:
        more = ("--deals", str(5 * deals // 2), "--rounds", "4")
    return [
        *event(
            kind.value, "--bots", ",".join(BOTS), "--name", "cup", "--seats", "3", "--seed", "5"
        ),
        *(*more, "--quiet"),
    ]


def killed_and_resumed(hall: Hall, command: list[str], kills: int) -> None:
    """Run an event that is killed so many times, and at last not."""
    rng = random.Random(kills)
    for _ in range(kills):
        jobs, tables = rng.choice((1, 2)), rng.choice((1, 8, 64))
        with hall.begin(*command, "--jobs", str(jobs), "--tables", str(tables)) as process:
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(rng.uniform(0, LATEST_S))
            process.kill()
        if contents(hall.db)["events"]:
            command = ["event", "resume", "--quiet"]
    done = hall.run(*command)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.value)
@pytest.mark.parametrize(
    "kills",
    [5, pytest.param(30, marks=pytest.mark.slow), pytest.param(100, marks=pytest.mark.slow)],
)
def test_an_event_comes_out_the_same_with_any_workers_and_after_any_kills(
    hall: Hall, kind: Kind, kills: int
) -> None:
    command = words(kind, kills)
    league = hall.db.read_bytes()
    found = {}
    for jobs, tables in ((1, 1), (2, 64)):
        hall.db.write_bytes(league)
        done = hall.run(*command, "--jobs", str(jobs), "--tables", str(tables))
        assert done.returncode == 0, done.stderr
        found[jobs] = contents(hall.db)
    hall.db.write_bytes(league)
    killed_and_resumed(hall, command, kills)
    found[0] = contents(hall.db)
    assert differences(found[1], found[2]) == []
    assert differences(found[1], found[0]) == []
    endings = str(found[1]["seats"])
    assert "crashed" in endings
    assert "forfeit" in endings
    verified = hall.run("verify")
    assert verified.returncode == 0, verified.stdout
    hall.wait_until_empty()
    assert hall.places() == []

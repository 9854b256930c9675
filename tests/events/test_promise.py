"""Does an event come out the same however many play it, and however often it is killed?

With real processes, bots and signals: the event is a command, and what is compared is its file.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

from arena.events.spec import Kind
from tests.events.processes import Hall, contents, differences, enter, event, new_hall, resume
from tests.rogues.cheats.cheat import CHEAT

FIRST_S = 1.5
"""In this time the command starts, and its workers, and the bots; some matches may be played."""
BOTS = {
    "ann": (),
    "ben": (),
    "cat": (),
    "dan": ("recogniser", CHEAT),
    "moody": ("0.1",),
    "moodier": ("0.4",),
}
"""Dan remembers everything, and plays otherwise if he ever recognises a deal."""


@pytest.fixture
def hall() -> Iterator[Hall]:
    """Give a hall with a league of six bots, two of which crash now and then, and one remembers."""
    with new_hall() as hall:
        enter(hall, BOTS)
        yield hall


def words(kind: Kind, kills: int) -> list[str]:
    """Write the command for an event of all bots that lasts longer than so many kills."""
    deals = max(5, 2 * kills // 3)
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


def killed_and_resumed(hall: Hall, command: list[str], kills: int, matches: int) -> int:
    """Run an event that is killed so many times, and at last not; return how many of them hit.

    Every other kill comes within the first moments, whatever is done then, and every other when
    some more matches are stored: so few that the event is likely to outlast all kills.
    """
    rng = random.Random(kills)
    for hits in range(kills):
        jobs, tables = rng.choice((1, 2)), rng.choice((1, 8, 64))
        stored = len(contents(hall.db)["matches"])
        more = rng.randint(1, max(1, (matches - stored) // (4 * (kills - hits))))
        until = time.monotonic() + rng.uniform(0, FIRST_S)
        with hall.begin(*command, "--jobs", str(jobs), "--tables", str(tables)) as process:
            while process.poll() is None:
                if hits % 2 and hall.stored() >= stored + more:
                    break
                if not hits % 2 and time.monotonic() >= until:
                    break
                time.sleep(0.01)
            process.kill()
        if process.returncode == 0:
            return hits
        if contents(hall.db)["events"]:
            command = resume("--quiet")
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
    command = words(kind, kills)
    league = hall.db.read_bytes()
    found = {}
    for jobs, tables in ((1, 1), (2, 64)):
        hall.db.write_bytes(league)
        done = hall.run(*command, "--jobs", str(jobs), "--tables", str(tables))
        assert done.returncode == 0, done.stderr
        found[jobs] = contents(hall.db)
    hall.db.write_bytes(league)
    assert killed_and_resumed(hall, command, kills, len(found[1]["matches"])) > kills // 2
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

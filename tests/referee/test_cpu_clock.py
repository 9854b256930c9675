"""Does a clock that counts processor time charge real bots what they use, and nothing else?"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.records import Record, SeatEnding
from arena.referee.clock import CORES, Clock
from arena.replays.format import read_replay
from tests.referee.accounts import spending
from tests.referee.matches import (
    ROGUES,
    Impatient,
    anybody,
    bot,
    children,
    fixtures,
    played,
    timeless,
)

BUSY = """
import os, time
end, parent = time.monotonic() + 60, os.getppid()
while time.monotonic() < end and os.getppid() == parent:
    pass
"""
"""A process that keeps a core busy, for a minute at most and no longer than whoever started it."""


@contextmanager
def busy_neighbours(count: int) -> Iterator[None]:
    """Load the machine."""
    # Each in a session of its own: the system shares a core among sessions first.
    command = [sys.executable, "-c", BUSY]
    neighbours = [subprocess.Popen(command, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()


def test_a_bot_that_sleeps_is_charged_by_the_wall_clock_alone() -> None:
    clock = Clock(0.5, counts_cpu=True)
    record, accounts = spending("sleep", 0.05, anybody("a"), clock=clock)
    assert record.faults == ()
    assert all(account.charged_s <= account.used_s for account in accounts)
    assert all(account.took_s >= 0.05 * account.decisions for account in accounts)
    assert accounts[-1].took_s > clock.bank_s, "by a wall clock of the same bank it had overrun"


def test_a_bot_is_charged_for_all_its_threads() -> None:
    record, accounts = spending("threads", 0.01, anybody("a"), clock=Clock(60, counts_cpu=True))
    assert record.faults == ()
    assert all(account.charged_s >= 4 * 0.01 * account.decisions for account in accounts)


def test_neighbours_that_burn_the_machine_are_not_on_an_honest_bot_s_clock() -> None:
    with busy_neighbours(4 * CORES):
        record, accounts = spending("work", 0.01, anybody("a"), clock=Clock(60, counts_cpu=True))
    assert record.faults == ()
    assert all(account.charged_s <= account.used_s for account in accounts)


MATCHES = fixtures(2, 2, seed=3)
"""The rogue sins in the first of them."""
CATCHES = {
    "burn": (
        Clock(0.3, 0.3, counts_cpu=True),
        r"it had (\d\.\d{3}) s of processor time left and used (\d\.\d{3}) s",
    ),
    "overrun": (
        Impatient(0.5, 0.5, counts_cpu=True),
        r"it had \d\.\d s left by the wall clock and did not answer in that time",
    ),
}


def against_honest(sin: str, clock: Clock, *, tables: int) -> list[Record]:
    """Play a match in which a rogue sins and one in which it does not."""
    players = [bot("honest", "honest.py"), bot("rogue", "rogue.py", sin)]
    return played(players, MATCHES, tables=tables, clock=clock)


@pytest.mark.parametrize("sin", CATCHES)
def test_who_burns_or_sleeps_for_ever_overruns_and_loses_that_match_alone(sin: str) -> None:
    clock, sentence = CATCHES[sin]
    before = children()
    sinful, honest = against_honest(sin, clock, tables=1)
    (fault,) = sinful.faults
    assert (fault.seat, fault.ending) == (1, SeatEnding.OVERRUN)
    found = re.fullmatch(sentence, fault.sentence)
    assert found, fault.sentence
    assert sorted(found.groups()) == list(found.groups()), "it used more than it had"
    assert honest.faults == ()
    at_once = against_honest(sin, clock, tables=2)
    assert list(map(timeless, at_once)) == [timeless(sinful), timeless(honest)]
    assert children() == before, "a process was left behind"


def test_a_replay_with_such_a_clock_is_verified_and_shown(tmp_path: Path) -> None:
    path = str(tmp_path / "match.replay")
    players = [str(ROGUES / "honest.py"), "random"]
    for words in (
        ["play", "meow", *players, "--clock", "cpu:60+0.5", "--save", path],
        ["replay", "verify", path],
        ["replay", "show", path],
    ):
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, result.output
    record = read_replay(Path(path).read_bytes())
    assert record.clock == "cpu:60+0.5"
    assert record.faults == ()

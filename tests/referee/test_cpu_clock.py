"""A cpu clock charges real bots exactly the CPU time that they use."""

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
from tests.builders.bots import HONEST
from tests.builders.matches import (
    ShortWallClock,
    child_processes,
    make_fixtures,
    play_fixtures,
    random_player,
    rogue,
)
from tests.referee.time_accounts import play_spender

BUSY = """
import os, time
end, parent = time.monotonic() + 60, os.getppid()
while time.monotonic() < end and os.getppid() == parent:
    pass
"""
"""A process that keeps a core busy for at most a minute, and ends with its parent."""


@contextmanager
def busy_neighbours(count: int) -> Iterator[None]:
    """Load the machine."""
    # Each in its own session: the scheduler divides a core among sessions first.
    command = [sys.executable, "-c", BUSY]
    neighbours = [subprocess.Popen(command, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()


def test_a_bot_that_sleeps_is_charged_only_on_the_wall_clock() -> None:
    clock = Clock(0.5, counts_cpu=True)
    record, accounts = play_spender("sleep", 0.05, random_player("a"), clock=clock)
    assert record.faults == ()
    assert all(account.charged_s <= account.used_s for account in accounts)
    assert all(account.took_s >= 0.05 * account.decisions for account in accounts)
    assert accounts[-1].took_s > clock.bank_s, (
        "on a wall clock with this bank it would have overrun"
    )


def test_a_bot_is_charged_for_all_its_threads() -> None:
    record, accounts = play_spender(
        "threads", 0.01, random_player("a"), clock=Clock(60, counts_cpu=True)
    )
    assert record.faults == ()
    assert all(account.charged_s >= 4 * 0.01 * account.decisions for account in accounts)


@pytest.mark.slow
def test_busy_neighbours_are_not_charged_to_an_honest_bots_clock() -> None:
    with busy_neighbours(2 * CORES):
        record, accounts = play_spender(
            "work", 0.01, random_player("a"), clock=Clock(60, counts_cpu=True)
        )
    assert record.faults == ()
    assert all(account.charged_s <= account.used_s for account in accounts)


MATCHES = make_fixtures(2, 2, seed=3)
"""The rogue misbehaves in the first of them."""
CATCHES = {
    "burn": (
        Clock(0.3, 0.3, counts_cpu=True),
        r"it had (\d\.\d{3}) s of CPU time left and used (\d\.\d{3}) s",
    ),
    "overrun": (
        ShortWallClock(2.0, 0.5, counts_cpu=True),
        r"it had \d\.\d s left by the wall clock and did not answer in that time",
    ),
}


def against_honest(misdeed: str, clock: Clock, *, tables: int) -> list[Record]:
    """Play a match in which a rogue misbehaves and one in which it does not."""
    players = [rogue("honest", "honest.py"), rogue("rogue", "rogue.py", misdeed)]
    return play_fixtures(players, MATCHES, tables=tables, clock=clock)


@pytest.mark.parametrize("tables", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("misdeed", CATCHES)
def test_a_bot_that_works_or_sleeps_forever_overruns_and_loses_only_that_match(
    misdeed: str, tables: int
) -> None:
    clock, sentence = CATCHES[misdeed]
    before = child_processes()
    faulty, honest = against_honest(misdeed, clock, tables=tables)
    (fault,) = faulty.faults
    assert (fault.seat, fault.ending) == (1, SeatEnding.OVERRUN)
    found = re.fullmatch(sentence, fault.sentence)
    assert found, fault.sentence
    assert sorted(found.groups()) == list(found.groups()), "it used more than it had"
    assert honest.faults == ()
    assert child_processes() <= before, "a process was left behind"


def test_a_replay_with_a_cpu_clock_is_verified_and_shown(tmp_path: Path) -> None:
    path = str(tmp_path / "match.replay")
    players = [str(HONEST), "random"]
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

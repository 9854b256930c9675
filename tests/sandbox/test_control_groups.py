"""Bots that may start processes get a control group, and none is left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.sandbox import control_groups
from arena.sandbox.control_group import ControlGroup, make_group, remove_groups
from arena.sandbox.control_groups import control_group_problem, current_group
from arena.sandbox.tempdir import sweep
from tests.sandbox.caged_bot import PATIENCE_S, PRELUDE, run_caged

needs_groups = pytest.mark.skipif(
    control_group_problem() is not None, reason=f"control groups: {control_group_problem()}"
)
SLEEPER = "while true; do sleep 1; done"


@pytest.fixture
def group(tmp_path: Path) -> Iterator[ControlGroup]:
    """Make a group."""
    made = make_group(tmp_path, current_group())
    yield made
    assert made.remove(PATIENCE_S)


def groups_of(base: Path) -> list[Path]:
    """List the groups of the temporary folders in a folder."""
    names = [path.name for path in base.iterdir()]
    return [path for path in current_group().iterdir() if path.name.rpartition("-")[0] in names]


@needs_groups
@pytest.mark.parametrize("processes", [0, 2])
def test_a_bot_that_may_start_processes_has_its_own_group(base: Path, processes: int) -> None:
    async def run() -> None:
        code = f"{PRELUDE}send('there'); receive()"
        async with run_caged(code, limits={"processes": processes}) as bot:
            assert await bot.receive() == "there"
            groups = groups_of(base)
            assert len(groups) == bool(processes)
            pid = bot.process.bot_pid()
            for group in groups:
                assert str(pid) in (group / "cgroup.procs").read_text().split()
                assert str(os.getpid()) not in (group / "cgroup.procs").read_text().split()
            bot.process.kill()
            assert groups_of(base) == []

    asyncio.run(run())


@needs_groups
def test_a_group_lists_all_processes_started_in_it(group: ControlGroup) -> None:
    code = "for n in 1 2 3; do (sleep 600 &) ; done; echo; exec sleep 600"
    with subprocess.Popen(
        [*group.join_command(), "sh", "-c", code], stdout=subprocess.PIPE
    ) as program:
        assert program.stdout
        program.stdout.readline()
        assert len(group.pids()) == 4
        assert program.pid in group.pids()
        assert group.cpu_s() > 0
        group.kill()


@needs_groups
def test_a_frozen_group_is_killed_and_removed(group: ControlGroup) -> None:
    words = [*group.join_command(), "sh", "-c", f"echo; {SLEEPER}"]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as program:
        assert program.stdout
        program.stdout.readline()
        group.freeze()
        assert group.remove(PATIENCE_S)
        assert program.wait() == -signal.SIGKILL
        assert not group.path.exists()


KILLED = """
import asyncio, os, signal, sys
sys.path.insert(0, sys.argv[1])
from tests.sandbox.caged_bot import PRELUDE, run_caged
async def run():
    async with run_caged(f"{PRELUDE}send('there'); receive()", limits={"processes": 2}) as bot:
        await bot.receive()
        os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(run())
"""


@needs_groups
def test_groups_left_by_a_killed_referee_are_swept(base: Path) -> None:
    root = str(Path(__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", KILLED, root], stderr=subprocess.PIPE)
    assert done.returncode == -signal.SIGKILL, done.stderr
    left = groups_of(base)
    assert len(left) == 1
    sweep()
    assert not left[0].exists()
    assert os.listdir(base) == []


@needs_groups
def test_a_group_that_is_still_in_use_is_left_to_the_next_sweep(tmp_path: Path) -> None:
    group = make_group(tmp_path, current_group())
    inner = group.path / "inner"
    inner.mkdir()
    assert not remove_groups(tmp_path, timeout_s=0)
    inner.rmdir()
    assert remove_groups(tmp_path, timeout_s=0)
    assert not group.path.exists()


def test_a_folder_without_groups_has_none_to_remove(tmp_path: Path) -> None:
    assert remove_groups(tmp_path)


def test_bots_run_without_a_group_if_none_can_be_created(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(control_groups, "current_group", lambda: base / "nowhere")
    control_groups._find_problem.cache_clear()
    try:
        assert "No such file or directory" in (control_group_problem() or "")
        assert control_groups.make_group_if_possible(base) is None
    finally:
        control_groups._find_problem.cache_clear()

"""As many bots stay running as the memory of the machine or the container allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.workers.capacity import max_bots, processes_that_fit

GIB = 1 << 30
PROCESS = 48 << 20
"""The memory that is set aside for each process."""


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    """Return the proc folder of a machine with 16 GiB of memory, of which 12 are available."""
    folder = tmp_path / "proc"
    (folder / "self").mkdir(parents=True)
    (folder / "self/cgroup").write_text("4:pids:/old\n0::/jobs/arena\n")
    (folder / "meminfo").write_text(
        f"MemTotal: {16 * GIB >> 10} kB\nMemAvailable: {12 * GIB >> 10} kB\nHugePages_Total: 0\n"
    )
    return folder


@pytest.fixture
def groups(tmp_path: Path) -> Path:
    """Return the folder of control groups without limits."""
    folder = tmp_path / "groups"
    for group in (folder, folder / "jobs", folder / "jobs/arena"):
        group.mkdir()
        (group / "memory.max").write_text("max\n")
    return folder


def limit(group: Path, kind: str, *, most: int, used: int) -> None:
    """Give a control group a limit."""
    (group / f"{kind}.max").write_text(f"{most}\n")
    (group / f"{kind}.current").write_text(f"{used}\n")


def test_a_quarter_of_the_memory_stays_free(proc: Path, groups: Path) -> None:
    assert processes_that_fit(proc, groups) == 8 * GIB // PROCESS


def test_there_is_room_for_none_if_memory_is_short(proc: Path, groups: Path) -> None:
    (proc / "meminfo").write_text("MemTotal: 1000000 kB\nMemAvailable: 200000 kB\n")
    assert processes_that_fit(proc, groups) == 0


@pytest.mark.parametrize("group", [".", "jobs", "jobs/arena"])
def test_the_memory_of_a_container_counts(proc: Path, groups: Path, group: str) -> None:
    limit(groups / group, "memory", most=4 * GIB, used=GIB)
    assert processes_that_fit(proc, groups) == 2 * GIB // PROCESS


def test_the_number_of_processes_in_a_container_counts(proc: Path, groups: Path) -> None:
    limit(groups / "jobs", "pids", most=100, used=20)
    assert processes_that_fit(proc, groups) == 10


def test_this_machine_can_be_measured() -> None:
    assert processes_that_fit() >= 0


def test_workers_share_the_room() -> None:
    assert max_bots(400, jobs=1) == 400
    assert max_bots(400, jobs=8) == 50

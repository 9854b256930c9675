"""Full, read-only and unmounted file systems, and too little memory; these need root."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from unittest.mock import patch

from tests.faults.event import LOCAL, RESUME, Skipped, Trial
from tests.tournament.processes import Workspace

_MIB = 1 << 20
_GROUPS = Path("/sys/fs/cgroup/memory")


def _run(*words: str | Path) -> None:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Skipped(f"{' '.join(map(str, words[:2]))}: {done.stderr.strip()}")


@contextmanager
def _on_small_disk(trial: Trial, size: int) -> Iterator[Trial]:
    """Move a trial to a small file system, with its temporary files."""
    if os.geteuid() != 0:
        raise Skipped("only root can mount a file system")
    folder = trial.workspace.folder / f"{trial.workspace.folder.name}-small"
    folder.mkdir()
    _run("mount", "-t", "tmpfs", "-o", f"size={size},mode=0711", "tmpfs", folder)
    try:
        yield Trial(Workspace(folder), trial.rng, trial.league)
    finally:
        _run("umount", "-l", folder)


def _join(group: Path) -> None:
    """Put this process into a control group."""
    (group / "cgroup.procs").write_text(str(os.getpid()))


def fill(folder: Path) -> Path:
    """Fill a file system."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(64 << 10))
        except OSError:
            return filler


def disk_is_full(trial: Trial) -> str:
    """Fill the disk with the league and the temporary folder, during the event and before it."""
    errors = []
    with _on_small_disk(trial, len(trial.league.file) + 8 * _MIB) as small:
        for is_before in (False, True):
            filler = fill(small.workspace.folder) if is_before else None
            with small.start() as command:
                if not filler:
                    small.wait_for_matches(command)
                    filler = fill(small.workspace.folder)
                _, said = command.output()
            filler.unlink()
            assert command.returncode == 1, said
            errors.append(said.splitlines()[-1].rpartition("; ")[2][:90])
        small.finish(is_mount=True)
    return " / ".join(errors)


def temporary_folder_is_full(trial: Trial) -> str:
    """Fill only what is temporary, in memory: before the event, and when a worker has died."""
    errors = []
    with _on_small_disk(trial, 96 * _MIB) as small:
        folder = small.workspace.folder
        words = [*RESUME, *LOCAL, "--db", str(trial.workspace.db)]
        for is_before in (True, False):
            filler = fill(folder) if is_before else None
            with patch.dict(os.environ, ARENA_MEMORY=str(folder)):
                command = small.workspace.start(*words)
            with command:
                if not filler:
                    trial.wait_for_matches(command)
                    filler = fill(folder)
                    # The files of bots are written again for the one that takes its place.
                    trial.signal_one(trial.workers(command), signal.SIGKILL)
                _, said = command.output()
            filler.unlink()
            assert command.returncode == 1, said
            errors.append(said.splitlines()[-1].partition(": free")[0])
    trial.finish()
    return " / ".join(errors)


def league_is_read_only(trial: Trial) -> str:
    """Make the file system of the league read-only."""
    with _on_small_disk(trial, len(trial.league.file) + 8 * _MIB) as small:
        folder = small.workspace.folder
        _run("mount", "-o", "remount,ro", folder)
        done = trial.workspace.run("event", "resume", "cup", "-q", "--db", str(small.workspace.db))
        assert done.returncode == 1, done.stderr
        assert "read-only" in done.stderr, done.stderr
        _run("mount", "-o", "remount,rw", folder)
        small.finish(is_mount=True)
        return done.stderr.splitlines()[-1]


def disk_is_unmounted(trial: Trial) -> str:
    """Unmount the file system during the event; another mount keeps it."""
    with _on_small_disk(trial, len(trial.league.file) + 8 * _MIB) as small:
        folder, keep = small.workspace.folder, trial.workspace.folder / "keep"
        keep.mkdir()
        _run("mount", "--bind", folder, keep)
        try:
            with small.start() as command:
                small.wait_for_matches(command)
                _run("umount", "-l", folder)
                _, said = command.output()
            _run("mount", "--bind", keep, folder)
        finally:
            _run("umount", "-l", keep)
        assert command.returncode == 1, said
        assert small.workspace.count_matches() < len(trial.league.rows["matches"])
        small.finish(is_mount=True)
        return said.splitlines()[-1][:120]


@contextmanager
def _memory_group(trial: Trial) -> Iterator[Path]:
    """Make a control group for an event; it must be empty at the end."""
    group = _GROUPS / f"arena-faults-{os.getpid()}"
    if os.geteuid() != 0 or not (_GROUPS / "memory.limit_in_bytes").exists():
        raise Skipped("this needs root and the memory controller of control groups, version 1")
    group.mkdir()
    try:
        yield group
    finally:
        trial.workspace.wait_until_empty()
        group.rmdir()


def _oom_kills(group: Path) -> int:
    return int((group / "memory.oom_control").read_text().split()[-1])


def memory_is_short(trial: Trial) -> str:
    """Play in a control group with too little memory, until the kernel has killed something."""
    with _memory_group(trial) as group:
        kills, limit = 0, 200 * _MIB
        while not kills and limit > 10 * _MIB:
            trial = Trial(trial.workspace, trial.rng, trial.league)
            (group / "memory.limit_in_bytes").write_text(str(limit))
            with trial.start(prepare=partial(_join, group)) as command:
                _, said = command.output()
            trial.workspace.wait_until_empty()
            kills = _oom_kills(group)
            limit = limit * 3 // 4
        assert kills, "the kernel has killed nothing"
        trial.finish()
        error = said.splitlines()[-1][:150] if said else f"exit {command.returncode}"
        return f"{kills} processes killed for want of memory; {error}"


def memory_is_short_for_bots(trial: Trial) -> str:
    """Let the kernel kill bots for want of memory, and nothing else: no bot is blamed."""
    with _memory_group(trial) as group:
        with trial.start(prepare=partial(_join, group)) as command:
            trial.wait_for_matches(command)
            while command.poll() is None and not _oom_kills(group):
                for pid in trial.bots(command):
                    with suppress(OSError):
                        Path(f"/proc/{pid}/oom_score_adj").write_text("1000")
                used = (group / "memory.usage_in_bytes").read_text()
                with suppress(OSError):
                    (group / "memory.limit_in_bytes").write_text(used)
                time.sleep(0.05)
            (group / "memory.limit_in_bytes").write_text("-1")
            kills = _oom_kills(group)
            _, said = command.output()
        assert kills, "the kernel has killed nothing"
        assert command.returncode == 0, said
        trial.finish()
        return f"{kills} bots killed for want of memory, exit 0, no bot blamed"


TRIALS = (
    disk_is_full,
    temporary_folder_is_full,
    league_is_read_only,
    disk_is_unmounted,
    memory_is_short,
    memory_is_short_for_bots,
)

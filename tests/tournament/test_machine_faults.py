"""No bot is blamed for a fault of the machine: a full disk, a lost cache, a lost package index.

These tests use real processes and disks. The event stops with a message, no false result is
stored, and the event can be resumed once the machine works again.
"""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.sandbox.packages.environments import plain_environment
from tests.builders.bots import HONEST, ROOT, bot_folder
from tests.builders.leagues import submit_folders
from tests.sandbox.wheelhouse import pack_wheel
from tests.tournament.processes import (
    Workspace,
    event,
    new_workspace,
    resume,
    submit_bots,
)

REQUIRES_APPLE = HONEST.read_text().replace("from typing", "import apple  # noqa\nfrom typing")


@pytest.fixture
def workspace(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """Return a workspace with its own cache, a copy: building one takes long."""
    environment = plain_environment().root
    with new_workspace() as workspace:
        cache = workspace.folder / "cache"
        shutil.copytree(environment, cache / "environments" / environment.name, symlinks=True)
        monkeypatch.setenv("ARENA_CACHE", str(cache))
        yield workspace


def cup(*bots: str, deals: int = 10) -> list[str]:
    """Return the command for an event of bots at tables of two."""
    words = ("--bots", ",".join(bots), "--seats", "2", "--deals", str(deals), "--name", "cup")
    return event("round-robin", *words, "--seed", "3", "--jobs", "1", "--quiet")


def column(workspace: Workspace, sql: str) -> list[object]:
    """Query a column of the league."""
    with closing(sqlite3.connect(workspace.db)) as connection:
        return [value for (value,) in connection.execute(sql)]


def no_bot_is_blamed(workspace: Workspace) -> bool:
    """Return whether no fault is stored and no bot is suspended."""
    suspended = column(workspace, "SELECT suspended FROM entrants WHERE suspended IS NOT NULL")
    return not suspended and not column(workspace, "SELECT sentence FROM faults")


def last_line(text: str) -> str:
    """Return the last line of a text."""
    return text.splitlines()[-1]


IN_A_SMALL_TEMPORARY_FOLDER = """
mkdir small && mount -t tmpfs -o $1 small small || exit 9
shift
TMPDIR=$PWD/small exec "$@"
"""


@pytest.mark.parametrize("size", ["size=64k", pytest.param("nr_inodes=9", marks=pytest.mark.slow)])
def test_a_full_temporary_folder_stops_an_event_and_no_bot_is_blamed(
    workspace: Workspace, size: str
) -> None:
    folders = [bot_folder(workspace.folder / "bots", name, HONEST) for name in ("ann", "ben")]
    for folder in folders:
        (folder / "table.bin").write_bytes(os.urandom(200_000))
    submit_folders(workspace.db, *folders)
    shell = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    shell += [IN_A_SMALL_TEMPORARY_FOLDER, "sh", size]
    done = subprocess.run(
        [*shell, sys.executable, "-m", "arena", *cup("ann", "ben"), "--cage", "none"],
        cwd=workspace.folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    if done.returncode == 9 or done.stderr.startswith("unshare: "):
        pytest.skip(f"no file system can be mounted here: {done.stderr}")
    assert done.returncode == 1, done.stderr
    error = last_line(done.stderr)
    assert error.startswith(
        ("Error: cannot write the files of bots to ", "Error: no socket can be")
    )
    assert str(workspace.folder / "small") in error
    assert no_bot_is_blamed(workspace)
    resumed = workspace.run("event", "resume", "--cage", "none", "-q", "--jobs", "1")
    assert resumed.returncode == 0, resumed.stderr
    assert workspace.count_matches() == 20
    assert no_bot_is_blamed(workspace)


def test_files_of_all_bots_lost_during_an_event_stop_it_and_no_bot_is_blamed(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In a full cage they are copies in memory, otherwise they are in the cache.
    shared = workspace.folder / "shared"
    shared.mkdir()
    monkeypatch.setenv("ARENA_MEMORY", str(shared))
    # It sleeps, so that an event of few matches is not over before they are lost.
    submit_bots(workspace, {"sleeper": ("sleep", "0.01"), "moody": ("0.2",)})
    words = cup("sleeper", "moody", deals=20)
    with workspace.start(*words, "--tables", "4") as process:
        workspace.wait_until(lambda: workspace.count_matches() > 0)
        for name in ("cache", "shared"):
            shutil.rmtree(workspace.folder / name)
        shared.mkdir()
        _, err = process.output()
    assert process.returncode == 1
    assert last_line(err).startswith("Error: files of the bots' ")
    assert 0 < workspace.count_matches() < 40
    resumed = workspace.run(*resume("-q", "--jobs", "1"))
    assert resumed.returncode == 0, resumed.stderr
    assert workspace.count_matches() == 40
    # They are removed once nothing uses them.
    workspace.wait_until(lambda: not any(shared.iterdir()))
    # Only what moody does itself.
    sentences = set(column(workspace, "SELECT sentence FROM faults"))
    assert sentences == {"I crash in this match (it ended with exit code 3 instead of answering)"}


@pytest.fixture
def wheelhouse(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which pip looks for packages; submit a bot that requires one."""
    folder = workspace.folder / "wheelhouse"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("no_proxy", "*")
    pack_wheel(folder, "apple", "1.0")
    program = workspace.folder / "needy.py"
    program.write_text(REQUIRES_APPLE)
    bot = bot_folder(workspace.folder / "own", "needy", program)
    with (bot / "bot.toml").open("a") as file:
        file.write('requirements = ["apple"]\n')
    submit_bots(workspace, {"ann": ()})
    submit_folders(workspace.db, bot)
    return folder


def test_an_unreachable_package_index_stops_an_event_and_no_bot_is_blamed(
    workspace: Workspace, wheelhouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as unreachable, pytest.MonkeyPatch.context() as patch:
        unreachable.bind(("127.0.0.1", 0))
        patch.delenv("PIP_NO_INDEX")
        patch.delenv("PIP_FIND_LINKS")
        patch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{unreachable.getsockname()[1]}/")
        patch.setenv("PIP_RETRIES", "0")
        done = workspace.run(*cup("ann", "needy"))
    assert done.returncode == 1
    assert last_line(done.stderr) == (
        "Error: cannot download apple==1.0: the package index cannot be reached"
    )
    assert no_bot_is_blamed(workspace)
    assert workspace.count_matches() == 0
    resumed = workspace.run(*resume("-q", "--jobs", "1"))
    assert resumed.returncode == 0, resumed.stderr
    assert no_bot_is_blamed(workspace)
    assert workspace.count_matches() == 20

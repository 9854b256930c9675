"""Is no bot blamed for what is the machine's fault: a full disk, a lost cache, a lost index?

Everything happens for real, in processes of its own. The event stops with a sentence, nothing is
entered that is not true, and it goes on when the machine is well again.
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

from arena.events.league import submit_folder
from arena.manifest import read_manifest
from leaderboard.store import Store
from tests.events.folders import HONEST, ROOT, bot_folder
from tests.events.processes import NOON, Hall, contents, differences, enter, event, new_hall, resume
from tests.sandbox.shop import pack_wheel

NEEDY = HONEST.read_text().replace("from typing", "import apple  # noqa\nfrom typing")


@pytest.fixture
def hall(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    """Give a hall with a cache of its own."""
    with new_hall() as hall:
        monkeypatch.setenv("ARENA_CACHE", str(hall.folder / "cache"))
        yield hall


def cup(*bots: str, deals: int = 10) -> list[str]:
    """Write the command that lets bots meet at tables of two."""
    words = ("--bots", ",".join(bots), "--seats", "2", "--deals", str(deals), "--name", "cup")
    return event("round-robin", *words, "--seed", "3", "--quiet")


def column(hall: Hall, sql: str) -> list[object]:
    """Ask the league for a column."""
    with closing(sqlite3.connect(hall.db)) as connection:
        return [value for (value,) in connection.execute(sql)]


def nobody_is_blamed(hall: Hall) -> bool:
    """Tell whether no fault is stored, and nobody suspended."""
    suspended = column(hall, "SELECT suspended FROM entrants WHERE suspended IS NOT NULL")
    return not suspended and not column(hall, "SELECT sentence FROM faults")


def last_line(text: str) -> str:
    """Return the last line of what was said."""
    return text.splitlines()[-1]


IN_A_SMALL_TEMPORARY_FOLDER = """
mkdir small && mount -t tmpfs -o $1 small small || exit 9
shift
TMPDIR=$PWD/small exec "$@"
"""


@pytest.mark.parametrize("size", ["size=300k", "size=64k", "nr_inodes=2", "nr_inodes=9"])
def test_a_full_temporary_folder_stops_an_event_and_blames_nobody(hall: Hall, size: str) -> None:
    for name in ("ann", "ben"):
        folder = bot_folder(hall.folder / "bots", name, HONEST)
        (folder / "table.bin").write_bytes(os.urandom(200_000))
        with Store.open(hall.db, create=True) as store, store.writing() as writer:
            submit_folder(writer, read_manifest(folder), now=NOON)
    shell = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    shell += [IN_A_SMALL_TEMPORARY_FOLDER, "sh", size]
    done = subprocess.run(
        [*shell, sys.executable, "-m", "arena", *cup("ann", "ben"), "--cage", "none"],
        cwd=hall.folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    if done.returncode == 9:
        pytest.skip(f"no file system can be mounted here: {done.stderr}")
    assert done.returncode == 1, done.stderr
    said = last_line(done.stderr)
    assert said.startswith(("Error: bots cannot have their files in ", "Error: no socket can be"))
    assert str(hall.folder / "small") in said
    assert nobody_is_blamed(hall)
    resumed = hall.run("event", "resume", "--cage", "none", "-q")
    assert resumed.returncode == 0, resumed.stderr
    assert hall.stored() == 20
    assert nobody_is_blamed(hall)


def test_a_cache_that_is_lost_in_the_middle_stops_an_event_and_blames_nobody(hall: Hall) -> None:
    bots = {"ann": (), "moody": ("0.1",)}
    words = cup(*bots, deals=60)
    enter(hall, bots)
    with hall.begin(*words, "--jobs", "1", "--tables", "4") as process:
        hall.wait_until(lambda: hall.stored() > 0)
        shutil.rmtree(hall.folder / "cache")
        _, err = process.said()
    assert process.returncode == 1
    assert last_line(err).startswith("Error: the Python of the bots, ")
    assert 0 < hall.stored() < 120
    resumed = hall.run(*resume("-q"))
    assert resumed.returncode == 0, resumed.stderr
    with new_hall() as undisturbed:
        enter(undisturbed, bots)
        assert undisturbed.run(*words).returncode == 0
        assert differences(contents(hall.db), contents(undisturbed.db)) == []


@pytest.fixture
def shop(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which pip looks for packages, and enter a bot that needs one of it."""
    folder = hall.folder / "shop"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("no_proxy", "*")
    pack_wheel(folder, "apple", "1.0")
    program = hall.folder / "needy.py"
    program.write_text(NEEDY)
    bot = bot_folder(hall.folder / "own", "needy", program)
    with (bot / "bot.toml").open("a") as file:
        file.write('requirements = ["apple"]\n')
    enter(hall, {"ann": ()})
    with Store.open(hall.db) as store, store.writing() as writer:
        submit_folder(writer, read_manifest(bot), now=NOON)
    return folder


def test_an_index_that_is_not_there_stops_an_event_and_blames_nobody(
    hall: Hall, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as nobody, pytest.MonkeyPatch.context() as patch:
        nobody.bind(("127.0.0.1", 0))
        patch.delenv("PIP_NO_INDEX")
        patch.delenv("PIP_FIND_LINKS")
        patch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{nobody.getsockname()[1]}/")
        patch.setenv("PIP_RETRIES", "0")
        done = hall.run(*cup("ann", "needy"))
    assert done.returncode == 1
    assert last_line(done.stderr) == (
        "Error: apple==1.0 cannot be fetched, because the package index cannot be reached"
    )
    assert nobody_is_blamed(hall)
    assert hall.stored() == 0
    resumed = hall.run(*resume("-q"))
    assert resumed.returncode == 0, resumed.stderr
    assert nobody_is_blamed(hall)
    assert hall.stored() == 20


def test_a_package_that_the_index_does_not_have_stays_the_bots_own_fault(
    hall: Hall, shop: Path
) -> None:
    (shop / "apple-1.0-py3-none-any.whl").unlink()
    done = hall.run(*cup("ann", "needy"))
    assert done.returncode == 0, done.stderr
    sentences = set(column(hall, "SELECT sentence FROM faults"))
    assert any(str(each).startswith("there is no wheel of apple==1.0") for each in sentences)
    assert column(hall, "SELECT count(*) FROM entrants WHERE suspended IS NOT NULL") == [1]

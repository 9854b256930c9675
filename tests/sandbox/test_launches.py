"""Is nothing left of bots that end at any moment, whoever ends them?"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import BadInput
from arena.sandbox.cages import NoCage
from arena.sandbox.environments import plain_environment

ROOT = Path(__file__).parents[2]
SYSTEMS_PYTHON = Path("/usr/bin/python3")
SOMEBODY = 64_000
"""A user that needs no account."""
WAYS = (
    ["rootdrop", "rootin", "landlock", "user", "landlock-user"]
    if os.geteuid() == 0
    else ["user", "landlock"]
)


@pytest.fixture
def project(base: Path) -> Iterator[Path]:
    """Return the folder of a copy of this project that everybody can read."""
    folder = base.with_name(f"project-of-{base.name.removeprefix('test-')}")
    for name in ("arena", "tests"):
        shutil.copytree(ROOT / name, folder / name)
    yield folder
    shutil.rmtree(folder)


def launches(way: str, count: int, base: Path, project: Path) -> dict[str, int]:
    """Launch and end bots in another process; root becomes somebody else for a user's ways."""
    way, _, user = way.partition("-")
    python = [sys.executable]
    if os.geteuid() == 0 and (user or way == "user"):
        python = somebodys_python(project)
        for folder in (base, project):
            os.chown(folder, SOMEBODY, SOMEBODY)
    command = [*python, "-m", "tests.sandbox.launches", way, str(count), "1"]
    ran = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    if "NoCage" in ran.stderr:
        raise NoCage({way: ran.stderr.splitlines()[-1]})
    assert ran.returncode == 0, ran.stderr
    found: dict[str, int] = json.loads(ran.stdout)
    return found


def somebodys_python(project: Path) -> list[str]:
    """Return a Python that runs as an ordinary user, with what the project needs."""
    try:
        environment = plain_environment(python=SYSTEMS_PYTHON)
    except BadInput as error:
        pytest.skip(str(error))
    (library,) = environment.root.glob("lib/python*/site-packages")
    variables = [f"PYTHONPATH={library}", f"ARENA_CACHE={project}/cache"]
    drop = ["setpriv", f"--reuid={SOMEBODY}", f"--regid={SOMEBODY}", "--clear-groups", "--"]
    return [*drop, "env", *variables, str(SYSTEMS_PYTHON)]


def assert_nothing_is_left(found: dict[str, int]) -> None:
    """Demand zeros; how many were left to the sweep depends on the machine."""
    assert {name: number for name, number in found.items() if name.endswith("_left")} == {
        "processes_left": 0,
        "folders_left": 0,
        "sockets_left": 0,
        "descriptors_left": 0,
    }


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_left_of_some_launches(way: str, base: Path, project: Path) -> None:
    assert_nothing_is_left(launches(way, 30, base, project))


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_left_of_a_thousand_launches(way: str, base: Path, project: Path) -> None:
    found = launches(way, 1000, base, project)
    print(way, found)
    assert_nothing_is_left(found)

"""Bots leave nothing behind, whenever and however they end."""

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
from arena.sandbox.packages.environments import plain_environment
from arena.sandbox.select import NoCage

ROOT = Path(__file__).parents[2]
SYSTEMS_PYTHON = Path("/usr/bin/python3")
ORDINARY_UID = 64_000
"""A user id; it needs no account."""
CAGE_NAMES = (
    ["root", "landlock", "user", "landlock-user"] if os.geteuid() == 0 else ["user", "landlock"]
)


@pytest.fixture
def project(base: Path) -> Iterator[Path]:
    """Return a copy of this project that every user can read."""
    folder = base.with_name(f"project-of-{base.name.removeprefix('test-')}")
    for name in ("arena", "tests"):
        shutil.copytree(ROOT / name, folder / name)
    yield folder
    shutil.rmtree(folder)


def run_launches(cage_name: str, count: int, base: Path, project: Path) -> dict[str, int]:
    """Launch and end bots in another process, as an ordinary user where the cage needs one."""
    cage_name, _, user = cage_name.partition("-")
    python = [sys.executable]
    if os.geteuid() == 0 and (user or cage_name == "user"):
        python = ordinary_users_python(project)
        for folder in (base, project):
            os.chown(folder, ORDINARY_UID, ORDINARY_UID)
    command = [*python, "-m", "tests.sandbox.launch_many", cage_name, str(count), "1"]
    ran = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    if "NoCage" in ran.stderr:
        raise NoCage({cage_name: ran.stderr.splitlines()[-1]})
    assert ran.returncode == 0, ran.stderr
    found: dict[str, int] = json.loads(ran.stdout)
    return found


def ordinary_users_python(project: Path) -> list[str]:
    """Return a Python that runs as an ordinary user, with what the project needs."""
    try:
        environment = plain_environment(python=SYSTEMS_PYTHON)
    except BadInput as error:
        pytest.skip(str(error))
    (library,) = environment.root.glob("lib/python*/site-packages")
    variables = [f"PYTHONPATH={library}", f"ARENA_CACHE={project}/cache"]
    drop = ["setpriv", f"--reuid={ORDINARY_UID}", f"--regid={ORDINARY_UID}", "--clear-groups", "--"]
    return [*drop, "env", *variables, str(SYSTEMS_PYTHON)]


def assert_nothing_is_left(found: dict[str, int]) -> None:
    """Assert that nothing is left; how many bots needed a sweep depends on the machine."""
    assert {name: number for name, number in found.items() if name.endswith("_left")} == {
        "processes_left": 0,
        "folders_left": 0,
        "sockets_left": 0,
        "descriptors_left": 0,
    }


@pytest.mark.parametrize("cage_name", [CAGE_NAMES[0], CAGE_NAMES[-1]])
def test_some_launches_leave_nothing_behind(cage_name: str, base: Path, project: Path) -> None:
    assert_nothing_is_left(run_launches(cage_name, 6, base, project))


@pytest.mark.slow
@pytest.mark.parametrize("cage_name", CAGE_NAMES)
def test_a_thousand_launches_leave_nothing_behind(
    cage_name: str, base: Path, project: Path
) -> None:
    found = run_launches(cage_name, 1000, base, project)
    print(cage_name, found)
    assert_nothing_is_left(found)

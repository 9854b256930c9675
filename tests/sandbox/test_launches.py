"""Bots leave nothing behind, whenever and however they end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.sandbox.select import NoCage

ROOT = Path(__file__).parents[2]


@pytest.mark.usefixtures("base")
@pytest.mark.parametrize("cage_name", ["root" if os.geteuid() == 0 else "user", "landlock"])
@pytest.mark.parametrize("count", [6, pytest.param(1000, marks=pytest.mark.slow)])
def test_launches_leave_nothing_behind(cage_name: str, count: int) -> None:
    # In another process, which has no other descriptors and folders.
    command = [sys.executable, "-m", "tests.sandbox.launch_many", cage_name, str(count), "1"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if "NoCage" in ran.stderr:
        raise NoCage({cage_name: ran.stderr.splitlines()[-1]})
    assert ran.returncode == 0, ran.stderr
    found: dict[str, int] = json.loads(ran.stdout)
    # How many bots needed a sweep depends on the machine.
    assert {name: number for name, number in found.items() if name.endswith("_left")} == {
        "processes_left": 0,
        "folders_left": 0,
        "sockets_left": 0,
        "descriptors_left": 0,
    }

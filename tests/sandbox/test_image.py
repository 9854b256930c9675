"""What a bot sees in the full cage is in memory, complete, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from arena.sandbox.cages.bubblewrap import BubblewrapCage
from arena.sandbox.select import AUTO, NoCage, select_cage
from tests.sandbox.caged_bot import run_to_end

LOOK_AROUND = """
import json, os
from importlib.util import cache_from_source
devices, sources, stale = set(), 0, []
for path, folders, files in os.walk("/"):
    devices.add(os.stat(path).st_dev)
    for name in files:
        file = os.path.join(path, name)
        status = os.lstat(file)
        devices.add(status.st_dev)
        if name.endswith(".py") and path == os.path.dirname(os.__file__):
            sources += 1
            with open(cache_from_source(file), "rb") as cached:
                # Of the file: Debian has links there.
                if int.from_bytes(cached.read(12)[8:], "little") != int(os.stat(file).st_mtime):
                    stale.append(file)
print(json.dumps([sorted(devices), sources, stale]))
"""


@pytest.fixture
def sealing_cage() -> BubblewrapCage:
    """Return the full cage; skip the test where it does not seal bots."""
    cage = select_cage(AUTO)
    if not isinstance(cage, BubblewrapCage) or not cage.seals:
        raise NoCage({cage.name: "this test needs a cage that seals bots"})
    return cage


def devices_in_memory() -> set[int]:
    """Return the numbers of all file systems in memory that this process sees."""
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    kinds = ("tmpfs", "devtmpfs")
    found = [line.split()[2] for line in lines if line.partition(" - ")[2].split()[0] in kinds]
    return {os.makedev(*map(int, number.split(":"))) for number in found}


@pytest.mark.usefixtures("sealing_cage")
def test_no_file_that_a_bot_can_name_is_on_a_disk_and_every_module_is_compiled() -> None:
    end = run_to_end(LOOK_AROUND)
    devices, sources, stale = json.loads(end.printed)
    others = set(devices) - devices_in_memory()
    # Its own /tmp is a file system in memory that no other process sees.
    assert len(others) == 1
    assert sources > 100
    assert stale == []


def test_bots_that_need_nothing_else_share_one_image(sealing_cage: BubblewrapCage) -> None:
    before = sealing_cage.shared_files()
    assert run_to_end("#!/bin/sh\necho one", command=["./bot.py"]).printed == "one\n"
    assert run_to_end("#!/usr/bin/env python3\nprint(2)", command=["./bot.py"]).printed == "2\n"
    assert sealing_cage.shared_files() == before
    size_mib = int(before[0][2].partition(" ")[0])
    assert size_mib < 100


@pytest.mark.usefixtures("sealing_cage")
@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_the_program_of_a_script_is_there_and_others_are_not() -> None:
    code = '#!/usr/bin/env -S awk -f\nBEGIN { print 6 * 7, (getline < "/usr/bin/ls") }\n'
    assert run_to_end(code, command=["./bot.py"]).printed == "42 -1\n"


def test_the_files_of_bots_can_be_on_a_disk_which_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sealing_cage: BubblewrapCage
) -> None:
    monkeypatch.setenv("ARENA_MEMORY", str(tmp_path))
    cage = BubblewrapCage(sealing_cage._mode, sealing_cage.python)
    assert cage.problem() is None
    assert (cage.seals, cage.mark) == (False, "bubblewrap-disk")
    assert cage.warning.endswith(
        f"({tmp_path} is not in memory): mount a tmpfs and set ARENA_MEMORY to its folder"
    )

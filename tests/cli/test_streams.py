"""Does a command behave wherever its streams lead: to a terminal, a pipe, a full disk, nowhere?"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.leagues import small_league
from tests.cli.terminals import at_terminal
from tests.events.folders import ROOT

ARENA = [sys.executable, "-m", "arena"]


def in_shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell, in which `arena` is ours."""
    line = line.replace("arena ", f"PYTHONPATH={shlex.quote(str(ROOT))} {shlex.join(ARENA)} ", 1)
    # Python holds back some of what is printed, unless it was told not to.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, capture_output=True, text=True, env=environment
    )


@pytest.mark.parametrize("words", ["games", "play meow random random", "replay show cup/0"])
def test_who_reads_one_line_only_hears_no_complaint(words: str, tmp_path: Path) -> None:
    small_league(tmp_path)
    done = in_shell(f"arena {words} | head -1", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1


def test_a_disk_that_is_full_gets_a_sentence(tmp_path: Path) -> None:
    done = in_shell("arena games > /dev/full", tmp_path)
    assert (done.returncode, done.stderr) == (1, "Error: No space left on device\n")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("arena play meow human random <&-", 1),
        ("arena event show cup >&-", 0),
        ("arena report site 2>&-", 0),
        ("arena report site <&- >&- 2>&-", 0),
    ],
)
def test_a_stream_that_is_closed_does_no_harm(line: str, code: int, tmp_path: Path) -> None:
    db = small_league(tmp_path)
    before = db.read_bytes()
    done = in_shell(line, tmp_path)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert db.read_bytes() == before


def test_colours_are_for_terminals_whose_owner_wants_them(tmp_path: Path) -> None:
    small_league(tmp_path)
    for words in (["games"], ["replay", "show", "cup/0"]):
        shown = []
        for choice in ("", "1"):
            with at_terminal([*ARENA, *words], tmp_path, {"NO_COLOR": choice}) as terminal:
                if words[0] == "replay":
                    terminal.wait_for("q quit")
                    terminal.press("q")
                assert terminal.wait_for_end() == 0
                shown.append(terminal.output)
        assert b"\x1b[1m" in shown[0]
        assert b"\x1b[1m" not in shown[1]
    assert "\x1b" not in in_shell("arena games", tmp_path).stdout

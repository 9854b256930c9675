"""Commands behave well with every kind of stream: terminal, pipe, full disk, closed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders.bots import ROOT
from tests.builders.leagues import league_with_stopped_event
from tests.cli.terminals import at_terminal

ARENA = [sys.executable, "-m", "arena"]


def run_in_shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell command that calls this `arena`."""
    line = line.replace("arena ", f"PYTHONPATH={shlex.quote(str(ROOT))} {shlex.join(ARENA)} ", 1)
    # Without this variable Python buffers its output, as it does for users.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, capture_output=True, text=True, env=environment
    )


@pytest.mark.parametrize("words", ["games", "play meow random random", "replay show cup/0"])
def test_a_pipe_that_is_closed_early_causes_no_error(words: str, tmp_path: Path) -> None:
    league_with_stopped_event(tmp_path)
    done = run_in_shell(f"arena {words} | head -1", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1


def test_a_full_disk_is_reported_without_a_traceback(tmp_path: Path) -> None:
    done = run_in_shell("arena games > /dev/full", tmp_path)
    assert (done.returncode, done.stderr) == (1, "Error: No space left on device\n")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("arena play meow human random <&-", 1),
        ("arena event show cup <&- >&- 2>&-", 0),
        pytest.param("arena report site <&- >&- 2>&-", 0, marks=pytest.mark.slow),
    ],
)
def test_a_closed_stream_does_no_harm(line: str, code: int, tmp_path: Path) -> None:
    db = league_with_stopped_event(tmp_path)
    before = db.read_bytes()
    done = run_in_shell(line, tmp_path)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert db.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "keys", "style"),
    [
        ("games", {}, rb"\x1b\[1m"),
        ("replay show cup/0", {"deal, before": "\x1b[C", "decision 0": "q"}, rb"\x1b\[0;36;1m"),
    ],
    ids=["printed", "full screen"],
)
def test_colours_are_used_only_on_a_terminal_without_no_color(
    words: str, keys: dict[str, str], style: bytes, tmp_path: Path
) -> None:
    league_with_stopped_event(tmp_path)
    shown = []
    for choice in ("", "1"):
        with at_terminal([*ARENA, *words.split()], tmp_path, {"NO_COLOR": choice}) as terminal:
            for text, key in keys.items():
                terminal.wait_for(text)
                terminal.press(key)
            assert terminal.wait_for_end() == 0
            shown.append(terminal.output)
    assert re.search(style, shown[0])
    assert not re.search(style, shown[1])
    assert "\x1b" not in run_in_shell(f"arena {words}", tmp_path).stdout

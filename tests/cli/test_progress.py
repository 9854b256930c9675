"""Progress is a line with a bar, which fits the terminal and is removed at the end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.terminal.progress import bar
from tests.builders.bots import ROOT
from tests.cli.terminals import at_terminal

PROGRAM = """
import sys, tty
from arena.cli.terminal import progress
if "wait" in sys.argv:
    # What is typed must not be on the screen.
    tty.setcbreak(0)
progress._TERMINAL_INTERVAL_S = progress._LOG_INTERVAL_S = 0.0
def wait():
    if "wait" in sys.argv:
        sys.stdin.read(1)
with progress.Progress(quiet="quiet" in sys.argv) as line:
    line.update(lambda: "nothing yet")
    wait()
    line.update(lambda: "half of it  by ev\\x1b[2Jil  " + "\\u540d" * 60 + " leads", 0.5)
    wait()
    line.update(lambda: "three quarters", 0.75)
    wait()
"""


def test_a_terminal_has_one_line_redrawn_in_place_and_removed(tmp_path: Path) -> None:
    with at_terminal([sys.executable, "-c", PROGRAM, "wait"], tmp_path) as terminal:
        terminal.wait_for("nothing yet")
        terminal.press("x")
        terminal.wait_for("half of it")
        shown = [line for line in terminal.lines if line]
        # What does not fit is left out as a whole.
        assert shown == ["██████████░░░░░░░░░░ half of it  by ev�[2Jil"]
        terminal.press("x")
        terminal.wait_for("three quarters")
        assert [line for line in terminal.lines if line] == ["███████████████░░░░░ three quarters"]
        terminal.press("x")
        assert terminal.wait_for_end() == 0
        assert terminal.text.strip() == ""


@pytest.mark.parametrize("columns", [40, 120])
def test_bars_fit_any_terminal(columns: int, tmp_path: Path) -> None:
    with at_terminal([sys.executable, "-c", PROGRAM, "wait"], tmp_path) as terminal:
        terminal.resize(columns, 24)
        terminal.wait_for("nothing yet")
        terminal.press("x")
        terminal.wait_for("half of it")
        assert len([line for line in terminal.lines if line]) == 1


def test_nothing_is_shown_in_quiet_mode(tmp_path: Path) -> None:
    with at_terminal([sys.executable, "-c", PROGRAM, "quiet"], tmp_path) as terminal:
        assert terminal.wait_for_end() == 0
        assert terminal.output == b""


def test_without_a_terminal_progress_is_printed_line_by_line() -> None:
    words = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    first, second, third = done.stderr.splitlines()
    assert first == "nothing yet"
    assert second.startswith(" 50%  half of it  by ev�[2Jil  名")
    assert third == " 75%  three quarters"


def test_without_a_terminal_a_short_run_prints_no_progress() -> None:
    program = PROGRAM.replace("progress._TERMINAL_INTERVAL_S = progress._LOG_INTERVAL_S = 0.0", "")
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_the_bar_is_full_at_the_end() -> None:
    assert [bar(share) for share in (0, 0.5, 1)] == ["░" * 20, "█" * 10 + "░" * 10, "█" * 20]
    assert bar(0.5, 4) == "██░░"

"""The progress line fits the terminal and is removed at the end."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from arena.cli.terminal.progress import bar
from tests.builders.bots import ROOT
from tests.cli.terminals import at_terminal

PROGRAM = """
import sys
from arena.cli.terminal import progress
progress._TERMINAL_INTERVAL_S = progress._LOG_INTERVAL_S = 0.0
with progress.Progress(quiet="quiet" in sys.argv) as line:
    line.update(lambda: "nothing yet")
    line.update(lambda: "half of it, by ev\\x1b[2Jil, " + "\\u540d" * 60, 0.5)
"""


def run_on_terminal(folder: Path, *words: str) -> str:
    """Run the program on a terminal of 80 columns, and return its output."""
    with at_terminal([sys.executable, "-c", PROGRAM, *words], folder) as terminal:
        assert terminal.wait_for_end() == 0
        assert terminal.text.strip() == ""
        return terminal.output.decode()


def test_a_terminal_has_one_line_that_fits_and_is_removed(tmp_path: Path) -> None:
    first, second, last = re.findall(r"\r\x1b\[K([^\r]*)", run_on_terminal(tmp_path))
    assert first == "nothing yet"
    assert second.startswith("[██████████··········] half of it, by ev�[2Jil, 名")
    # Each of these characters takes two columns.
    assert len(second) + second.count("名") <= 79
    assert second.endswith("…")
    assert last == ""


def test_nothing_is_shown_in_quiet_mode(tmp_path: Path) -> None:
    assert run_on_terminal(tmp_path, "quiet") == ""


def test_without_a_terminal_progress_is_printed_line_by_line() -> None:
    words = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    first, second = done.stderr.splitlines()
    assert first == "nothing yet"
    assert second.startswith("half of it, by ev�[2Jil, 名")


def test_without_a_terminal_a_short_run_prints_no_progress() -> None:
    program = PROGRAM.replace("progress._TERMINAL_INTERVAL_S = progress._LOG_INTERVAL_S = 0.0", "")
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_the_bar_is_full_at_the_end() -> None:
    assert [bar(share) for share in (0, 0.5, 1)] == ["·" * 20, "█" * 10 + "·" * 10, "█" * 20]

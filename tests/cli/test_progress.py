"""Does somebody who waits see how it goes, and is nothing left of it?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from arena.cli.progress import bar
from tests.cli.terminals import at_terminal
from tests.events.folders import ROOT

PROGRAM = """
import sys
from arena.cli import progress
progress._TERMINAL_S = progress._ELSEWHERE_S = 0.0
with progress.Progress(quiet="quiet" in sys.argv) as line:
    line.tell(lambda: "nothing yet")
    line.tell(lambda: "half of it, by ev\\x1b[2Jil, " + "\\u540d" * 60, 0.5)
"""


def on_a_terminal(folder: Path, *words: str) -> str:
    """Run the program on a terminal of 80 columns, and return all that it shows."""
    with at_terminal([sys.executable, "-c", PROGRAM, *words], folder) as terminal:
        assert terminal.wait_for_end() == 0
        assert terminal.text.strip() == ""
        return terminal.output.decode()


def test_a_terminal_has_one_line_that_fits_and_is_taken_away(tmp_path: Path) -> None:
    first, second, last = re.findall(r"\r\x1b\[K([^\r]*)", on_a_terminal(tmp_path))
    assert first == "nothing yet"
    assert second.startswith("[██████████··········] half of it, by ev�[2Jil, 名")
    # Each of these letters takes two columns.
    assert len(second) + second.count("名") <= 79
    assert second.endswith("…")
    assert last == ""


def test_nothing_is_shown_where_quiet_is_asked_for(tmp_path: Path) -> None:
    assert on_a_terminal(tmp_path, "quiet") == ""


def test_elsewhere_lines_say_how_it_goes() -> None:
    words = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    first, second = done.stderr.splitlines()
    assert first == "nothing yet"
    assert second.startswith("half of it, by ev�[2Jil, 名")


def test_elsewhere_nobody_is_told_who_has_not_waited() -> None:
    program = PROGRAM.replace("progress._TERMINAL_S = progress._ELSEWHERE_S = 0.0", "")
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_a_bar_is_full_when_all_is_done() -> None:
    assert [bar(share) for share in (0, 0.5, 1)] == ["·" * 20, "█" * 10 + "·" * 10, "█" * 20]

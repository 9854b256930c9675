"""Does somebody who waits for an event see how it goes?"""

from __future__ import annotations

import os
import pty
import re
import sys
from pathlib import Path

from tests.events.processes import event, new_hall

PROGRAM = """
import sys
from arena.events import progress
from arena.events.spec import Kind
from tests.events.test_course import course_of, play_round
progress._BAR_S = progress._LINE_S = 0.0
course = course_of(Kind.ROUND_ROBIN, 4, seats=2)
reporter = progress.Reporter(["ann", "ben", "cat", "dan"], quiet=sys.argv[1] == "quiet")
reporter.tell(course)
play_round(course, [3])
reporter.tell(course)
reporter.end()
"""
ROOT = Path(__file__).parents[2]


def on_a_terminal(word: str) -> str:
    """Run the program with a terminal of its own, and return what it shows."""
    pid, terminal = pty.fork()
    if not pid:
        os.chdir(ROOT)
        os.environ["COLUMNS"] = "60"
        os.execv(sys.executable, [sys.executable, "-c", PROGRAM, word])
    shown = b""
    while True:
        try:
            data = os.read(terminal, 4096)
        except OSError:
            break
        if not data:
            break
        shown += data
    os.close(terminal)
    assert os.waitpid(pid, 0)[1] == 0, shown
    return shown.decode()


def test_a_terminal_has_a_bar_that_fits_and_is_taken_away_at_the_end() -> None:
    shown = on_a_terminal("loud")
    bars = re.findall(r"\r\x1b\[K([^\r]*)", shown)
    assert bars[-1] == ""
    assert bars[0].startswith("[····················] 0/12 matches")
    assert bars[1].startswith("[███████·············] 4/12 matches  round 1")
    assert all(len(bar) < 60 for bar in bars)


def test_nothing_is_shown_where_quiet_is_asked_for() -> None:
    assert on_a_terminal("quiet") == ""


def test_where_there_is_no_terminal_lines_say_how_it_goes() -> None:
    with new_hall() as hall:
        words = ("--bots", "random,first", "--seats", "2", "--deals", "2")
        done = hall.run(*event("round-robin", *words))
    assert done.returncode == 0
    assert "\x1b" not in done.stderr
    assert "\r" not in done.stderr

"""`arena replay analyse` lists the worst decisions, and ends cleanly."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.replays.format import write_replay
from tests.cli.runner import arena, printed
from tests.pages.replays import SHORT


@pytest.fixture
def replay(tmp_path: Path) -> Path:
    """Write the replay of a short match of MEOW."""
    path = tmp_path / "match.replay"
    path.write_bytes(write_replay(SHORT["meow"]))
    return path


def test_the_worst_decisions_are_listed(replay: Path) -> None:
    done = printed(arena("replay", "analyse", replay, "--playouts", 4, "--seat", 0, "--worst", 2))
    lines = done.splitlines()
    assert "decisions, 4 playouts a decision: " in lines[1]
    assert lines[2].split() == "decision player played better places lost chance before".split()
    assert len(lines) == 5
    assert all("bot-0" in line for line in lines[3:])


def test_json_has_every_assessment(replay: Path) -> None:
    words = ("replay", "analyse", replay, "--playouts", 2, "--seat", 1, "--json")
    document = json.loads(arena(*words).stdout)
    assert document["effort"] == "2 playouts a decision"
    assert {each["seat"] for each in document["decisions"]} == {1}
    assert set(document["worst"]) <= {each["number"] for each in document["decisions"]}


def test_a_page_is_written_with_the_analysis(replay: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    words = ("replay", "html", replay, "-o", page, "--seat", 1)
    printed(arena(*words, "--analyse", "--playouts", 2))
    assert '"effort":"2 playouts a decision"' in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("analyse", "--think", "1", "--playouts", "3"), "use either --think or --playouts"),
        (("html", "-o", "x.html", "--think", "1"), "add --analyse"),
        (("analyse", "--seat", "7"), "seat"),
    ],
)
def test_odd_wishes_are_refused_in_a_sentence(
    replay: Path, words: tuple[str, ...], sentence: str
) -> None:
    done = arena("replay", words[0], replay, *words[1:])
    assert done.exit_code != 0
    assert sentence in done.stderr
    assert "Traceback" not in done.output


def test_ctrl_c_ends_an_analysis_at_once_and_leaves_nothing_behind(replay: Path) -> None:
    words = [sys.executable, "-m", "arena", "replay", "analyse", str(replay), "--think", "3000"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (workers := _workers(children)):
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode != 0
    assert "Traceback" not in errors
    assert not any(each.exists() for each in workers)


def _workers(children: Path) -> list[Path]:
    """Return the worker processes among the children of a process."""
    found = (Path(f"/proc/{each}") for each in children.read_text(encoding="ascii").split())
    return [each for each in found if b"spawn_main" in (each / "cmdline").read_bytes()]

"""A contest in which a program edits a bot between rounds."""

from __future__ import annotations

import json
import os
import shlex
import time
from contextlib import suppress
from pathlib import Path

import pytest

import arena as library
from tests.cli.runner import arena, refused

# An author that needs no model: it reads what it finds, breaks its bot, and then mends it.
PROGRAM = """\
import os, pathlib, sys

number = int(os.environ["ARENA_ROUND"])
feedback = pathlib.Path(os.environ["ARENA_FEEDBACK"])
if number > 1:
    assert "kitten" in (feedback / "standings.txt").read_text()
    assert any((feedback / "matches").iterdir())
if number == 2:
    # A mistake: the bot does not start any more.
    pathlib.Path("bot.py").write_text("import gone")
if number == 3:
    assert "gone" in (feedback / "problem.txt").read_text()
    pathlib.Path("bot.py").write_text(pathlib.Path(sys.argv[1]).read_text())
"""
FIRST = """\
from arena.sdk import Bot, run


class First(Bot):
    def choose(self, view):
        return self.legal_actions(view)[0]


if __name__ == "__main__":
    run(First)
"""
GREEDY = Path(library.__file__).parent / "templates" / "games" / "meow.py"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a weak bot, in the current folder."""
    monkeypatch.chdir(tmp_path)
    kitten = tmp_path / "kitten"
    kitten.mkdir()
    (kitten / "bot.py").write_text(FIRST)
    manifest = 'name = "kitten"\ngames = ["meow"]\ncommand = ["python", "bot.py"]\n'
    (kitten / "bot.toml").write_text(manifest)
    (tmp_path / "author.py").write_text(PROGRAM)
    return kitten


def improve(*words: str) -> list[dict[str, object]]:
    options = ("--game", "meow", "--bots", "random", "--seats", "2", "--deals", "3")
    result = arena("improve", "duel", *options, *words, "--json")
    assert result.exit_code == 0, result.output
    rows: list[dict[str, object]] = json.loads(result.stdout)
    return rows


def test_a_program_improves_a_bot_and_a_bot_that_fails_its_check_plays_on_as_it_was(
    folder: Path, tmp_path: Path
) -> None:
    program = shlex.join(["python3", f"{tmp_path}/author.py", str(GREEDY)])
    rows = improve("--with", f"kitten={program}", "--rounds", "3")
    assert [(row["round"], row["version"], row["changed"]) for row in rows] == [
        (1, 1, True),
        (2, 1, False),
        (3, 2, True),
    ]
    assert "gone" in str(rows[1]["problem"])
    # Asked again, nothing is left to play; two more rounds continue the contest.
    assert improve("--with", f"kitten={program}", "--rounds", "3") == rows
    assert len(improve("--with", f"kitten={program}", "--rounds", "4")) == 4


def test_a_program_that_takes_too_long_is_ended_with_all_that_it_started(
    folder: Path, tmp_path: Path
) -> None:
    program = "sleep 600 & echo $! > ../pid; sleep 600"
    rows = improve("--with", f"kitten={program}", "--rounds", "1", "--minutes", "0.02")
    assert rows[0]["problem"] == "its program took longer than 1.2 s"
    pid = int((tmp_path / "pid").read_text())
    # It has been killed; its end may take a moment.
    with suppress(FileNotFoundError, ProcessLookupError):
        while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
            time.sleep(0.01)


def test_a_bot_that_never_passed_its_check_cannot_take_part(folder: Path) -> None:
    (folder / "bot.py").write_text("import gone")
    words = ("improve", "duel", "--game", "meow", "--bots", "random", "--with", "kitten=true")
    assert "kitten cannot play" in refused(arena(*words))


def test_the_command_of_an_author_is_required(folder: Path) -> None:
    message = refused(arena("improve", "duel", "--game", "meow", "--with", "kitten"))
    assert "must be FOLDER=COMMAND" in message
    assert not os.path.exists("arena.db")

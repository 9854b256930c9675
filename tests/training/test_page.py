"""The page on the bot that learns goes from random weights to the leaderboard."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from training.meow import main as training

from arena.cli import main as arena
from tests.bots.inprocess import BOTS
from tests.cages import cage
from tests.commands import sessions

PAGE = (BOTS / "learned-meow" / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    shlex.split(command)
    for block in re.findall(r"^```console\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    for command, _ in sessions(block)
]
SHORTER = {"--matches": "8", "--deals": "1"}
"""What the tests put in place of the numbers on the page."""


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the page in a folder with a copy of the bot, for a moment."""
    for at, word in enumerate(words):
        if word in SHORTER:
            words = [*words[: at + 1], SHORTER[word], *words[at + 2 :]]
    if words[0] == "scripts/train":
        out = folder / "bots" / "learned-meow" / "weights.npz"
        words = [str(BOTS.parent / words[0]), *words[1:], "--tables", "4", "--deals", "2"]
        words += ["--folder", str(folder / "training"), "--out", str(out)]
    else:
        words = [sys.executable, "-m", *words]
        if words[3] != "leaderboard":
            words += ["--cage", cage().name]
    return subprocess.run(words, cwd=folder, env=os.environ, capture_output=True, text=True)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_of_the_page_is_understood(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(BOTS.parent)
    command: click.Command | None = arena if words[0] == "arena" else training
    rest = words[1:] if words[0] == "arena" else words[2:]
    while isinstance(command, click.Group):
        _, command, rest = command.resolve_command(click.Context(command), rest)
    assert command
    command.make_context(words[0], list(rest))


@pytest.mark.slow
def test_following_the_page_ends_on_the_leaderboard(tmp_path: Path) -> None:
    bot = shutil.copytree(BOTS / "learned-meow", tmp_path / "bots" / "learned-meow")
    # The network decides alone: this is about the commands, not about the play.
    code = (bot / "bot.py").read_text(encoding="utf-8")
    looks = "looks_ahead: ClassVar[bool] = True"
    assert looks in code
    (bot / "bot.py").write_text(code.replace(looks, looks.replace("True", "False")))
    last = ""
    for words in COMMANDS:
        done = run(words, tmp_path)
        if "index" in done.stderr and not os.environ.get("CI"):
            pytest.skip("the bot needs numpy, and no package index can be reached")
        assert done.returncode == 0, f"{words}: {done.stdout[-800:]}{done.stderr[-800:]}"
        last = done.stdout
    assert "learned-meow" in last


def test_the_page_names_every_file_of_the_bot() -> None:
    shown = re.findall(r"^\| `([\w.]+)` \|", PAGE, re.MULTILINE)
    files = {path.name for path in (BOTS / "learned-meow").glob("*.*") if path.is_file()}
    assert set(shown) == files - {"README.md", "bot.toml", "curve.svg"}

"""Everything on the page about bots is true."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from doctest import DocTestParser, DocTestRunner
from pathlib import Path

import pytest

from tests.test_readme import sessions

BOTS = Path(__file__).parents[2] / "bots"
PAGE = (BOTS / "README.md").read_text(encoding="utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
"""Every block with its language."""


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the page."""
    program, *words = shlex.split(command)
    words = words if program == "python" else ["-m", program, *words]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        env=environment,
        cwd=folder,
    )


@pytest.mark.slow
def test_following_the_page_gives_the_output_it_shows(tmp_path: Path) -> None:
    for language, block in BLOCKS:
        if language == "python":
            name = block.partition("\n")[0].removeprefix("# ")
            (tmp_path / name).write_text(block, encoding="utf-8")
        elif language == "diff":
            subprocess.run(["git", "apply"], input=block, text=True, cwd=tmp_path, check=True)
        elif language == "console":
            for command, output in sessions(block):
                done = run(command, tmp_path)
                assert done.returncode == 0, f"{command}: {done.stdout[-500:]}{done.stderr}"
                pattern = "".join(
                    ".*" if line == "..." else re.escape(f"{line}\n")
                    for line in output.splitlines()
                )
                assert re.match(pattern, done.stdout, re.DOTALL), f"{command}: {done.stdout}"


def test_the_positions_are_as_shown() -> None:
    text = "\n".join(block for language, block in BLOCKS if language == "pycon")
    examples = DocTestParser().get_doctest(text, {}, "positions", "bots/README.md", 0)
    assert len(examples.examples) > 15
    assert DocTestRunner().run(examples).failed == 0


def test_every_house_bot_is_listed() -> None:
    listed = re.findall(r"^\| \[([\w-]+)\]\((?:[\w-]+)\) \|", PAGE, re.MULTILINE)
    assert sorted(listed) == sorted(path.parent.name for path in BOTS.glob("*/bot.toml"))

"""Is the README true?"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the code blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def sessions() -> list[tuple[str, str]]:
    """Return every command of the README with the output printed below it."""
    found = []
    for block in blocks("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command.partition("  #")[0].strip(), output))
    return found


@pytest.mark.parametrize(
    ("command", "output"), [session for session in sessions() if session[0].startswith("arena")]
)
def test_the_commands_print_what_the_readme_says(command: str, output: str) -> None:
    words = [sys.executable, "-m", "arena", *shlex.split(command)[1:]]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(words, input="quit\n", capture_output=True, text=True, env=environment)
    if "human" in command:
        assert "you left the table" in done.stderr
    else:
        assert done.returncode == 0, done.stderr
    pattern = "".join(
        ".*?" if line == "..." else re.escape(f"{line}\n") for line in output.splitlines()
    )
    assert re.match(pattern, done.stdout, re.DOTALL), done.stdout[:1000]


@pytest.mark.parametrize(
    "command", [command for command, _ in sessions() if command.startswith("scripts/")]
)
def test_the_scripts_are_there_and_can_be_run(command: str) -> None:
    assert os.access(ROOT / command.split()[0], os.X_OK)


@pytest.mark.parametrize("program", blocks("python"))
def test_the_programs_run(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_ci_runs_exactly_the_test_command_of_the_readme() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith(("#", "set ", "cd "))]
    assert commands == ["scripts/test"]
    assert "scripts/test" in [command for command, _ in sessions()]

"""Is the README true?"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from arena.limits import MOST, Limits

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the code blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def sessions(block: str) -> list[tuple[str, str]]:
    """Return every command of a block with the output printed below it."""
    found = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        found.append((re.split(r"\s+#", command)[0].strip(), output))
    return found


COMMANDS = [command for block in blocks("console") for command, _ in sessions(block)]
BOTS = [program for program in blocks("python") if "arena.sdk" in program]
PROGRAMS = [program for program in blocks("python") if program not in BOTS]


@pytest.mark.parametrize("block", blocks("console"))
def test_the_commands_print_what_the_readme_says(block: str, tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(BOTS[0], encoding="utf-8")
    for command, output in sessions(block):
        if not command.startswith("arena"):
            continue
        words = [sys.executable, "-m", "arena", *shlex.split(command)[1:]]
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run(
            words, input="quit\n", capture_output=True, text=True, env=environment, cwd=tmp_path
        )
        if "human" in command:
            assert "you left the table" in done.stderr
        else:
            assert done.returncode == 0, f"{command}: {done.stdout[-500:]}{done.stderr}"
        pattern = "".join(
            ".*?" if line == "..." else re.escape(f"{line}\n") for line in output.splitlines()
        )
        assert re.match(pattern, done.stdout, re.DOTALL), done.stdout[:1000]


@pytest.mark.parametrize("command", [each for each in COMMANDS if each.startswith("scripts/")])
def test_the_scripts_are_there_and_can_be_run(command: str) -> None:
    assert os.access(ROOT / command.split()[0], os.X_OK)


def test_links_lead_to_files() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_programs_run(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_table_of_limits_is_the_one_that_holds() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \|", README, re.MULTILINE)
    usual, most = asdict(Limits()), asdict(MOST)
    assert rows == [(name, str(usual[name]), str(most[name])) for name in usual]


def test_the_shortest_bot_has_at_most_ten_lines() -> None:
    assert len(BOTS[0].strip().splitlines()) <= 10


def test_the_ci_runs_exactly_the_test_command_of_the_readme() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith(("#", "set ", "cd "))]
    assert commands == ["scripts/test"]
    assert "scripts/test" in COMMANDS

"""The gate for pull requests: scripts/gate, and what GitHub and pre-commit are told about it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders.bots import ROOT
from tests.cages import cage
from tests.cli.runner import arena

GATE = ROOT / "scripts" / "gate"
ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
STEPS = [
    *re.findall(r"^      run: \|\n((?:        .*\n)+)", ACTION, re.MULTILINE),
    *re.findall(r"^      run: ([^|\n].*)$", ACTION, re.MULTILINE),
]
"""The commands of the action; the one of several lines is its last step."""
GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.com")


class Project:
    """An author's repository with a bot, in a folder whose name has a space."""

    def __init__(self, top: Path) -> None:
        """Commit a bot that plays at random."""
        self.top = top / "my bots"
        self.bot = self.top / "kitten"
        self.summary = top / "gate.md"
        self.bot.mkdir(parents=True)
        self.git("init", "-q")
        self.write((ROOT / "bots/random/bot.py").read_text("utf-8"))
        self.git("commit", "-q", "--allow-empty", "-m", "Nothing")
        self.git("tag", "empty")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "A bot")

    def write(self, program: str) -> None:
        """Change the bot."""
        (self.bot / "bot.py").write_text(program, encoding="utf-8")
        manifest = 'name = "kitten"\ngames = ["meow"]\ncommand = ["python", "bot.py"]\n'
        (self.bot / "bot.toml").write_text(manifest, encoding="utf-8")

    def git(self, *words: str) -> None:
        """Run git."""
        subprocess.run([*GIT, *words], cwd=self.top, check=True, capture_output=True)

    def environment(self) -> dict[str, str]:
        """Return the variables of a shell in which `arena` is the one of this checkout."""
        programs = self.top.parent / "arena" / "bin"
        programs.mkdir(parents=True, exist_ok=True)
        for name, line in (
            ("arena", f'exec "{sys.executable}" -m arena "$@"'),
            ("gh", f'echo "$@" > "{self.top.parent}/commented"'),
        ):
            (programs / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
            (programs / name).chmod(0o755)
        path = f"{programs}:{os.environ['PATH']}"
        return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}

    def gate(self, base: str, *options: str) -> tuple[int, str]:
        """Run the gate; return its exit code and the summary."""
        words: list[str | Path] = [GATE, "kitten", "meow", base, self.summary, *options]
        done = subprocess.run(
            words, cwd=self.top, env=self.environment(), capture_output=True, text=True
        )
        return done.returncode, self.summary.read_text(encoding="utf-8")

    def last_step(self, options: str, **inputs: str) -> tuple[int, str]:
        """Run the last step of the action, as GitHub would for pull request 7."""
        top = self.top.parent
        variables = {
            "BOT": "kitten",
            "GAME": "meow",
            "OPTIONS": options,
            "UNDECIDED": "pass",
            "COMMENT": "true",
            "BASE": "HEAD",
            "PULL_REQUEST": "7",
            "GH_TOKEN": "none",
            "RUNNER_TEMP": str(top),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_STEP_SUMMARY": str(top / "steps.md"),
            **inputs,
        }
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", STEPS[0]],
            cwd=self.top,
            env={**self.environment(), **variables},
            capture_output=True,
            text=True,
        )
        return done.returncode, (top / "steps.md").read_text(encoding="utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Make a repository with a bot."""
    if cage().name == "none":
        pytest.skip("arena check needs a cage")
    return Project(tmp_path)


@pytest.mark.slow  # checks and compares with real bots
def test_a_better_bot_passes_and_the_pull_request_gets_the_summary(project: Project) -> None:
    project.write((ROOT / "bots/greedy-meow/bot.py").read_text("utf-8"))
    code, shown = project.last_step("--error 0.3 --seed 1")
    assert (code, shown.splitlines()[0]) == (0, "### Arena: Better")
    assert re.search(r"^\| old \| the one of [0-9a-f]+ \|$", shown, re.MULTILINE)
    commented = (project.top.parent / "commented").read_text("utf-8").split()
    assert commented[:4] == ["pr", "comment", "7", "--body-file"]
    assert project.summary.read_text("utf-8") == shown


@pytest.mark.slow
@pytest.mark.parametrize(("undecided", "code"), [("pass", 0), ("fail", 3)])
def test_a_comparison_without_a_result_passes_unless_it_shall_not(
    project: Project, undecided: str, code: int
) -> None:
    project.write((ROOT / "bots/first/bot.py").read_text("utf-8"))
    found, shown = project.last_step("--deals 1 --seed 1", UNDECIDED=undecided)
    assert (found, shown.splitlines()[0]) == (code, "### Arena: Not known yet")


def test_a_bot_that_fails_the_check_does_not_pass(project: Project) -> None:
    project.write("print('</code> **bold**')\nraise SystemExit(3)\n")
    code, summary = project.gate("HEAD")
    assert (code, summary.splitlines()[0]) == (1, "### Arena: Not ready")
    assert all(line.startswith("    ") for line in summary.splitlines()[2:] if line)


def test_without_an_earlier_version_there_is_only_the_check(project: Project) -> None:
    code, summary = project.gate("empty")
    assert (code, summary.splitlines()[0]) == (0, "### Arena: Ready")


def test_the_gate_says_how_it_is_used() -> None:
    done = subprocess.run([GATE, "kitten"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: scripts/gate BOT GAME BASE")


def test_no_text_of_a_pull_request_is_part_of_a_command() -> None:
    assert len(STEPS) == 4
    assert [step for step in STEPS if "${{" in step] == []


def test_a_new_bot_may_have_the_workflow(tmp_path: Path) -> None:
    result = arena("new", str(tmp_path / "kitten"), "--game", "meow", "--ci")
    assert result.exit_code == 0
    workflow = (tmp_path / "kitten/.github/workflows/arena.yml").read_text("utf-8")
    assert "{{" not in workflow
    named = re.findall(r"^          (\w+): .*$", workflow.partition("OWNER/arena")[2], re.MULTILINE)
    inputs = re.findall(r"^  (\w+):$", ACTION.partition("\nruns:")[0], re.MULTILINE)
    assert set(named) <= set(inputs)


@pytest.mark.slow
def test_the_hook_of_pre_commit_runs_the_check(tmp_path: Path) -> None:
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    (entry,) = re.findall(r"^  entry: arena (.*)$", hook, re.MULTILINE)
    broken = tmp_path / "broken"
    broken.mkdir()
    assert arena(*shlex.split(entry), str(ROOT / "bots/first"), "--game", "meow").exit_code == 0
    assert arena(*shlex.split(entry), str(broken)).exit_code != 0

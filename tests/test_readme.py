"""The README is true, and every other page can be reached from it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from arena.submission.limits import MAXIMUM, Limits
from tests.cli.runner import arena
from tests.commands import FENCED, agrees, sessions

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PAGES = sorted(
    path
    for folder in (".", "arena", "bots", "leaderboard", "protos", "scripts")
    for path in (ROOT.glob("*.md") if folder == "." else (ROOT / folder).rglob("*.md"))
    if not {"node_modules", "templates", "house_bots"} & set(path.relative_to(ROOT).parts)
    and not path.is_symlink()
)


def blocks(language: str, text: str = README) -> list[str]:
    """Return the code blocks of one language."""
    return [block for found, block in FENCED.findall(text) if found == language]


def links(page: Path) -> set[tuple[Path, str]]:
    """Return what a page links to: a file of the project and an anchor, or ""."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    found = re.findall(r"\]\(\s*(?!https?:)([^)#\s]*)#?([^)\s]*)\)", text)
    return {((page.parent / link).resolve() if link else page, to) for link, to in found}


def anchors(page: Path) -> set[str]:
    """Return the addresses of the headings of a page, as GitHub and Sphinx make them."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.*)", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


COMMANDS = [command for block in blocks("console") for command, _ in sessions(block)]
(BOT,) = blocks("python")


SHORTER = {"arena check first.py": "arena check first.py --game meow"}
"""What the short tests run instead of the longest command; --all runs it as it stands."""


@pytest.mark.parametrize(
    ("block", "shorter"),
    [
        *((block, SHORTER) for block in blocks("console")),
        *(
            pytest.param(block, {}, marks=pytest.mark.slow)
            for block in blocks("console")
            if any(command in SHORTER for command, _ in sessions(block))
        ),
    ],
)
def test_the_commands_print_what_the_readme_says(
    block: str, shorter: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(SHORTER) <= set(COMMANDS)
    (tmp_path / "first.py").write_text(BOT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for command, output in sessions(block):
        if not command.startswith("arena"):
            continue
        done = arena(*shlex.split(shorter.get(command, command))[1:], typed="quit\n")
        if "human" in command:
            assert "you left the table" in done.stderr
        else:
            assert done.exit_code == 0, f"{command}: {done.stdout[-500:]}{done.stderr}"
        assert agrees(output, done.stdout), done.stdout[:1000]


@pytest.mark.parametrize("command", [each for each in COMMANDS if each.startswith("scripts/")])
def test_the_scripts_are_executable(command: str) -> None:
    assert os.access(ROOT / command.split()[0], os.X_OK)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_link_is_dead(page: Path) -> None:
    assert [link for link, _ in links(page) if not link.is_file()] == []
    assert [to for link, to in links(page) if to and to not in anchors(link)] == []


def test_every_page_is_linked_from_the_readme() -> None:
    reached = {ROOT / "README.md"}
    while (
        more := {link for page in reached for link, _ in links(page) if link.suffix == ".md"}
        - reached
    ):
        reached |= more
    # `arena rules` shows the rules, and prompts are no documentation.
    others = {page for page in PAGES if page.name == "RULES.md" or page.parent.name == "prompts"}
    assert set(PAGES) - reached - others == set()


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 120


def test_the_example_in_the_games_readme_runs() -> None:
    (program,) = blocks("python", (ROOT / "arena/games/README.md").read_text(encoding="utf-8"))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_table_of_limits_is_correct() -> None:
    page = (ROOT / "arena/sandbox/README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \|", page, re.MULTILINE)
    usual, most = asdict(Limits()), asdict(MAXIMUM)
    assert rows == [(name, str(usual[name]), str(most[name])) for name in usual]


def test_the_shortest_bot_has_at_most_ten_lines() -> None:
    assert len(BOT.strip().splitlines()) <= 10


def test_ci_runs_exactly_the_test_command_of_the_readme() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith(("#", "set ", "cd "))]
    assert commands == ["scripts/test"]
    assert "`scripts/test`" in README


def test_the_workflow_runs_the_test_command() -> None:
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert re.findall(r"^ +- run: (scripts/.*)$", workflow, re.MULTILINE) == ["scripts/test"]


def test_the_architecture_names_modules_and_definitions_that_exist() -> None:
    names = re.findall(r"`([\w./]+)`", ARCHITECTURE)
    paths = {name for name in names if "/" in name}
    assert {path for path in paths if not (ROOT / path).exists()} == set()
    sources = [
        path.read_text(encoding="utf-8")
        for package in ("arena", "leaderboard")
        for path in (ROOT / package).rglob("*.py")
    ]
    defined = set(
        re.findall(r"^ *(?:async )?(?:def|class) (\w+)", "\n".join(sources), re.MULTILINE)
    )
    parts = {part for name in names if "/" not in name for part in name.split(".")}
    assert parts - defined == set()


def test_the_architecture_describes_every_package() -> None:
    packages = {f"arena/{path.parent.name}" for path in (ROOT / "arena").glob("*/__init__.py")}
    rows = set(re.findall(r"^\| `([\w/]+)` \|", ARCHITECTURE, re.MULTILINE))
    assert rows == packages | {"leaderboard"}

"""`arena docs` shows the pages of the installed version."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.cli.docs import FOLDER, PAGES, WAYS
from tests.cli.runner import arena, printed
from tests.cli.terminals import arena_at_terminal

ROOT = Path(__file__).parents[2]


def test_every_page_is_listed_with_a_sentence() -> None:
    result = printed(arena("docs"))
    listed = dict(re.findall(r"^  ([\w-]+)  +(.+\.)$", result, re.MULTILINE))
    assert listed == PAGES
    assert re.findall(r"^\w+$", result, re.MULTILINE) == list(WAYS)
    assert set(PAGES) == {path.stem for path in FOLDER.iterdir()}


@pytest.mark.parametrize("page", PAGES)
def test_a_pipe_gets_a_page_as_it_is_in_the_checkout(page: str) -> None:
    result = printed(arena("docs", page))
    assert result.startswith("# ")
    source = (FOLDER / f"{page}.md").resolve()
    assert source.is_relative_to(ROOT)
    assert result.rstrip("\n") == source.read_text("utf-8").rstrip("\n")


def test_a_terminal_gets_a_page_drawn_to_its_width(tmp_path: Path) -> None:
    with arena_at_terminal(tmp_path, "docs", "league", columns=60, rows=2000) as terminal:
        terminal.wait_for("strengths and their intervals")
        text = terminal.text
    assert "```" not in text
    assert "](" not in text
    assert "| --- |" not in text
    # A cell of a table continues below itself, and a paragraph is wrapped once.
    assert re.search(r"^ +column +shown as +meaning", text, re.MULTILINE)
    assert "You can read it at any time, even while an event is running." in " ".join(text.split())


def test_every_page_that_the_readme_recommends_to_users_is_there() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    table = readme.partition("\n## Where to go next\n")[2]
    linked = {(ROOT / link).resolve() for link in re.findall(r"\]\(([^)#]+)\)", table)}
    for_developers = {"ARCHITECTURE.md", "CONTRIBUTING.md", "RESULTS.md"}
    ours = {(FOLDER / f"{page}.md").resolve() for page in PAGES}
    assert {path for path in linked if path.name not in for_developers} <= ours

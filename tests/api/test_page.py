"""The page about `import arena` and its notebook are true: their examples run."""

from __future__ import annotations

import ast
import json
import re
from doctest import ELLIPSIS, DocTestParser, DocTestRunner
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.api.league import League
from tests.test_readme import blocks

FOLDER = Path(arena.__file__).parent / "api"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))


def test_every_example_gives_the_output_shown() -> None:
    examples = "\n".join([arena.__doc__ or "", *blocks("pycon", PAGE)])
    test = DocTestParser().get_doctest(examples, {}, "page", "arena/api/README.md", 0)
    assert len(test.examples) > 25
    assert DocTestRunner(optionflags=ELLIPSIS).run(test).failed == 0


def test_the_page_names_everything_that_there_is() -> None:
    methods = {name for cls in (League, arena.Replay) for name in vars(cls) if name[0].isalpha()}
    ours = {"stored_replay", "stored_replays", "limits", "record", "path", "game", "players"}
    for name in {*arena.__all__, *methods} - ours - {"League", "Replay"}:
        assert re.search(rf"\b{name}\b", PAGE), name


def run_cell(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; return the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_the_notebook_runs_and_shows_pictures() -> None:
    notebook = json.loads((FOLDER / "first_steps.ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["outputs"] for cell in cells] == [[]] * len(cells)
    names: dict[str, Any] = {}
    shown = [run_cell("".join(cell["source"]), names) for cell in cells]
    tags = [first_tag(each._repr_html_()) for each in shown if hasattr(each, "_repr_html_")]
    assert tags == ["svg", "iframe", "table", "table", "table", "iframe"]


def first_tag(html: str) -> str:
    """Return the first tag of HTML whose tags are all closed."""
    found: list[str] = []
    open_tags: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            found.append(tag)
            if tag not in ("circle", "path"):
                open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert tag in ("circle", "path") or open_tags.pop() == tag

    Reader().feed(html)
    assert not open_tags
    return found[0]

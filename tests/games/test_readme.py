"""The page on games describes everything public, and its examples run."""

from __future__ import annotations

import re
from doctest import ELLIPSIS, DocTestParser, DocTestRunner
from pathlib import Path

import pytest

import arena.games
from arena.games import Ending, Game, Outcome, State
from tests.test_readme import blocks

PAGE = (Path(__file__).parents[2] / "arena/games/README.md").read_text(encoding="utf-8")
EXAMPLES = "\n".join(blocks("pycon", PAGE))
NOT_ON_THE_PAGE = {
    "view_type": "a game declares it: the page on adding one",
    "event_types": "the same",
    "parameters_form": "settings and parameters_from write and read parameters",
    "code": "it is for files, not for people",
    "LENGTH_CAP": "it takes a long match",
    "places": "the outcome shows its fields",
    "scores": "the outcome shows its fields",
}


def test_every_example_gives_the_output_shown() -> None:
    test = DocTestParser().get_doctest(EXAMPLES, {}, "page", "arena/games/README.md", 0)
    assert len(test.examples) > 35
    assert DocTestRunner(optionflags=ELLIPSIS).run(test).failed == 0


def test_every_public_name_is_on_the_page() -> None:
    assert [name for name in arena.games.__all__ if not re.search(rf"\b{name}\b", PAGE)] == []


@pytest.mark.parametrize("cls", [Game, State, Outcome, Ending])
def test_every_method_and_field_is_on_the_page(cls: type) -> None:
    names = {name for name in {*vars(cls), *cls.__annotations__} if not name.startswith("_")}
    missing = {name for name in names if not re.search(rf"\b{name}\b", PAGE)}
    assert missing <= NOT_ON_THE_PAGE.keys()

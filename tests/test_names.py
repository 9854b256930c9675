"""Names are plain: no private metaphors, and one meaning for each public class name."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    path.relative_to(ROOT)
    for package in ("arena", "leaderboard")
    for path in (ROOT / package).rglob("*.py")
    # Generated code, and bots, which are separate programs.
    if not {"v1", "house_bots", "templates"} & set(path.parts)
)
METAPHORS = {
    *("aloud", "bury", "deaf", "desk", "floor", "gone", "greeted", "grip", "guest", "hall"),
    *("hearing", "holding", "husk", "inmate", "meant", "parting", "room", "shelf", "shop"),
    *("sitting", "speech", "telling", "told"),
}
EMPTY_WORDS = {"common", "helper", "helpers", "manager", "misc", "util", "utils"}
PLAIN_USES = {"room_of": "the room that Jackal's stacks have for dice"}
SEVERAL_MEANINGS = {
    "Action": "each game has its own",
    "Parameters": "each game has its own",
    "RoundBegan": "an event of several games",
    "View": "each game has its own",
}


def words_of(name: str) -> set[str]:
    """Split a name at underscores and capitals."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


@cache
def definitions(module: Path) -> list[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return every class, function and method of a module."""
    return [
        node
        for node in ast.walk(ast.parse((ROOT / module).read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_every_module_is_checked() -> None:
    assert len(MODULES) > 150


@pytest.mark.parametrize(
    ("name", "words"),
    [("HTTPHall", {"http", "hall"}), ("_own_files", {"own", "files"}), ("is_told", {"is", "told"})],
)
def test_a_name_is_split_into_words(name: str, words: set[str]) -> None:
    assert words_of(name) == words


def test_no_module_class_or_function_is_named_by_a_metaphor_or_an_empty_word() -> None:
    names = {str(module): module.stem for module in MODULES}
    for module in MODULES:
        names |= {f"{module}:{node.lineno}": node.name for node in definitions(module)}
    banned = METAPHORS | EMPTY_WORDS
    found = {at: name for at, name in names.items() if words_of(name) & banned}
    assert {at: name for at, name in found.items() if name not in PLAIN_USES} == {}
    assert PLAIN_USES.keys() - set(found.values()) == set()


def test_a_public_class_name_has_one_meaning() -> None:
    found = defaultdict(list)
    for module in MODULES:
        for node in definitions(module):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(module))
    several = {name: modules for name, modules in found.items() if len(modules) > 1}
    assert several.keys() - SEVERAL_MEANINGS.keys() == set(), several
    assert SEVERAL_MEANINGS.keys() - several.keys() == set()

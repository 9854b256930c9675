"""Every rule has a test."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from arena.games.registry import AnyGame, all_games

HERE = Path(__file__).parent


def clauses(game: AnyGame) -> list[int]:
    """List the numbers of the clauses in a game's rules."""
    return [int(number) for number in re.findall(r"^(\d+)\. ", game.rules(), re.MULTILINE)]


def cited(folder: Path) -> set[int]:
    """Collect the clauses that the tests of a folder cite with the `rules` marker."""
    found = set()
    for path in folder.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith("rules"):
                        found |= {ast.literal_eval(argument) for argument in mark.args}
    return found


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_clause_is_cited_by_a_test_and_no_test_cites_a_missing_one(game: AnyGame) -> None:
    numbers = clauses(game)
    assert numbers == list(range(1, len(numbers) + 1))
    assert cited(HERE / game.id) == set(numbers)

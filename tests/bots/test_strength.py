"""Strength is measured on duplicate deals, and a measurement can be interrupted."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from arena.games.registry import GAME_IDS

BENCH = run_path(str(Path(__file__).parents[2] / "scripts/benches/strength.py"))


def duel(tmp_path: Path, *words: str, game: str = "meow", seats: int = 4, deals: int = 2) -> Any:
    """Play deals, and return the results; the deals of earlier calls are not played again."""
    results = tmp_path / "strength.jsonl"
    options = Namespace(
        game=game, variant="", seats=seats, seed=1, deals=deals, until_clear=False, results=results
    )
    for played in BENCH["play"](words, options):
        BENCH["write"](results, played)
    return BENCH["read"](results)[-1]


@pytest.mark.parametrize("game", GAME_IDS)
def test_a_bot_is_exactly_even_with_itself(tmp_path: Path, game: str) -> None:
    # Its random numbers follow from the deal and the seat.
    assert duel(tmp_path, "random", "random", game=game, seats=3).shares == (0.5, 0.5)


def test_an_interrupted_measurement_goes_on_with_the_same_deals(tmp_path: Path) -> None:
    first = duel(tmp_path, "greedy", "random", deals=1)
    both = duel(tmp_path, "greedy", "random", deals=2)
    (tmp_path / "strength.jsonl").unlink()
    assert both.shares == duel(tmp_path, "greedy", "random", deals=2).shares
    assert both.shares[:1] == first.shares
    assert len(BENCH["read"](tmp_path / "strength.jsonl")) == 1


def test_the_page_on_bots_has_the_results_of_the_bench() -> None:
    page = (Path(__file__).parents[2] / "bots/README.md").read_text(encoding="utf-8")
    assert BENCH["crosstable"](BENCH["read"](BENCH["RESULTS"])) in page

"""The page about learning is true: its examples run, and its tables are the layout of tensors."""

from __future__ import annotations

from doctest import DocTestParser, DocTestRunner
from pathlib import Path
from typing import Any

import pytest

from arena.games.registry import AnyGame, all_games, game_named
from tests.bots.inprocess import play_bots
from tests.test_readme import blocks

PAGE = (Path(__file__).parents[2] / "arena/learn/README.md").read_text(encoding="utf-8")
TRAINING, BOT = blocks("python", PAGE)


def test_every_example_gives_the_output_shown() -> None:
    examples = "\n".join(blocks("pycon", PAGE))
    test = DocTestParser().get_doctest(examples, {}, "page", "arena/learn/README.md", 0)
    assert len(test.examples) > 15
    assert DocTestRunner().run(test).failed == 0


@pytest.mark.slow
def test_the_training_changes_the_policy() -> None:
    names: dict[str, Any] = {}
    exec(TRAINING, names)
    assert names["weights"].any()


def test_the_bot_plays_a_match() -> None:
    names: dict[str, Any] = {}
    exec(BOT, names)
    meow = game_named("meow")
    bots = [names["Learned"]() for _ in range(4)]
    record = play_bots(meow, bots, bytes(32), meow.default_parameters)
    assert len(record.decisions) == 108


def layout(game: AnyGame) -> str:
    """Write the parts of a game's tensors as the page shows them."""
    encoders = [game.encoder(seats) for seats in game.seat_counts]
    seats = ", ".join(map(str, game.seat_counts))
    lines = [
        f"### {game.title}",
        "",
        f"With {seats} seats: {', '.join(str(encoder.size) for encoder in encoders)} floats.",
        "",
        "| part | known | floats | meaning |",
        "| --- | --- | ---: | --- |",
    ]
    for parts in zip(*(encoder.parts for encoder in encoders), strict=True):
        name, audience, _, size, meaning = parts[0]
        assert {part.meaning for part in parts} == {meaning}
        sizes = [part.size for part in parts]
        shown = size if len(set(sizes)) == 1 else ", ".join(map(str, sizes))
        lines.append(f"| `{name}` | {audience.value} | {shown} | {meaning} |")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_the_tables_are_the_layout_of_tensors(game: AnyGame) -> None:
    assert layout(game) in PAGE

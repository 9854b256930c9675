"""The command `arena demo`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.games.registry import GAME_IDS
from tests.cli.runner import arena

QUICKLY = ("--deals", "1", "--clock", "cpu:0.1+0.001", "--quiet")


@pytest.mark.parametrize(
    "game_ids", [("meow",), pytest.param(GAME_IDS, marks=pytest.mark.slow)], ids=["meow", "all"]
)
def test_the_demo_runs_an_event_in_each_game_and_shows_the_leaderboards(
    game_ids: tuple[str, ...], tmp_path: Path
) -> None:
    db = tmp_path / "demo.db"
    chosen = () if game_ids == GAME_IDS else game_ids
    result = arena("demo", *chosen, "--db", db, *QUICKLY)
    assert result.exit_code == 0, result.output
    for game_id in game_ids:
        assert f"\n{game_id}, " in result.stdout
        assert f"greedy-{game_id}" in result.stdout
    assert "Try next:" in result.stdout
    assert arena("verify", "--db", db).exit_code == 0
    if chosen:
        return
    # A second run adds to the same file.
    again = arena("demo", "meow", "--db", db, *QUICKLY)
    assert again.exit_code == 0, again.output
    events = json.loads(arena("event", "list", "--db", db, "--json").stdout)
    assert [event["game"] for event in events] == [*game_ids, "meow"]


def test_a_demo_of_an_unknown_game_says_so(tmp_path: Path) -> None:
    result = arena("demo", "chess", "--db", tmp_path / "demo.db")
    assert result.exit_code == 2
    assert "no such game: 'chess'" in result.stderr
    assert not list(tmp_path.iterdir())

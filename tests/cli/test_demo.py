"""The command `arena demo`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.games.registry import GAME_IDS
from tests.cli.runner import arena, printed

QUICKLY = ("--deals", "1", "--clock", "cpu:0.1+0.001", "--quiet")


@pytest.mark.parametrize(
    "game_ids", [("meow",), pytest.param(GAME_IDS, marks=pytest.mark.slow)], ids=["meow", "all"]
)
def test_the_demo_runs_an_event_in_each_game_and_shows_the_leaderboards(
    game_ids: tuple[str, ...], tmp_path: Path
) -> None:
    db = tmp_path / "demo.db"
    chosen = () if game_ids == GAME_IDS else game_ids
    result = printed(arena("demo", *chosen, "--db", db, *QUICKLY))
    for game_id in game_ids:
        assert f"\n{game_id}, " in result
        assert f"greedy-{game_id}" in result
    assert "Try next:\n  arena play meow human " in result
    site = tmp_path / "demo-site" / "index.html"
    assert f"\nThe league as pages, with replays: {site}\n" in result
    assert "greedy-" in site.read_text(encoding="utf-8")
    assert arena("verify", "--db", db).exit_code == 0
    if chosen:
        return
    # A second run adds to the same file.
    printed(arena("demo", "meow", "--db", db, *QUICKLY))
    events = json.loads(arena("event", "list", "--db", db, "--json").stdout)
    assert [event["game"] for event in events] == ["meow", *reversed(game_ids)]

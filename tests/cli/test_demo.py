"""The command `arena demo`."""

from __future__ import annotations

from pathlib import Path

from arena.games.registry import GAME_IDS
from tests.cli.runner import arena


def test_the_demo_runs_an_event_in_each_game_and_shows_the_leaderboards(tmp_path: Path) -> None:
    db = str(tmp_path / "demo.db")
    result = arena("demo", "--db", db, "--deals", "1", "--clock", "cpu:0.1+0.001", "--quiet")
    assert result.exit_code == 0, result.output
    for game_id in GAME_IDS:
        assert f"\n{game_id}, " in result.stdout
        assert f"greedy-{game_id}" in result.stdout
    assert "Try next:" in result.stdout
    assert arena("verify", "--db", db).exit_code == 0
    # A second run adds to the same file.
    assert (
        arena("demo", "--db", db, "--deals", "1", "--clock", "cpu:0.1+0.001", "--quiet").exit_code
        == 0
    )

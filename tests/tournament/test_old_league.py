"""A league played by an older arena can be migrated and verified."""

from __future__ import annotations

import zlib
from pathlib import Path

from arena.tournament.verify import first_complaint
from leaderboard.events import all_events
from leaderboard.store import Store
from leaderboard.verification.bots import bot_differences
from leaderboard.verification.journal import journal_differences
from leaderboard.verification.secrets import secret_differences
from leaderboard.verify import first_difference

FILES = Path(__file__).parent / "files"
VERSION_1 = FILES / "played-by-version-1.db.z"
"""A round-robin without a seed and a Swiss event with seed 5, before deals were secret."""
VERSION_2 = FILES / "played-by-version-2.db.z"
"""A finished round-robin with faults, forfeits and matches ended by the length cap, and an
interrupted one, before endings were stored as codes."""


def test_a_league_of_version_1_is_migrated_and_verified(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    path.write_bytes(zlib.decompress(VERSION_1.read_bytes()))
    with Store.open(path) as store:
        events = all_events(store)
        assert [(event.name, event.seed, event.open_deals) for event in events] == [
            ("cup", 0, True),
            ("open", 5, True),
        ]
        assert [first_complaint(store, event) for event in events] == [None, None]
        assert first_difference(store) is None
        assert bot_differences(store) == []
        assert secret_differences(store) == []
        assert journal_differences(store) == []


def test_a_league_of_version_2_is_migrated_and_verified(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    path.write_bytes(zlib.decompress(VERSION_2.read_bytes()))
    with Store.open(path) as store:
        events = all_events(store)
        assert [(event.name, event.status) for event in events] == [
            ("cup", "finished"),
            ("open", "interrupted"),
        ]
        assert [first_complaint(store, event) for event in events] == [None, None]
        assert first_difference(store) is None
        assert secret_differences(store) == []
        assert journal_differences(store) == []
        counts = store.rows("SELECT ending, count(*) FROM seats GROUP BY ending")
        assert dict(counts) == {
            "crashed": 3,
            "forfeit": 20,
            "hung_up": 2,
            "illegal_action": 2,
            "nonsense": 2,
            "over_limit": 1,
            "overrun": 3,
            "played": 111,
        }
        counts = store.rows("SELECT ending, count(*) FROM matches GROUP BY ending")
        assert dict(counts) == {"forfeit": 20, "length_cap": 8, "played_out": 20}

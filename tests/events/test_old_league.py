"""Is a league that an older arena has played still true?"""

from __future__ import annotations

import zlib
from pathlib import Path

from arena.events.verify import first_complaint
from leaderboard.events import all_events
from leaderboard.store import Store
from leaderboard.verify import first_difference

PLAYED = Path(__file__).parent / "files" / "played-by-version-1.db.z"
"""A round-robin without a seed and a Swiss event with seed 5, before deals were secret."""


def test_a_league_of_version_1_is_brought_up_to_date_and_stays_true(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    path.write_bytes(zlib.decompress(PLAYED.read_bytes()))
    with Store.open(path) as store:
        events = all_events(store)
        assert [(event.name, event.seed, event.open_deals) for event in events] == [
            ("cup", 0, True),
            ("open", 5, True),
        ]
        assert [first_complaint(store, event) for event in events] == [None, None]
        assert first_difference(store) is None

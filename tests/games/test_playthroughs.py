"""No rule, view or notation changes unnoticed."""

from __future__ import annotations

import pytest

from tests.games.playthrough import FOLDER, MATCHES, path_of, playthrough, variants


def test_no_playthrough_is_missing_and_none_is_left_over() -> None:
    assert set(MATCHES) == set(variants())
    assert {path.name for path in FOLDER.iterdir()} == {path_of(name).name for name in variants()}


@pytest.mark.parametrize("name", MATCHES)
def test_the_match_is_played_as_recorded(name: str) -> None:
    written = path_of(name).read_text(encoding="utf-8")
    assert playthrough(name) == written, "run scripts/playthroughs and read the difference"

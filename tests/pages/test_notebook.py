"""What a notebook shows of a replay, a view and a state."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from playwright.sync_api import expect

from arena.api.replay import Replay
from arena.games.registry import game_named
from tests.games.highcard.highcard import GAME
from tests.pages.open_page import Opener
from tests.pages.replays import SHORT
from tests.pages.test_pictures import used


def test_a_replay_is_a_page_in_a_frame_where_one_can_step(
    open_page: Opener, tmp_path: Path
) -> None:
    (tmp_path / "cell.html").write_text(Replay(SHORT["meow"])._repr_html_(), encoding="utf-8")
    cell = open_page(f"file://{tmp_path / 'cell.html'}")
    frame = cell.page.frame_locator("iframe")
    for click in ("#forward", "#faults a", "#last"):
        before = frame.locator("#slider").input_value()
        frame.locator(click).click()
        expect(frame.locator("#slider")).not_to_have_value(before)
    assert cell.errors == []


def test_a_view_and_a_state_are_pictures_of_what_they_are() -> None:
    for game_id in ("trio", "jackal", "meow", "lifeislife"):
        game = game_named(game_id)
        state = game.start(3, 7)
        own, all_cards = used(game.view_of(state, 0)._repr_html_()), used(state._repr_html_())
        assert "back" not in all_cards
        assert ("back" in own) == (game_id != "jackal")
        assert len(own) >= 5


def test_a_state_of_a_game_without_pictures_is_drawn_as_it_is_printed() -> None:
    state = GAME.start(2, 7)
    shown = re.sub(r"<[^>]*>", "", state._repr_html_())
    assert unescape(shown) == str(state)

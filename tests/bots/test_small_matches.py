"""House bots play small matches to the end."""

from __future__ import annotations

from typing import Any

import pytest

from arena.games.conformance import Setting
from arena.games.randomness import seed_from
from tests.bots.inprocess import BOTS, bot_class, bot_module, play_bots
from tests.games.test_small import SETTINGS

search = bot_module("search")


class Hurried(bot_class("search")):  # type: ignore[misc]  # a class of the bot's own
    """Looks at a few positions only, however fast the machine is."""

    def choose_many(self, views: Any) -> list[int]:
        """Search for each view."""
        return [self.search(match, view) for match, view in zip(self.matches, views, strict=True)]

    def search(self, match: Any, view: Any) -> int:
        """Search through eight matches."""
        actions = match.game.legal_actions(view)
        guide = search.guide_for(match.game.id)(view)
        found = search.Search(match.game, guide, view, actions, match.rng)
        return int(found.run(lambda playouts: playouts / 8))


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("name", ["random", "first", "greedy", "search"])
def test_house_bots_play_small_matches(setting: Setting, name: str) -> None:
    names = {"greedy": f"greedy-{setting.game.id}"}
    bot = Hurried if name == "search" else bot_class(names.get(name, name))
    bots = [bot() for _ in range(setting.seats)]
    record = play_bots(setting.game, bots, seed_from(1), setting.parameters)
    assert record.outcome.places


@pytest.mark.parametrize("setting", [each for each in SETTINGS if each.game.id == "meow"], ids=str)
def test_the_bot_that_has_learned_plays_small_matches(setting: Setting) -> None:
    bots = [bot_class(str(BOTS / "learned-meow"))() for _ in range(setting.seats)]
    assert play_bots(setting.game, bots, seed_from(1), setting.parameters).outcome.places

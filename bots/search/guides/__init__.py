"""Guides: what the search knows about each game. `plain.py` says what a guide is."""

from __future__ import annotations

from guides import jackal, lifeislife, meow, trio
from guides.plain import PlainGuide

GUIDES: dict[str, type[PlainGuide]] = {
    "jackal": jackal.Guide,
    "lifeislife": lifeislife.Guide,
    "meow": meow.Guide,
    "trio": trio.Guide,
}


def guide_for(game_id: str) -> type[PlainGuide]:
    """Return the guide to a game; another game than ours has the plain one."""
    return GUIDES.get(game_id, PlainGuide)

"""Guides: what the search needs to know about each game.

A guide knows how to play on sensibly, which actions look promising, and what a position is worth.
Each game has a file with a class `Guide`. It is instantiated for every decision, from the view of
the deciding seat, and can precompute in `__init__` whatever its methods need. It derives from
`plain.PlainGuide`, which implements all methods in a way that works for any game:

`prior(actions)`       returns the expected reward of each legal action of the view's seat. Only
                       differences matter. The search tries the best first and the others as time
                       allows; with no time at all it plays the best.
`rollout(state, rng)`  returns a sensible action for the seat to act. It gets the complete state,
                       but should not use what that seat does not know. It is called thousands of
                       times a second, so it should take a few microseconds.
`is_far_enough(state)` returns whether a rollout may stop here, before the end, and be evaluated.
`rewards(state)`       returns what the state is worth to each seat, from 0 to 1, once the match is
                       over or far enough.
`play_on(state, rng)`  plays until the match is over or far enough. It calls `rollout` and
                       `is_far_enough`; a guide may override it with a faster version.
`observation(state, seat)`
                       returns what chance has just revealed to the seat: a die, a card turned up.
                       The tree branches on it. None if the last action involved no chance.

Three numbers tune the search: `prior_weight`, `exploration` and `expand_after`. `plain.PlainGuide`
explains them.
"""

from __future__ import annotations

from importlib import import_module

from guides.plain import PlainGuide


def guide_for(game_id: str) -> type[PlainGuide]:
    """Return the guide to a game, importing only that game's module."""
    guide: type[PlainGuide] = import_module(f"guides.{game_id}").Guide
    return guide

"""What does the search have to be told about a game?

A guide: how to play on sensibly, which actions look promising, and what a position is worth. There
is a file for each game, with a class `Guide` in it that is made anew for every decision, from the
view of the seat that decides. It may prepare there whatever all its answers need. It has these
methods, and `plain.Plain`, from which they all derive, has an answer to each that does for any
game:

`prior(actions)`       tells for each legal action of the view's seat what it promises, in the units
                       of rewards. Only differences count. The search tries the best first, looks at
                       the others as time allows, and with no time at all plays the best.
`rollout(state, rng)`  returns a sensible action for whoever is to act. It gets a whole state,
                       but should not use what the seat to act does not know. It is asked
                       thousands of times a second, so it should take a few microseconds.
`is_far_enough(state)` tells whether a rollout may stop here, before the end, and be judged.
`rewards(state)`       tells for every seat, from 0 to 1, what a match is worth that is over or has
                       come far enough.
`play_on(state, rng)`  plays a state until it is over or far enough. It is made of the two above; a
                       guide may do it in a faster way of its own.
`seen(state, seat)`    tells what the seat has just learnt by chance: a die, a card turned up. The
                       tree branches by it. Where no chance answers an action, it is None.

Three numbers say how to search with it: `trust`, `doubt` and `ripe`, explained in `plain.Plain`.
"""

from __future__ import annotations

from importlib import import_module

from guides.plain import Plain


def guide_for(game_id: str) -> type[Plain]:
    """Return the guide to a game; only its file is imported."""
    guide: type[Plain] = import_module(f"guides.{game_id}").Guide
    return guide

"""A match has one winner or none: a shared first place is not a win."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.games.outcome import places_by
from leaderboard.result import is_win

SIDES = ((0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 1, 0, 1), (0, 1, 2, 0, 1, 2))


def winners(places: tuple[int, ...], sides: tuple[int, ...]) -> list[int]:
    """Return the seats that have won."""
    return [seat for seat in range(len(places)) if is_win(seat, places, sides)]


@given(st.sampled_from(SIDES), st.data())
def test_the_winners_are_one_whole_side_or_nobody(
    sides: tuple[int, ...], data: st.DataObject
) -> None:
    scores = {side: data.draw(st.integers(0, 3)) for side in sorted(set(sides))}
    places = places_by([scores[side] for side in sides])
    won = winners(tuple(places), sides)
    best = [side for side in scores if scores[side] == max(scores.values())]
    assert won == ([seat for seat, side in enumerate(sides) if [side] == best])

"""Does every Swiss round keep the laws of a Swiss round?"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scheduling.swiss_events import rounds_of


@settings(max_examples=20, deadline=None)
@given(
    entrants=st.integers(6, 24),
    seats=st.integers(2, 6),
    allowed=st.sets(st.integers(2, 6)),
    seed=st.integers(0, 10**6),
)
def test_everybody_sits_once_or_has_a_bye(
    entrants: int, seats: int, allowed: set[int], seed: int
) -> None:
    for number, (_, this) in enumerate(
        rounds_of(entrants, seats, 5, seed=seed, allowed=allowed | {seats}), 1
    ):
        seated = [entrant for pairing in this.pairings for entrant in pairing.seating]
        idle = [bye.entrant for bye in this.byes]
        assert sorted(seated + idle) == list(range(entrants))
        assert {pairing.round for pairing in this.pairings} == {number}
        assert {bye.round for bye in this.byes} <= {number}

"""Are the standings of an event right, down to the last tie-break?"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.games.core import places_by
from arena.scheduling.pairing import Bye
from leaderboard.standings import Line, MatchResult, Meeting, crosstable, meetings, standings

HALF = Fraction(1, 2)


def match(pairing: int, seating: tuple[int, ...], places: tuple[int, ...]) -> MatchResult:
    """Make a match in which nobody has a partner."""
    return MatchResult(pairing, seating, places, tuple(range(len(seating))))


def ranks(lines: list[Line]) -> list[tuple[int, int]]:
    """Return the ranks and who has them."""
    return [(line.rank, line.entrant) for line in lines]


@st.composite
def events(draw: st.DrawFn) -> tuple[list[MatchResult], int]:
    """Draw an event: pairings of any size, a few matches each, many ties."""
    entrants = draw(st.integers(2, 7))
    rng = Random(draw(st.integers(0, 10**6)))
    results = []
    for pairing in range(draw(st.integers(0, 8))):
        seating = tuple(rng.sample(range(entrants), rng.randint(2, entrants)))
        for _ in range(rng.randint(1, 3)):
            seating = seating[1:] + seating[:1]
            merits = [rng.randint(0, 3) for _ in seating]
            results.append(match(pairing, seating, places_by(merits)))
    return results, entrants


def test_a_pairing_is_worth_the_mean_of_its_matches_and_a_bye_is_worth_one() -> None:
    results = [
        match(0, (0, 1), (1, 2)),
        match(0, (1, 0), (1, 2)),
        match(0, (0, 1), (1, 1)),
        match(0, (1, 0), (2, 1)),
    ]
    lines = standings(results, entrants=3, byes=[Bye(1, 2)])
    assert [(line.entrant, line.points) for line in lines] == [
        (2, 1),
        (0, Fraction(5, 8)),
        (1, Fraction(3, 8)),
    ]
    assert [line.byes for line in lines] == [1, 0, 0]
    assert [line.wins for line in lines] == [0, 2, 1]
    assert [line.mean_place for line in lines] == [None, Fraction(5, 4), Fraction(3, 2)]


def test_opponents_decide_between_equals_and_then_their_own_match() -> None:
    results = [match(0, (1, 0), (2, 1)), match(1, (2, 3), (1, 2)), match(2, (3, 1), (2, 1))]
    lines = standings(results, entrants=4)
    assert [line.points for line in lines] == [1, 1, 1, 0]
    assert [line.opponents for line in lines] == [1, 1, 0, 2]
    assert [line.direct for line in lines] == [1, 0, None, None]
    assert ranks(lines) == [(1, 0), (2, 1), (3, 2), (4, 3)]


def test_equals_who_did_not_all_meet_are_ranked_by_wins_then_by_rating() -> None:
    won_and_lost = [match(0, (0, 2), (1, 2)), match(0, (2, 0), (1, 2))]
    tied_twice = [match(1, (1, 3), (1, 1)), match(1, (3, 1), (1, 1))]
    results = won_and_lost + tied_twice
    lines = standings(results, entrants=4)
    assert ranks(lines) == [(1, 0), (1, 2), (3, 1), (3, 3)]
    assert [line.wins for line in lines] == [1, 1, 0, 0]
    rated = standings(results, entrants=4, ratings=[1.0, 5.0, 2.0, 9.0])
    assert ranks(rated) == [(1, 2), (2, 0), (3, 3), (4, 1)]


def test_equals_who_met_unequally_often_are_not_ranked_by_it() -> None:
    circle = [match(0, (0, 1), (1, 2)), match(1, (1, 2), (1, 2)), match(2, (2, 0), (1, 2))]
    assert [line.direct for line in standings(circle, entrants=3)] == [HALF, HALF, HALF]
    once_more = [*circle, match(0, (1, 0), (2, 1))]
    lines = standings(once_more, entrants=3)
    assert {line.points for line in lines} == {Fraction(1)}
    assert {line.direct for line in lines} == {None}
    assert ranks(lines)[0] == (1, 0)


def test_a_larger_table_is_no_advantage() -> None:
    results = [match(0, (0, 1, 2), (1, 2, 3)), match(1, (3, 4), (1, 2)), match(2, (5, 2), (2, 1))]
    by_entrant = {line.entrant: line for line in standings(results, entrants=6)}
    assert by_entrant[0].opponents == (HALF + 1) / 2
    assert by_entrant[3].opponents == 0


def test_a_bye_counts_as_if_one_had_met_ones_equal() -> None:
    results = [match(0, (0, 1), (1, 2))]
    first, second, last = standings(results, entrants=3, byes=[Bye(1, 2), Bye(2, 2)])
    assert [first.entrant, first.points, first.opponents] == [2, 2, 4]
    assert (second.entrant, last.entrant) == (0, 1)


def test_a_match_that_was_not_played_gives_points_and_nothing_else() -> None:
    sides = (0, 1)
    forfeit = MatchResult(0, (0, 1), (1, 2), sides, frozenset({1}), played=False)
    first, second = standings([forfeit], entrants=2)
    assert [first.entrant, first.points, first.wins, first.matches] == [0, 1, 0, 0]
    assert [first.opponents, first.mean_place, first.faults] == [1, None, 0]
    assert [second.points, second.faults] == [0, 1]
    assert meetings([forfeit]) == {}


def test_partners_are_not_opponents() -> None:
    teams = MatchResult(0, (0, 1, 2, 3), (1, 2, 1, 2), (0, 1, 0, 1))
    lines = standings([teams], entrants=4)
    assert ranks(lines) == [(1, 0), (1, 2), (3, 1), (3, 3)]
    assert [line.points for line in lines] == [1, 1, 0, 0]
    assert [line.opponents for line in lines] == [0, 0, 1, 1]
    assert (0, 2) not in meetings([teams])
    assert meetings([teams])[2, 3] == Meeting(1, Fraction(1))


def test_a_crosstable_has_the_order_of_the_standings() -> None:
    results = [match(0, (0, 1), (2, 1)), match(0, (1, 0), (1, 1)), match(1, (1, 2), (1, 2))]
    lines = standings(results, entrants=3)
    assert [line.entrant for line in lines] == [1, 0, 2]
    quarters = Fraction(3, 4)
    assert crosstable(lines, meetings(results)) == [
        [None, Meeting(2, quarters), Meeting(1, Fraction(1))],
        [Meeting(2, 1 - quarters), None, None],
        [Meeting(1, Fraction(0)), None, None],
    ]


def test_before_the_first_match_everybody_is_first() -> None:
    assert ranks(standings([], entrants=3)) == [(1, 0), (1, 1), (1, 2)]


@given(events())
def test_points_add_up_to_half_a_point_a_seat(event: tuple[list[MatchResult], int]) -> None:
    results, entrants = event
    seats = {result.pairing: len(result.seating) for result in results}
    total = sum(line.points for line in standings(results, entrants=entrants))
    assert total == Fraction(sum(seats.values()), 2)


@given(events())
def test_what_one_took_the_other_lost(event: tuple[list[MatchResult], int]) -> None:
    met = meetings(event[0])
    for (one, other), meeting in met.items():
        assert met[other, one] == Meeting(meeting.matches, 1 - meeting.share)


@given(events(), st.randoms(use_true_random=False))
def test_neither_the_order_of_matches_nor_that_of_entrants_matters(
    event: tuple[list[MatchResult], int], rng: Random
) -> None:
    results, entrants = event
    names = rng.sample(range(entrants), entrants)
    renamed = [
        result._replace(seating=tuple(names[entrant] for entrant in result.seating))
        for result in rng.sample(results, len(results))
    ]
    expected = [
        line._replace(entrant=names[line.entrant]) for line in standings(results, entrants=entrants)
    ]
    found = standings(renamed, entrants=entrants)
    assert sorted(found, key=lambda line: line.entrant) == sorted(
        expected, key=lambda line: line.entrant
    )


@given(events())
def test_ranks_are_shared_by_those_who_are_equal_in_everything(
    event: tuple[list[MatchResult], int],
) -> None:
    results, entrants = event
    lines = standings(results, entrants=entrants)
    merits = [(x.points, x.opponents, x.direct or Fraction(), x.wins) for x in lines]
    assert merits == sorted(merits, reverse=True)
    assert [line.rank for line in lines] == [1 + merits.index(merit) for merit in merits]

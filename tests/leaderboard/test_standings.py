"""Standings of an event, down to the last tie-break."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.outcome import places_by
from arena.indices import EntrantIndex, VersionId
from arena.scheduling.pairing import Bye
from leaderboard import standings as module
from leaderboard.result import FORFEIT, HeadToHead, MatchResult, SeatResult
from leaderboard.sides import Sides
from leaderboard.standings import Meetings, StandingsRow, crosstable

HALF = Fraction(1, 2)


def one_side_per_seat(seats: int) -> tuple[int, ...]:
    """Give every seat its own side."""
    return tuple(range(seats))


def match(pairing: int, seating: tuple[int, ...], places: tuple[int, ...]) -> MatchResult:
    """Make a match between entrants; the ids of their versions are their indices in the field."""
    seats = tuple(
        SeatResult(VersionId(entrant), place, 0, 0.0)
        for entrant, place in zip(seating, places, strict=True)
    )
    return MatchResult(
        *(0, pairing, 0, 0, b"", "played_out", seats), decisions=0, time_ms=0, cage="", replay=b""
    )


def field(entrants: int) -> list[VersionId]:
    return [VersionId(number) for number in range(entrants)]


def standings(
    results: list[MatchResult],
    *,
    entrants: int,
    sides: Sides = one_side_per_seat,
    byes: Sequence[Bye] = (),
    ratings: Sequence[float] | None = None,
    by_adjusted: bool = False,
) -> list[StandingsRow]:
    """Rank the entrants."""
    return module.standings(
        results,
        field=field(entrants),
        sides=sides,
        byes=byes,
        ratings=ratings,
        by_adjusted=by_adjusted,
    )


def meetings(results: list[MatchResult], *, sides: Sides = one_side_per_seat) -> Meetings:
    """Return the results of the entrants against each other."""
    return module.meetings(results, field=field(7), sides=sides)


def ranks(lines: list[StandingsRow]) -> list[tuple[int, int]]:
    """Return the ranks and the entrants that have them."""
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
    lines = standings(results, entrants=3, byes=[Bye(1, EntrantIndex(2))])
    assert [(line.entrant, line.points) for line in lines] == [
        (2, 1),
        (0, Fraction(5, 8)),
        (1, Fraction(3, 8)),
    ]
    assert [line.byes for line in lines] == [1, 0, 0]
    assert [line.wins for line in lines] == [0, 2, 1]
    assert [line.mean_place for line in lines] == [None, Fraction(5, 4), Fraction(3, 2)]


def test_equal_points_are_decided_by_opponents_points_then_by_head_to_head() -> None:
    results = [match(0, (1, 0), (2, 1)), match(1, (2, 3), (1, 2)), match(2, (3, 1), (2, 1))]
    lines = standings(results, entrants=4)
    assert [line.points for line in lines] == [1, 1, 1, 0]
    assert [line.opponents for line in lines] == [1, 1, 0, 2]
    assert [line.direct for line in lines] == [1, 0, None, None]
    assert ranks(lines) == [(1, 0), (2, 1), (3, 2), (4, 3)]


def test_tied_entrants_who_did_not_all_meet_are_ranked_by_wins_then_by_rating() -> None:
    won_and_lost = [match(0, (0, 2), (1, 2)), match(0, (2, 0), (1, 2))]
    tied_twice = [match(1, (1, 3), (1, 1)), match(1, (3, 1), (1, 1))]
    results = won_and_lost + tied_twice
    lines = standings(results, entrants=4)
    assert ranks(lines) == [(1, 0), (1, 2), (3, 1), (3, 3)]
    assert [line.wins for line in lines] == [1, 1, 0, 0]
    rated = standings(results, entrants=4, ratings=[1.0, 5.0, 2.0, 9.0])
    assert ranks(rated) == [(1, 2), (2, 0), (3, 3), (4, 1)]


def test_head_to_head_does_not_count_if_tied_entrants_met_unequally_often() -> None:
    circle = [match(0, (0, 1), (1, 2)), match(1, (1, 2), (1, 2)), match(2, (2, 0), (1, 2))]
    assert [line.direct for line in standings(circle, entrants=3)] == [HALF, HALF, HALF]
    once_more = [*circle, match(0, (1, 0), (2, 1))]
    lines = standings(once_more, entrants=3)
    assert {line.points for line in lines} == {Fraction(1)}
    assert {line.direct for line in lines} == {None}
    assert ranks(lines)[0] == (1, 0)


def test_a_larger_table_is_no_advantage() -> None:
    results = [match(0, (0, 1, 2), (1, 2, 3)), match(1, (3, 4), (1, 2)), match(2, (5, 2), (2, 1))]
    by_entrant = {int(line.entrant): line for line in standings(results, entrants=6)}
    assert by_entrant[0].opponents == (HALF + 1) / 2
    assert by_entrant[3].opponents == 0


def test_a_bye_counts_like_an_opponent_with_the_same_points() -> None:
    results = [match(0, (0, 1), (1, 2))]
    first, second, last = standings(
        results, entrants=3, byes=[Bye(1, EntrantIndex(2)), Bye(2, EntrantIndex(2))]
    )
    assert [first.entrant, first.points, first.opponents] == [2, 2, 4]
    assert (second.entrant, last.entrant) == (0, 1)


def test_adjusted_points_take_the_strength_of_opponents_into_account() -> None:
    results = [match(0, (0, 1, 2), (1, 2, 3)), match(1, (3, 4, 5), (1, 2, 3))]
    results += [match(2 + n, (winner, 6, 7), (1, 2, 3)) for n, winner in enumerate((0, 0, 2, 2))]
    by_points = standings(results, entrants=8)
    assert {line.adjusted for line in by_points} == {None}
    lines = {int(line.entrant): line for line in standings(results, entrants=8, by_adjusted=True)}
    assert [lines[entrant].points for entrant in (0, 1, 2, 3)] == [3, HALF, 2, 1]
    assert lines[1].adjusted == HALF + Fraction(3 + 2, 2)
    assert lines[3].adjusted == 1 + Fraction(1, 4)
    order = [int(line.entrant) for line in by_points]
    assert order.index(3) < order.index(1)
    assert lines[1].rank < lines[3].rank


def test_adjusted_points_that_are_equal_for_all_leave_the_decision_to_points() -> None:
    lines = standings([match(0, (0, 1), (2, 1))], entrants=2, by_adjusted=True)
    assert [line.adjusted for line in lines] == [1, 1]
    assert ranks(lines) == [(1, 1), (2, 0)]


def test_a_bye_adjusts_points_like_an_opponent_with_the_same_points() -> None:
    byes = [Bye(1, EntrantIndex(3)), Bye(2, EntrantIndex(3))]
    lines = standings([match(0, (0, 1, 2), (1, 2, 3))], entrants=4, byes=byes, by_adjusted=True)
    assert [lines[0].entrant, lines[0].adjusted] == [3, 4]


@pytest.mark.parametrize(
    ("kind", "seats", "expected"),
    [("swiss", 3, True), ("swiss", 6, True), ("swiss", 2, False), ("round-robin", 4, False)],
)
def test_only_swiss_events_at_larger_tables_are_ranked_by_adjusted_points(
    kind: str, seats: int, expected: bool
) -> None:
    assert module.is_adjusted(kind, seats) is expected


def test_a_forfeited_match_gives_points_and_nothing_else() -> None:
    forfeit = match(0, (0, 1), (1, 2))._replace(ending=FORFEIT)
    faulty = forfeit.seats[1]._replace(ending="crashed")
    forfeit = forfeit._replace(seats=(forfeit.seats[0], faulty))
    first, second = standings([forfeit], entrants=2)
    assert [first.entrant, first.points, first.wins, first.matches] == [0, 1, 0, 0]
    assert [first.opponents, first.mean_place, first.faults] == [1, None, 0]
    assert [second.points, second.faults] == [0, 1]
    assert meetings([forfeit]) == {}


def test_partners_are_not_opponents() -> None:
    def pairs(seats: int) -> tuple[int, ...]:
        return tuple(seat % 2 for seat in range(seats))

    teams = match(0, (0, 1, 2, 3), (1, 2, 1, 2))
    lines = standings([teams], entrants=4, sides=pairs)
    assert ranks(lines) == [(1, 0), (1, 2), (3, 1), (3, 3)]
    assert [line.points for line in lines] == [1, 1, 0, 0]
    assert [line.opponents for line in lines] == [0, 0, 1, 1]
    met = meetings([teams], sides=pairs)
    assert (0, 2) not in met
    assert met[EntrantIndex(2), EntrantIndex(3)] == HeadToHead(ahead=1)


def test_a_crosstable_has_the_order_of_the_standings() -> None:
    results = [match(0, (0, 1), (2, 1)), match(0, (1, 0), (1, 1)), match(1, (1, 2), (1, 2))]
    lines = standings(results, entrants=3)
    assert [line.entrant for line in lines] == [1, 0, 2]
    table = crosstable(lines, meetings(results))
    assert table == [
        [None, HeadToHead(1, 1, 0), HeadToHead(1, 0, 0)],
        [HeadToHead(0, 1, 1), None, None],
        [HeadToHead(0, 0, 1), None, None],
    ]
    quarters = Fraction(3, 4)
    assert [[met and (met.matches, met.share) for met in row] for row in table] == [
        [None, (2, quarters), (1, Fraction(1))],
        [(2, 1 - quarters), None, None],
        [(1, Fraction(0)), None, None],
    ]


def test_before_the_first_match_all_entrants_are_first() -> None:
    assert ranks(standings([], entrants=3)) == [(1, 0), (1, 1), (1, 2)]


@given(events())
def test_points_add_up_to_half_a_point_per_seat(event: tuple[list[MatchResult], int]) -> None:
    results, entrants = event
    seats = {result.pairing: len(result.seats) for result in results}
    total = sum(line.points for line in standings(results, entrants=entrants))
    assert total == Fraction(sum(seats.values()), 2)


@given(events())
def test_head_to_head_results_mirror_each_other(event: tuple[list[MatchResult], int]) -> None:
    met = meetings(event[0])
    for (one, other), meeting in met.items():
        assert met[other, one] == tuple(reversed(meeting))
        assert met[other, one].share == 1 - meeting.share
        assert met[other, one].matches == meeting.matches


@given(events(), st.randoms(use_true_random=False))
def test_the_order_of_matches_and_of_entrants_does_not_matter(
    event: tuple[list[MatchResult], int], rng: Random
) -> None:
    results, entrants = event
    names = rng.sample(range(entrants), entrants)
    renamed = [
        result._replace(
            seats=tuple(
                seat._replace(version=VersionId(names[seat.version])) for seat in result.seats
            )
        )
        for result in rng.sample(results, len(results))
    ]
    expected = [
        line._replace(entrant=EntrantIndex(names[line.entrant]))
        for line in standings(results, entrants=entrants)
    ]
    found = standings(renamed, entrants=entrants)
    assert sorted(found, key=lambda line: line.entrant) == sorted(
        expected, key=lambda line: line.entrant
    )


@given(events(), st.booleans())
def test_entrants_share_a_rank_if_they_are_equal_in_everything(
    event: tuple[list[MatchResult], int], by_adjusted: bool
) -> None:
    results, entrants = event
    lines = standings(results, entrants=entrants, by_adjusted=by_adjusted)
    merits = [
        (x.adjusted or Fraction(), x.points, x.opponents, x.direct or Fraction(), x.wins)
        for x in lines
    ]
    assert merits == sorted(merits, reverse=True)
    assert [line.rank for line in lines] == [1 + merits.index(merit) for merit in merits]

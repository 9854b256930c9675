"""An event has the same result in whatever order its matches are played."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.tournament.spec import Kind, Spec
from arena.tournament.verification.events import first_complaint
from arena.tournament.verification.ratings import first_difference
from leaderboard.events import field_of, find_event
from leaderboard.matches import results_of
from leaderboard.result import FORFEIT
from tests.builders.leagues import (
    FakeWorkers,
    all_rows,
    cat_crashes,
    enter,
    open_league,
    play_event,
)

NAMES = ["ann", "ben", "cat", "dan", "eve", "fay"]


def spec(kind: Kind, **changes: object) -> Spec:
    """Describe a small event."""
    values = {"bots": tuple(NAMES), "seats": 3, "deals": 2, "seed": 4, "name": "cup", **changes}
    if kind is Kind.LADDER:
        values["rounds"] = 6
    if kind is Kind.GAUNTLET:
        values |= {"bots": ("cat", "dan"), "against": ("ann", "ben", "eve", "fay")}
    return Spec(kind, "meow", **values)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", Kind)
def test_an_event_has_the_same_result_in_any_order_after_any_stops_and_can_be_verified(
    tmp_path: Path, kind: Kind
) -> None:
    found = []
    for share, stops in ((1.0, []), (0.2, [1, 2, 9, 20, 21, 30])):
        folder = tmp_path / str(share)
        folder.mkdir()
        with open_league(folder, NAMES) as writer:
            enter(writer, spec(kind))
            for stop in stops:
                play_event(writer, "cup", FakeWorkers(cat_crashes, seed=stop), stop_after=stop)
            # These hand back what they have not played.
            workers = FakeWorkers(cat_crashes, seed=len(stops), share=share)
            play_event(writer, "cup", workers)
            assert len(workers.played) == len(set(workers.played))
            assert first_complaint(writer, find_event(writer, "cup")) is None
            assert first_difference(writer) is None
            found.append(all_rows(writer))
    assert found[0]["matches"]
    assert found[0] == found[1]


def test_a_stored_match_is_not_played_again(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        enter(writer, spec(Kind.ROUND_ROBIN))
        counted = play_event(writer, "cup", FakeWorkers(), stop_after=1).course.counted
        workers = FakeWorkers()
        play_event(writer, "cup", workers)
        assert min(workers.played) == counted
        assert len(workers.played) == len(set(workers.played))


def test_a_bot_that_faults_too_often_is_suspended_and_its_forfeits_change_no_ratings(
    tmp_path: Path,
) -> None:
    with open_league(tmp_path, NAMES) as writer:
        event = enter(writer, spec(Kind.ROUND_ROBIN, deals=4))
        play_event(writer, "cup", FakeWorkers(cat_crashes))
        cat = NAMES.index("cat")
        entrants = field_of(writer, event.id)
        reason = entrants[cat].suspended
        assert reason
        assert reason.startswith("suspended after faults in ")
        assert [entrant.suspended for entrant in entrants if entrant is not entrants[cat]] == [
            None
        ] * 5
        version = entrants[cat].version
        with_cat = [
            result
            for result in results_of(writer, event.id)
            if version in [seat.version for seat in result.seats]
        ]
        forfeits = [result for result in with_cat if result.ending == FORFEIT]
        assert forfeits
        # After the first forfeit, it plays no more matches.
        assert with_cat[with_cat.index(forfeits[0]) :] == forfeits
        assert not any(result.rated or result.replay for result in forfeits)
        for result in forfeits:
            places = {seat.version: seat.place for seat in result.seats}
            assert places.pop(version) == 3
            assert set(places.values()) == {1}

"""Does an event come out the same however it is played?"""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.events.spec import Kind, Spec
from arena.events.verify import first_complaint
from leaderboard.events import event_named, field_of
from leaderboard.matches import results_of
from leaderboard.results import FORFEIT
from leaderboard.verify import first_difference
from tests.events.leagues import PretendedWorkers, begun, contents, gone_on, league

NAMES = ["ann", "ben", "cat", "dan", "eve", "fay"]


def spec(kind: Kind, **changes: object) -> Spec:
    """Describe a small event."""
    values = {"bots": tuple(NAMES), "seats": 3, "deals": 2, "seed": 4, "name": "cup", **changes}
    return Spec(kind, "meow", **values)  # type: ignore[arg-type]


def crasher(name: str, number: int) -> bool:
    """Let one bot crash in every second match."""
    return name == "cat" and number % 2 == 0


@pytest.mark.parametrize("kind", Kind)
def test_the_order_in_which_blocks_come_back_does_not_matter(tmp_path: Path, kind: Kind) -> None:
    found = []
    for seed in range(3):
        folder = tmp_path / str(seed)
        folder.mkdir()
        with league(folder, NAMES) as writer:
            begun(writer, spec(kind))
            gone_on(writer, "cup", PretendedWorkers(crasher, seed=seed))
            found.append(contents(writer))
    assert found[0]["matches"]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("kind", Kind)
def test_matches_that_workers_hand_back_are_handed_out_again(tmp_path: Path, kind: Kind) -> None:
    found = []
    for share in (1.0, 0.7, 0.2):
        folder = tmp_path / str(share)
        folder.mkdir()
        with league(folder, NAMES) as writer:
            begun(writer, spec(kind))
            workers = PretendedWorkers(crasher, played=share)
            gone_on(writer, "cup", workers)
            found.append(contents(writer))
        assert len(workers.played) == len(set(workers.played))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("kind", Kind)
def test_an_event_that_is_stopped_again_and_again_comes_out_the_same(
    tmp_path: Path, kind: Kind
) -> None:
    found = []
    for stops in ([], [1, 2, 9, 20, 21, 30]):
        folder = tmp_path / str(len(stops))
        folder.mkdir()
        with league(folder, NAMES) as writer:
            begun(writer, spec(kind))
            for stop in stops:
                gone_on(writer, "cup", PretendedWorkers(crasher, seed=stop), stop_after=stop)
            gone_on(writer, "cup", PretendedWorkers(crasher))
            found.append(contents(writer))
    assert found[0] == found[1]


def test_a_stored_match_is_not_played_again(tmp_path: Path) -> None:
    with league(tmp_path, NAMES) as writer:
        begun(writer, spec(Kind.ROUND_ROBIN))
        counted = gone_on(writer, "cup", PretendedWorkers(), stop_after=1).course.counted
        workers = PretendedWorkers()
        gone_on(writer, "cup", workers)
        assert min(workers.played) == counted
        assert len(workers.played) == len(set(workers.played))


def test_a_bot_that_faults_too_often_is_suspended_and_its_matches_move_no_ratings(
    tmp_path: Path,
) -> None:
    with league(tmp_path, NAMES) as writer:
        event = begun(writer, spec(Kind.ROUND_ROBIN, deals=4))
        gone_on(writer, "cup", PretendedWorkers(crasher))
        cat = NAMES.index("cat")
        entrants = field_of(writer, event.id)
        reason = entrants[cat].suspended
        assert reason
        assert reason.startswith("suspended after faults in ")
        assert [entrant.suspended for entrant in entrants if entrant is not entrants[cat]] == [
            None
        ] * 5
        version = entrants[cat].version
        its = [
            result
            for result in results_of(writer, event.id)
            if version in [seat.version for seat in result.seats]
        ]
        forfeits = [result for result in its if result.ending == FORFEIT]
        assert forfeits
        # From the first forfeit on it plays no more.
        assert its[its.index(forfeits[0]) :] == forfeits
        assert not any(result.rated or result.replay for result in forfeits)
        for result in forfeits:
            places = {seat.version: seat.place for seat in result.seats}
            assert places.pop(version) == 3
            assert set(places.values()) == {1}


@pytest.mark.parametrize("kind", Kind)
def test_a_played_event_is_true(tmp_path: Path, kind: Kind) -> None:
    with league(tmp_path, NAMES) as writer:
        begun(writer, spec(kind))
        gone_on(writer, "cup", PretendedWorkers(crasher))
        assert first_complaint(writer, event_named(writer, "cup")) is None
        assert first_difference(writer) is None


def test_a_swiss_round_waits_for_the_results_of_the_one_before(tmp_path: Path) -> None:
    with league(tmp_path, NAMES) as writer:
        begun(writer, spec(Kind.SWISS))
        run = gone_on(writer, "cup", PretendedWorkers(), stop_after=1)
        assert run.course.round == 1

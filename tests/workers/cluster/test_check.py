"""A worker that lies about a result is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arena.replays.format import read_replay, write_replay
from arena.workers.block import Block, VoidMatch
from arena.workers.cluster.check import FIRST, SHARE, CheckedShare, FalseResult, check_results
from leaderboard.result import MatchResult
from tests.builders.blocks import make_block
from tests.builders.bots import bot_folder, packed_bot
from tests.builders.leagues import FakeWorkers


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Block, list[MatchResult]]:
    """Return a block and its true results."""
    folder = tmp_path_factory.mktemp("bots")
    bots = [packed_bot(bot_folder(folder, name), n) for n, name in enumerate("abc", 1)]
    block = make_block(*bots)
    results: list[MatchResult] = []
    workers = FakeWorkers()
    workers.play(block, lambda report: results.extend(report.results))
    while workers.waiting:
        workers.finish_one()
    return block, sorted(results)


def test_true_results_pass(played: tuple[Block, list[MatchResult]]) -> None:
    check_results(*played, worker="alpha-0")


def swap_places(result: MatchResult) -> MatchResult:
    first, second, *rest = result.seats
    seats = (
        first._replace(place=second.place, points=second.points),
        second._replace(place=first.place, points=first.points),
        *rest,
    )
    return result._replace(seats=seats)


def swap_outcome(result: MatchResult) -> MatchResult:
    record = read_replay(result.replay)
    one, two, *rest = record.places
    return result._replace(replay=write_replay(replace(record, places=(two, one, *rest))))


LIES: dict[str, tuple[Callable[[MatchResult], MatchResult], str]] = {
    "places": (swap_places, "it does not follow from its replay"),
    "outcome": (swap_outcome, "but the rules say"),
    "replay": (lambda result: result._replace(replay=result.replay[:-9]), "the replay"),
    "number": (lambda result: result._replace(number=99), "which it was not to play"),
    "seed": (lambda result: result._replace(seed=result.seed[::-1]), "does not follow"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_found(played: tuple[Block, list[MatchResult]], lie: str) -> None:
    block, results = played
    tell, sentence = LIES[lie]
    uneven = next(each for each in results if each.seats[0].place != each.seats[1].place)
    with pytest.raises(FalseResult, match=sentence):
        check_results(block, [tell(uneven)], worker="alpha-0")


def test_the_replay_of_another_match_is_found(played: tuple[Block, list[MatchResult]]) -> None:
    block, results = played
    with pytest.raises(FalseResult, match="its replay is of another match"):
        check_results(block, [results[0]._replace(replay=results[1].replay)], worker="alpha-0")


def test_a_result_that_comes_twice_is_found(played: tuple[Block, list[MatchResult]]) -> None:
    block, results = played
    with pytest.raises(FalseResult, match="which it was not to play"):
        check_results(block, [results[0], results[0]], worker="alpha-0")


def test_a_void_match_must_be_one_that_the_worker_was_to_play(
    played: tuple[Block, list[MatchResult]],
) -> None:
    block, results = played
    void = VoidMatch(results[0].number)
    check_results(block, [void, *results[1:]], worker="alpha-0")
    lies: list[list[MatchResult | VoidMatch]] = [[VoidMatch(99)], [void, void], [results[0], void]]
    for lie in lies:
        with pytest.raises(FalseResult, match="which it was not to play"):
            check_results(block, lie, worker="alpha-0", is_checked=lambda: False)


def test_trusted_workers_are_believed(
    played: tuple[Block, list[MatchResult]], tmp_path: Path
) -> None:
    block, results = played
    check_results(block, [swap_places(results[0])], worker="alpha-0", is_checked=lambda: False)


def test_of_35_false_results_one_is_found_with_99_percent() -> None:
    sample = CheckedShare(rng=Random(1))
    # All of the first results of each machine.
    assert all(sample.takes(machine) for machine in ("alpha", "beta") for _ in range(FIRST))
    found = sum(any(sample.takes("alpha") for _ in range(35)) for _ in range(2000))
    assert 1 - (1 - 1 / SHARE) ** 35 > 0.99
    assert 0.985 < found / 2000 < 0.996

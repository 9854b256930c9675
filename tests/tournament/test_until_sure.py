"""Events that end when they know, and ladders, have the same result however they are played."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from arena.errors import BadInput
from arena.tournament.certainty import TIME_IS_UP, TOO_FEW_BOTS
from arena.tournament.progress import EventProgress
from arena.tournament.spec import Kind, Spec
from arena.tournament.standing import standing_of
from arena.tournament.verification.events import first_complaint
from arena.tournament.verification.league import check_league
from leaderboard.bots import retire
from leaderboard.events import byes_of, field_of, find_event, pairings_of
from leaderboard.store import Store, Writer
from tests.builders.leagues import (
    NOON,
    FakeWorkers,
    all_rows,
    enter,
    open_league,
    play_event,
    submit_named,
)

NAMES = ("ann", "ben", "cat", "dan", "eve")


def spec(kind: Kind, **changes: Any) -> Spec:
    """Describe an event that goes on for a while."""
    values: dict[str, Any] = {
        "bots": NAMES,
        "seats": 2,
        "deals": 2,
        "rounds": 40,
        "seed": 3,
        "name": "cup",
    }
    if kind is Kind.GAUNTLET:
        values |= {"bots": ("cat",), "against": ("ann", "ben", "dan", "eve")}
    return Spec(kind, "meow", **(values | changes))


def workers(seed: int = 0) -> FakeWorkers:
    """Return workers for which one bot is far better than all others."""
    return FakeWorkers(seed=seed, strong={"cat"})


@pytest.mark.parametrize("kind", Kind)
def test_an_event_ends_at_the_same_match_with_any_workers_and_after_any_stops(
    tmp_path: Path, kind: Kind
) -> None:
    found = []
    for seed, stops in enumerate(([], [1, 3, 5])):
        folder = tmp_path / str(seed)
        folder.mkdir()
        with open_league(folder, NAMES) as writer:
            enter(writer, spec(kind, until_sure=1))
            for stop in stops:
                play_event(writer, "cup", workers(stop), stop_after=stop)
            play_event(writer, "cup", workers(seed))
            event = find_event(writer, "cup")
            assert event.status == "finished"
            assert event.stopped is not None
            assert event.stopped.startswith("the first place was known after ")
            assert standing_of(writer, event).rows()[0]["bot"] == "cat"
            assert check_league(writer).wrong == []
            found.append(all_rows(writer))
    assert found[0] == found[1]


def test_a_false_end_is_reported(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        enter(writer, spec(Kind.ROUND_ROBIN, until_sure=1))
        play_event(writer, "cup", workers())
        for lie in (None, TIME_IS_UP, TOO_FEW_BOTS, "nobody felt like it"):
            with writer.transaction():
                writer.write("UPDATE events SET stopped = ?", [lie])
            complaint = first_complaint(writer, find_event(writer, "cup"))
            assert complaint
            assert "stopped is" in complaint


def test_an_event_that_does_not_know_enough_plays_its_whole_schedule(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        event = enter(writer, spec(Kind.ROUND_ROBIN, rounds=3, until_sure=2))
        play_event(writer, "cup", FakeWorkers())
        assert find_event(writer, "cup").stopped is None
        assert len(pairings_of(writer, event.id)) == 6


def test_more_places_than_bots_cannot_be_in_doubt(tmp_path: Path) -> None:
    with (
        open_league(tmp_path, NAMES) as writer,
        pytest.raises(BadInput, match="first 5 places cannot be in doubt among 5 bots"),
    ):
        enter(writer, spec(Kind.SWISS, until_sure=5))


def after(matches: int, act: Callable[[], None]) -> Callable[[EventProgress], None]:
    """Return a callback that does something once, when this many matches are counted."""
    waiting = [act]

    def on_progress(progress: EventProgress) -> None:
        if waiting and progress.counted >= matches:
            waiting.pop()()

    return on_progress


def test_a_bot_submitted_while_a_ladder_runs_comes_in_and_a_retired_one_goes(
    tmp_path: Path,
) -> None:
    path = tmp_path / "arena.db"

    def change_field() -> None:
        with Store.open(path) as store, store.writing_bots() as beside:
            submit_named(beside, tmp_path, "fay")
            retire(beside, "ben", now=NOON)

    with open_league(tmp_path, NAMES) as writer:
        retire_house_bots(writer)
        event = enter(writer, spec(Kind.LADDER, bots=(), rounds=12))
        before = play_event(writer, "cup", workers(), on_progress=after(20, change_field))
        assert before.names == [*NAMES, "fay"]
        assert len(field_of(writer, event.id)) == 6
        rounds = {number: present_in(writer, event.id, number) for number in range(1, 13)}
        assert rounds[1] == {0, 1, 2, 3, 4}
        assert rounds[12] == {0, 2, 3, 4, 5}
        # It changes between two rounds, once.
        assert len(set(map(frozenset, rounds.values()))) == 2
        assert check_league(writer).wrong == []
        assert {row["bot"] for row in standing_of(writer, event).rows()} == {*NAMES, "fay"}


def retire_house_bots(writer: Writer) -> None:
    """Leave only the bots of the test to play MEOW."""
    for name in ("greedy-meow", "search", "random", "first"):
        submit_named(writer, writer.path.parent, name)
        retire(writer, name, now=NOON)


def present_in(writer: Writer, event: int, number: int) -> set[int]:
    """Return who has a seat or a bye in a round."""
    pairings = [pairing for pairing in pairings_of(writer, event) if pairing.round == number]
    seated = {entrant for pairing in pairings for entrant in pairing.seating}
    return seated | {bye.entrant for bye in byes_of(writer, event) if bye.round == number}


def test_a_ladder_begins_no_round_when_its_time_is_up(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        enter(writer, spec(Kind.LADDER, rounds=None, duration="1h"))
        calls = iter(range(1_000_000))
        # Every look at the clock takes three minutes.
        play_event(writer, "cup", workers(), now=lambda: NOON + timedelta(minutes=3 * next(calls)))
        event = find_event(writer, "cup")
        assert (event.status, event.stopped) == ("finished", TIME_IS_UP)
        assert len(pairings_of(writer, event.id)) >= 2
        assert check_league(writer).wrong == []
        with writer.transaction():
            writer.write("UPDATE events SET ended = started")
        complaint = first_complaint(writer, find_event(writer, "cup"))
        assert complaint == "cup, stopped is 'the time was up', but should be None"


def test_a_ladder_ends_when_too_few_bots_are_left(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        enter(writer, spec(Kind.LADDER, bots=("ann", "ben")))
        play_event(
            writer, "cup", workers(), on_progress=after(8, lambda: retire_one(writer, "ann"))
        )
        event = find_event(writer, "cup")
        assert (event.status, event.stopped) == ("finished", TOO_FEW_BOTS)
        assert check_league(writer).wrong == []


def retire_one(writer: Writer, name: str) -> None:
    """Retire a bot."""
    retire(writer, name, now=NOON)


def test_a_ladder_may_be_limited_by_matches(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        enter(writer, spec(Kind.LADDER, rounds=None, matches=21))
        run = play_event(writer, "cup", workers())
        # The fewest whole pairings, of four matches each.
        assert run.course.counted == 24
        assert check_league(writer).wrong == []


def test_the_standings_of_a_ladder_follow_the_strengths(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        event = enter(writer, spec(Kind.LADDER, rounds=8))
        play_event(writer, "cup", workers())
        rows = standing_of(writer, event).rows()
        assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5]
        assert rows[0]["bot"] == "cat"
        assert sum(row["byes"] for row in rows) == 0

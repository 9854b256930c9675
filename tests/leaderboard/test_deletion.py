"""A deleted event leaves the league as if it had not been played, and the deletion is recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from arena.tournament.spec import Kind, Spec
from arena.tournament.verification.league import check_league
from leaderboard.bots import bring_back, retire
from leaderboard.deletion import Deleted, delete_event
from leaderboard.events import all_events, find_event
from leaderboard.matches import rated_matches
from leaderboard.store import Reader, Writer
from tests.builders.leagues import (
    NAMES,
    NOON,
    FakeWorkers,
    all_rows,
    cat_crashes,
    enter,
    open_league,
    play_event,
)

CUP = Spec(Kind.ROUND_ROBIN, "meow", name="cup", bots=NAMES, seats=3, matches=30, seed=0)
OPEN = Spec(Kind.SWISS, "meow", name="open", bots=NAMES, seats=2, rounds=2, seed=1)
"""It is too short for a suspension: all its matches are rated."""


def play(writer: Writer, spec: Spec) -> None:
    """Play an event in which one bot crashes and is suspended."""
    enter(writer, spec)
    play_event(writer, spec.name, FakeWorkers(cat_crashes))


def derived(reader: Reader) -> dict[str, list[tuple[Any, ...]]]:
    """Return what follows from the matches, without the ids of matches and events."""
    queries = {
        "ratings": "SELECT * FROM ratings",
        "history": "SELECT variant, version, number, mu, sigma FROM rating_history",
        "meetings": "SELECT * FROM meetings",
        "sums": "SELECT * FROM deal_sums",
        "strengths": "SELECT * FROM strengths",
    }
    return {name: sorted(reader.rows(sql)) for name, sql in queries.items()}


def test_after_the_deletion_of_the_last_event_everything_is_as_before(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        play(writer, CUP)
        before = all_rows(writer)
        play(writer, OPEN)
        assert all_rows(writer) != before
        played = len(all_rows(writer)["matches"]) - len(before["matches"])
        rated = sum(1 for _ in rated_matches(writer)) - played
        done = delete_event(writer, find_event(writer, "open"), now=NOON)
        assert all_rows(writer) == before
        assert done == Deleted(played, rated)
        assert check_league(writer).wrong == []


def test_after_the_deletion_of_an_earlier_event_the_later_one_counts_alone(
    tmp_path: Path,
) -> None:
    (tmp_path / "alone").mkdir()
    with open_league(tmp_path / "alone", NAMES) as writer:
        play(writer, OPEN)
        expected = derived(writer)
    with open_league(tmp_path, NAMES) as writer:
        play(writer, CUP)
        play(writer, OPEN)
        assert derived(writer) != expected
        delete_event(writer, find_event(writer, "cup"), now=NOON)
        assert derived(writer) == expected
        assert check_league(writer).wrong == []
        # The league goes on: an event of the same name may take its place.
        play(writer, CUP)
        assert [event.name for event in all_events(writer)] == ["open", "cup"]
        assert check_league(writer).wrong == []


def test_nothing_of_the_only_event_is_left_not_even_the_secret_of_an_interrupted_one(
    tmp_path: Path,
) -> None:
    with open_league(tmp_path, NAMES) as writer:
        enter(writer, CUP)
        play_event(writer, "cup", FakeWorkers(cat_crashes), stop_after=5)
        delete_event(writer, find_event(writer, "cup"), now=NOON)
        left = {table for table, rows in all_rows(writer).items() if rows}
        assert left == {"bots", "versions", "variants", "tie_rates"}
        assert list(writer.rows("SELECT * FROM secrets")) == []
        assert check_league(writer).wrong == []


def test_the_journal_says_which_event_was_removed(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        play(writer, OPEN)
        delete_event(writer, find_event(writer, "open"), now=NOON)
        *_, (content,) = writer.rows("SELECT content FROM journal ORDER BY id")
        removed = {
            each["table"]: each["removed"] for each in json.loads(content) if "removed" in each
        }
        assert removed["events"] == [[1]]
        assert removed["matches"][0] == [1]


def test_a_bot_that_was_retired_and_brought_back_is_as_before(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        play(writer, OPEN)
        before = all_rows(writer)
        assert [str(version) for version in retire(writer, "ann", now=NOON)] == ["ann@1"]
        assert all_rows(writer) != before
        assert [str(version) for version in bring_back(writer, "ann")] == ["ann@1"]
        assert all_rows(writer) == before
        assert check_league(writer).wrong == []

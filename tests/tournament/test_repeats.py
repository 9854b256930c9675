"""A repeated match is not new evidence: it is played and stored, but not rated again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.tournament.spec import Kind, Spec
from arena.tournament.standing import standing_of
from arena.tournament.verification.league import check_league
from leaderboard.events import find_event
from leaderboard.ratings.repeats import events_with_same_deals, repeats_of
from leaderboard.store import Writer
from tests.builders.leagues import NAMES, FakeWorkers, enter, open_league, play_event


def play(writer: Writer, name: str, **changes: Any) -> int:
    """Play a small event; return its id."""
    values: dict[str, Any] = {"bots": NAMES[:3], "seats": 3, "rounds": 2, "seed": 4, "name": name}
    event = enter(writer, Spec(Kind.ROUND_ROBIN, "meow", **(values | changes)))
    play_event(writer, name, FakeWorkers())
    return event.id


def evidence(writer: Writer) -> list[list[tuple[object, ...]]]:
    """Return ratings and strengths, without times."""
    return [
        sorted(writer.rows("SELECT variant, version, mu, sigma, matches, wins FROM ratings")),
        sorted(writer.rows("SELECT variant, version, strength, low, high FROM strengths")),
        sorted(writer.rows("SELECT * FROM deal_sums")),
        sorted(writer.rows("SELECT * FROM meetings")),
    ]


def test_a_repeated_event_changes_no_rating_and_no_strength(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        play(writer, "cup")
        before = evidence(writer)
        again = play(writer, "again")
        assert evidence(writer) == before
        assert repeats_of(writer, again) == (("cup",), 6)
        rows = standing_of(writer, find_event(writer, "again")).rows()
        assert [row["matches"] for row in rows] == [6, 6, 6]
        assert all(row["strength"] and row["rating"] for row in rows)
        assert check_league(writer).wrong == []


def test_only_what_is_new_in_a_longer_event_is_rated(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        play(writer, "cup")
        longer = play(writer, "longer", deals=2)
        assert repeats_of(writer, longer) == (("cup",), 6)
        rated = [rated for (rated,) in writer.rows("SELECT rated FROM matches WHERE event = 2")]
        assert sorted(rated) == [0] * 6 + [1] * 6
        assert check_league(writer).wrong == []


@pytest.mark.parametrize(
    "changes", [{"seed": 5}, {"bots": NAMES[1:4]}, {"variant": ("expert",)}], ids=str
)
def test_other_deals_bots_or_variants_are_new_evidence(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    with open_league(tmp_path, NAMES) as writer:
        play(writer, "cup")
        other = play(writer, "other", **changes)
        assert repeats_of(writer, other) == ((), 0)
        assert list(writer.rows("SELECT 1 FROM matches WHERE NOT rated")) == []
        assert check_league(writer).wrong == []


def test_an_event_that_was_interrupted_repeats_what_was_played_meanwhile(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        first = enter(
            writer,
            Spec(Kind.ROUND_ROBIN, "meow", name="cup", bots=NAMES[:3], seats=3, rounds=2, seed=4),
        )
        play_event(writer, "cup", FakeWorkers(), stop_after=2)
        stored = len(list(writer.rows("SELECT 1 FROM matches")))
        second = play(writer, "again")
        play_event(writer, "cup", FakeWorkers())
        assert events_with_same_deals(writer, first.id) == {second: "again"}
        assert repeats_of(writer, second).matches == stored
        assert repeats_of(writer, first.id).matches == 6 - stored
        assert len(list(writer.rows("SELECT 1 FROM matches WHERE rated"))) == 6
        assert check_league(writer).wrong == []


def test_a_repeat_that_is_marked_as_rated_is_reported(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        play(writer, "cup")
        play(writer, "again")
        with writer.transaction():
            writer.write("UPDATE matches SET rated = 1 WHERE event = 2 AND number = 1")
        assert "rated is True, but should be False" in "\n".join(check_league(writer).wrong)

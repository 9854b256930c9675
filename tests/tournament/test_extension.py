"""An event that is over gets more deals and more bots; an unrated one changes no rating."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import BadInput
from arena.tournament.extension import extended_by, extension_of
from arena.tournament.setup import enter_event
from arena.tournament.spec import Kind, Spec
from arena.tournament.standing import standing_of
from arena.tournament.verification.league import check_league
from leaderboard.events import find_event
from leaderboard.store import Writer
from tests.builders.leagues import NOON, FakeWorkers, enter, open_league, play_event

NAMES = ["ann", "ben", "cat"]
CUP = Spec(Kind.ROUND_ROBIN, "meow", bots=("ann", "ben"), seats=2, deals=3, seed=4, name="cup")


def play(writer: Writer, spec: Spec) -> None:
    """Play an event to its end."""
    enter(writer, spec)
    play_event(writer, spec.name, FakeWorkers())


def extend(writer: Writer, name: str, *bots: str, deals: int | None = None) -> str:
    """Extend an event and play the extension; return its name."""
    spec = extension_of(writer, find_event(writer, name), bots=bots, deals=deals)
    enter_event(writer, spec, now=NOON)
    play_event(writer, spec.name, FakeWorkers())
    return spec.name


def test_an_extension_has_other_deals_and_its_standings_count_both(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        play(writer, CUP)
        assert extend(writer, "cup", deals=2) == "cup-2"
        first, second = find_event(writer, "cup"), find_event(writer, "cup-2")
        assert second.deals == 2
        assert second.secret != first.secret
        assert [line.matches for line in standing_of(writer, first).lines] == [6, 6]
        assert [line.matches for line in standing_of(writer, second).lines] == [10, 10]
        assert extended_by(writer, first) == second
        assert check_league(writer).wrong == []


def test_a_late_bot_meets_the_field_and_all_are_ranked_by_strength(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        play(writer, CUP)
        extend(writer, "cup", "cat")
        standing = standing_of(writer, find_event(writer, "cup-2"))
        matches = {standing.names[line.entrant]: line.matches for line in standing.lines}
        assert matches == {"ann": 18, "ben": 18, "cat": 12}
        merits = [row["strength"] for row in standing.rows()]
        assert merits == sorted(merits, reverse=True)
        assert check_league(writer).wrong == []


def test_an_extended_event_is_continued_where_it_ended_last(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        play(writer, CUP)
        extend(writer, "cup", "cat")
        assert extend(writer, "cup", deals=1) == "cup-3"
        standing = standing_of(writer, find_event(writer, "cup-3"))
        assert {line.matches for line in standing.lines} == {22, 16}
        assert check_league(writer).wrong == []


def test_only_an_event_that_is_over_can_be_extended(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        enter(writer, CUP)
        with pytest.raises(
            BadInput, match="cup is not over: continue it with `arena event resume`"
        ):
            extension_of(writer, find_event(writer, "cup"), deals=1)


def test_an_unrated_event_changes_no_rating_and_has_strengths_of_its_own(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        play(writer, replace(CUP, unrated=True))
        for table in ("ratings", "rating_history", "meetings", "strengths"):
            assert list(writer.rows(f"SELECT * FROM {table}")) == []
        standing = standing_of(writer, find_event(writer, "cup"))
        assert [line.matches for line in standing.lines] == [6, 6]
        assert [row["rating"] for row in standing.rows()] == [None, None]
        assert None not in [row["strength"] for row in standing.rows()]
        assert check_league(writer).wrong == []

"""Nothing is shown of a deal that is still to be played again, and no bot's output to others."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.games.randomness import seed_from
from arena.records import Note, Output
from arena.replays.format import read_replay
from arena.replays.verify import verify
from arena.secret import Secret
from arena.serve.results import without_output
from arena.tournament.spec import Kind, Spec
from leaderboard.store import Reader, Store
from tests.builders.leagues import NAMES, FakeWorkers, cat_crashes, enter, open_league, play_event
from tests.serve.in_process import InProcess

CUP = Spec(Kind.ROUND_ROBIN, "meow", name="cup", bots=NAMES, seats=3, matches=15)
LISTS = ("leaderboard", "head-to-head?bot=ann", "matches", "events", "bots")
PAGES = ("/", "/live", "/matches/cup/0", "/api/v1/matches/cup/0/replay")


def play(folder: Path, matches: int | None) -> None:
    """Play the cup, or go on with it, up to this number of stored matches."""
    with Store.open(folder / "arena.db", create=True) as store, store.writing() as writer:
        play_event(writer, "cup", FakeWorkers(cat_crashes), stop_after=matches)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a league with an event of which nothing has been played."""
    with open_league(tmp_path, NAMES) as writer:
        enter(writer, CUP, secret=Secret(seed_from(1)))
    return tmp_path


def test_an_event_is_shown_only_when_no_deal_is_to_be_played_again(folder: Path) -> None:
    with closing(InProcess(folder)) as league:
        before = {name: league.get(f"/api/v1/{name}").text for name in LISTS}
        pages = {path: league.get(path).text for path in PAGES}
        assert before["matches"] == "[]"
        play(folder, 4)
        assert league.refresh() is False
        assert {name: league.get(f"/api/v1/{name}").text for name in LISTS} == before
        assert {path: league.get(path).text for path in PAGES} == pages
        play(folder, None)
        assert league.refresh() is True
        assert len(league.get("/api/v1/matches").json()) == 15
        assert league.get("/matches/cup/0").status_code == 200


def test_after_a_start_in_the_middle_of_a_deal_nothing_is_shown_yet(folder: Path) -> None:
    play(folder, 4)
    with closing(InProcess(folder)) as league:
        for path in (*(f"/api/v1/{name}" for name in LISTS), *PAGES):
            answer = league.get(path)
            assert (path, answer.status_code) == (path, 503)
            assert "as soon as the round in play is over" in answer.text
            assert answer.headers["retry-after"]
        assert league.get("/api/v1/league").status_code == 200


def test_lists_have_a_tag_that_changes_with_what_is_shown(folder: Path) -> None:
    with closing(InProcess(folder)) as league:
        first = league.get("/api/v1/matches")
        again = league.get("/api/v1/matches", headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        play(folder, None)
        league.refresh()
        newer = league.get("/api/v1/matches", headers={"If-None-Match": first.headers["etag"]})
        assert newer.status_code == 200
        assert newer.headers["etag"] != first.headers["etag"]


def test_matches_are_listed_by_event_by_bot_and_page_by_page(folder: Path) -> None:
    play(folder, None)
    with closing(InProcess(folder)) as league:
        every = league.get("/api/v1/matches").json()
        assert [each["id"] for each in every] == list(range(15, 0, -1))
        with_cat = [m for m in every if "cat" in {seat["bot"] for seat in m["seats"]}]
        assert league.get("/api/v1/matches?bot=cat&event=cup").json() == with_cat
        assert league.get("/api/v1/matches?before=5&limit=2").json() == every[11:13]
        assert league.get("/api/v1/matches?event=nothing").status_code == 404
        assert league.get("/api/v1/matches?limit=0").status_code == 400


def test_what_a_bot_printed_and_noted_is_for_its_author(folder: Path) -> None:
    play(folder, None)
    with Store.open(folder / "arena.db") as store:
        replays = store.rows("SELECT content FROM replays ORDER BY match")
        record = next(each for (data,) in replays if (each := read_replay(data)).faults)
    (fault,) = record.faults
    decision = next(n for n, each in enumerate(record.decisions) if each.seat == fault.seat)
    full = replace(
        record,
        faults=(replace(fault, printed=b"Traceback", reply=b"nonsense"),),
        outputs=(Output(decision, b"secret"),),
        notes=(Note(decision, "my plan"),),
    )
    assert without_output(full, ["cat"]) == full
    assert without_output(full, ["ann"]) == record
    assert verify(without_output(full, [])) == []


def test_a_state_is_shown_for_longer_if_its_pages_take_long(league: InProcess) -> None:
    assert league.service.snapshot.is_due

    def slow(reader: Reader) -> bytes:
        time.sleep(0.2)
        return b""

    league.run(league.service.snapshot.content("slow", slow))
    assert not league.service.snapshot.is_due
    league.refresh()
    assert league.service.snapshot.is_due

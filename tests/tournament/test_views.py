"""The views of the league's file give the same numbers as the commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.tournament.spec import Kind, Spec
from arena.tournament.standing import standing_of
from leaderboard.events import find_event
from leaderboard.file.views import VIEWS
from leaderboard.store import Store
from tests.builders.leagues import FakeWorkers, cat_crashes, enter, open_league, play_event

BOTS = ("ann", "ben", "cat", "dan", "eve", "fay", "gus")
EVENTS = {
    "cup": Spec(Kind.ROUND_ROBIN, "meow", name="cup", bots=BOTS[:5], seats=3, matches=24, seed=0),
    "two": Spec(Kind.SWISS, "meow", name="two", bots=BOTS, seats=2, rounds=3, seed=1),
    "open": Spec(Kind.SWISS, "meow", name="open", bots=BOTS, seats=3, rounds=3, seed=2),
    "teams": Spec(
        Kind.SWISS,
        "trio",
        name="teams",
        bots=BOTS,
        variant=("simple-teams",),
        seats=4,
        rounds=3,
        seed=3,
    ),
}
README = Path(__file__).parents[2] / "leaderboard" / "README.md"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Play events of every kind of standings, with faults, suspensions, byes and teams."""
    folder = tmp_path_factory.mktemp("league")
    with open_league(folder, BOTS) as writer:
        for name, spec in EVENTS.items():
            enter(writer, spec)
            play_event(writer, name, FakeWorkers(cat_crashes))
    with Store.open(folder / "arena.db") as store:
        yield store


@pytest.mark.parametrize("name", EVENTS)
def test_standings_in_sql_are_those_of_the_event(store: Store, name: str) -> None:
    columns = (
        *("points", "adjusted", "matches", "forfeited", "wins", "mean_place"),
        *("faults", "breaks", "byes"),
    )
    rows = standing_of(store, find_event(store, name)).rows()
    shown = {row["bot"]: [row[column] for column in columns] for row in rows}
    sql = f"SELECT bot, {', '.join(columns)} FROM event_standings WHERE event = ?"
    found = {bot: values for bot, *values in store.rows(sql, [name])}
    assert found.keys() == shown.keys()
    for bot, values in found.items():
        assert values == pytest.approx(shown[bot]), bot


@pytest.mark.parametrize("name", EVENTS)
def test_the_first_in_sql_has_as_many_points_as_the_first_of_the_event(
    store: Store, name: str
) -> None:
    first = standing_of(store, find_event(store, name)).rows()[0]
    sql = "SELECT coalesce(adjusted, points) FROM event_standings WHERE event = ? LIMIT 1"
    assert store.row(sql, [name]) == pytest.approx((first["adjusted"] or first["points"],))


def test_only_a_swiss_event_at_larger_tables_has_adjusted_points(store: Store) -> None:
    sql = "SELECT DISTINCT event FROM event_standings WHERE adjusted IS NOT NULL"
    assert {event for (event,) in store.rows(sql)} == {"open", "teams"}


def test_every_seat_has_a_row_with_names(store: Store) -> None:
    (count,) = store.row("SELECT count(*) FROM seats") or ()
    rows = list(store.rows("SELECT event, bot, version_number, place FROM seat_results"))
    assert len(rows) == count
    assert {event for event, *_ in rows} == set(EVENTS)
    assert {(bot, number) for _, bot, number, _ in rows} == {(bot, 1) for bot in BOTS}


def test_partners_have_the_same_team(store: Store) -> None:
    for event, seat, team in store.rows("SELECT event, seat, team FROM seat_results"):
        assert team == (seat % 2 if event == "teams" else None)


def test_no_view_calls_a_number_what_tables_call_an_id(store: Store) -> None:
    for view in VIEWS:
        columns = [row[1] for row in store.rows(f"SELECT * FROM pragma_table_info('{view}')")]
        assert "version_number" in columns
        assert not {"version", "opponent_version"} & set(columns)


@pytest.mark.parametrize("view", VIEWS)
def test_the_page_lists_the_columns_of_every_view(store: Store, view: str) -> None:
    page = README.read_text(encoding="utf-8")
    (line,) = [line for line in page.splitlines() if line.startswith(f"| `{view}` |")]
    for row in store.rows(f"SELECT * FROM pragma_table_info('{view}')"):
        assert f"`{row[1]}`" in line

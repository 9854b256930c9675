"""The command `arena collusion`, where there is nothing to be found."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.builders.leagues import league_with_stopped_event
from tests.cli.runner import arena_on, json_on, refused


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league with few matches."""
    return league_with_stopped_event(tmp_path_factory.mktemp("league"))


def test_with_few_matches_the_report_says_how_many_it_needs(db: Path) -> None:
    output = arena_on(db, "collusion", "meow").stdout
    assert output.splitlines() == [
        "meow, standard: 32 matches, 0 pairs tested",
        "too few deals for 10 pairs: a pair needs 10 deals together, and each of the two 10 "
        "without the other; that takes about 100 matches",
    ]


def test_a_game_or_a_variant_without_matches_has_no_report(db: Path) -> None:
    nothing = "no matches of jackal yet: try `arena event run`\n"
    assert arena_on(db, "collusion", "jackal").stdout == nothing
    assert json_on(db, "collusion", "meow", "--variant", "expert") == []


def test_an_event_is_reported_alone(db: Path) -> None:
    (document,) = json_on(db, "collusion", "meow", "--event", "cup")
    assert (document["event"], document["matches"], document["pairs"]) == ("cup", 32, 0)
    assert (document["untested"], document["detectable"], document["suspects"]) == (10, None, [])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("trio", "--event", "cup"), "cup is an event of meow, not of trio"),
        (("meow", "--event", "cup", "--variant", "expert"), "use either --variant or --event"),
    ],
)
def test_a_wrong_question_gets_a_hint(db: Path, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(arena_on(db, "collusion", *words))


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE deal_sums SET products = '1'",
        "UPDATE deal_sums SET deals = 0",
        "UPDATE deal_sums SET pairs = replace(pairs, ':', '9:')",
        "UPDATE deal_sums SET scores = replace(scores, ' ', '999 ')",
    ],
)
def test_damaged_sums_are_reported_in_a_sentence(tmp_path: Path, damage: str) -> None:
    db = league_with_stopped_event(tmp_path)
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute(damage)
    result = arena_on(db, "collusion", "meow")
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "damaged" in result.stderr or result.exit_code == 0

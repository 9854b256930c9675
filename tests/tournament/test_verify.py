"""Verification reports every change to an event, and where it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arena.games.randomness import seed_from
from arena.secret import Secret
from arena.tournament.spec import Kind, Spec
from arena.tournament.verification.events import first_complaint
from arena.tournament.verification.ratings import first_difference
from leaderboard.events import all_events
from leaderboard.store import Store, Writer
from tests.builders.leagues import FakeWorkers, cat_crashes, enter, open_league, play_event
from tests.tournament.test_runner import NAMES

SECRET = Secret(seed_from(1))


@cache
def league_with_event(kind: Kind) -> bytes:
    """Play an event with a suspension and, in a Swiss one and a ladder, byes."""
    spec = Spec(kind, "trio", name="cup", variant=("simple-teams",), bots=tuple(NAMES), deals=2)
    if kind is Kind.LADDER:
        spec = replace(spec, rounds=4)
    with TemporaryDirectory() as folder:
        with open_league(Path(folder), NAMES) as writer:
            enter(writer, spec, secret=SECRET)
            play_event(writer, "cup", FakeWorkers(cat_crashes))
            assert error_in(writer) is None
        return Path(folder, "arena.db").read_bytes()


@pytest.fixture(
    params=[
        # It has byes and a suspension; `test_runner` verifies events of every kind.
        Kind.SWISS,
        pytest.param(Kind.ROUND_ROBIN, marks=pytest.mark.slow),
        pytest.param(Kind.LADDER, marks=pytest.mark.slow),
    ],
    ids=lambda kind: kind.value,
)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a league that the test may change."""
    path = tmp_path / "arena.db"
    path.write_bytes(league_with_event(request.param))
    return path


def error_in(reader: Store | Writer) -> str | None:
    """Return the first error that `arena verify` would report."""
    errors = [first_complaint(reader, event) for event in all_events(reader)]
    return next(filter(None, errors), None) or first_difference(reader)


def error_after(path: Path, statement: str) -> str | None:
    """Change a league by SQL; return the error that is found."""
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(statement).rowcount > 0
    with Store.open(path) as store:
        return error_in(store)


CHANGES = {
    "UPDATE seats SET place = 3 - place WHERE match = 3": "cup, match 2: seat 0, place is ",
    "UPDATE seats SET points = 0.25 WHERE match = 3 AND seat = 1": (
        "cup, match 2: seat 1, points is 0.25, but should be "
    ),
    "UPDATE seats SET score = score + 1 WHERE match = 5": "cup, match 4: seat 0, score is ",
    "UPDATE seats SET ending = 'played' WHERE ending = 'crashed'": ", ending is 'played', but sho",
    "UPDATE faults SET sentence = 'it did nothing'": ", sentence is 'it did nothing', but should",
    "UPDATE faults SET printed = 'sorry'": ", printed is 'sorry', but should be ''",
    "DELETE FROM seats WHERE match = 4 AND seat = 3": "cup, match 3: has 3 seats, but should have",
    "UPDATE matches SET seed = replace(seed, 'a', 'b') WHERE number = 6": "cup, match 6: seed is ",
    "UPDATE matches SET seed = 'seed' WHERE number = 0": "cup, match 0: its seed is invalid",
    "UPDATE matches SET decisions = 1 WHERE number = 1": "cup, match 1: decisions is 1, but should",
    "UPDATE matches SET time_ms = 99 WHERE number = 1": "cup, match 1: time_ms is 99, but should",
    "UPDATE matches SET deal = 7 WHERE number = 1": "cup, match 1: deal is 7, but should be 1",
    "UPDATE matches SET rotation = 9 WHERE number = 1": "cup, match 1: rotation is 9, but should",
    "UPDATE matches SET ending = 'length_cap' WHERE number = 1": "cup, match 1: ending is 'length",
    "UPDATE matches SET cage = 'bubblewrap' WHERE number = 1": "cup, match 1: cage is 'bubblewrap'",
    "UPDATE matches SET rated = 0 WHERE number = 1": "cup, match 1: rated is False, but should",
    "UPDATE matches SET ending = 'forfeit' WHERE number = 1": "cup, match 1: is a forfeit without",
    "DELETE FROM matches WHERE number = 5": "cup, match 5: is missing",
    "DELETE FROM matches WHERE number = (SELECT max(number) FROM matches)": ": is missing",
    "DELETE FROM replays WHERE match = 2": "cup, match 1: its replay: ",
    "UPDATE replays SET content = (SELECT content FROM replays WHERE match = 1) WHERE match = ("
    "SELECT max(id) FROM matches WHERE seed = (SELECT seed FROM matches WHERE id = 1))": (
        ": its replay has another salt than the schedule"
    ),
    "UPDATE pairing_seats SET version = 7 - version WHERE pairing = 0": (
        "cup, round 1: its pairings are not those of the schedule"
    ),
    "UPDATE pairing_seats SET seat = seat + 10 WHERE pairing = 1 AND seat = 0": (
        "its pairings are not those of the schedule"
    ),
    "UPDATE entrants SET suspended = 'for its name' WHERE number = 0": (
        "cup, ann@1: suspended is 'for its name', but should be None"
    ),
    "UPDATE entrants SET suspended = NULL WHERE number = 2": (
        "cup, cat@1: suspended is None, but should be 'suspended after faults in "
    ),
    "UPDATE bots SET name = 'zoe' WHERE name = 'ben'": "its replay is of other bots",
    "UPDATE versions SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE id = 1": (
        "its replay was played by another ann@1 than the one in the league"
    ),
    "UPDATE events SET seed = 5": "cup, seed is 5, but should be None",
    "UPDATE events SET open_deals = 1": "cup, open_deals is True, but should be False",
    "UPDATE events SET secret = hex(zeroblob(32))": "cup, commitment is ",
    "UPDATE events SET secret = 'lost'": (
        "the secret of cup is missing or damaged: secret 'lost' is not 64 hex"
    ),
    "UPDATE events SET secret = NULL": (
        "the secret of cup is missing or damaged: secret '' is not 64 hex"
    ),
    "UPDATE events SET commitment = upper(commitment)": "cup, commitment is ",
    "UPDATE seats SET breaks = 1 WHERE match = 2 AND seat = 0": (
        "cup, match 1: seat 0, breaks is 1, but should be 0"
    ),
    "UPDATE events SET clock = '1+0'": "cup, clock is '1+0', but should be 'cpu:10+0.1'",
    "UPDATE events SET deals = 3": "cup, deals is 3, but should be 2",
    "UPDATE events SET seats = 6": "cup, seats is 6, but should be 4",
    "UPDATE events SET rounds = 1": "cup, rounds is 1, but should be ",
    "UPDATE events SET cage = 'none'": "cup, cage is 'none', but should be 'auto'",
    "UPDATE events SET kind = 'knockout'": "cup, kind is 'knockout', but should be ",
    "UPDATE events SET spec = replace(spec, '\"seed\": null', '\"seed\": 1')": "cup, secret is ",
    "UPDATE events SET spec = 'lost'": "cup, its spec: its text is unreadable: 'lost'",
    "UPDATE events SET spec = '[]'": "cup, its spec: its text is unreadable: '[]'",
    "UPDATE events SET spec = '{}'": "cup, its spec: the spec of an event must have a kind and",
    "UPDATE events SET spec = replace(spec, '\"deals\": 2', '\"deals\": []')": (
        "cup, its spec: 'deals' cannot be [] in an event"
    ),
    "UPDATE variants SET game = 'chess'": "cup, game is 'chess', but should be 'trio'",
    "UPDATE variants SET parameters = 'x'": "cup, parameters is 'x', but should be ",
    "UPDATE ratings SET mu = mu + 0.001 WHERE version = 1": "trio simple-teams, ann@1: mu is ",
    "UPDATE rating_history SET sigma = 1 WHERE number = 2 AND version = 1": ", ann@1: sigma is 1.0",
}


@pytest.mark.parametrize("statement", CHANGES)
def test_every_change_to_an_event_is_reported(path: Path, statement: str) -> None:
    found = error_after(path, statement)
    assert found
    assert CHANGES[statement] in found


def test_a_false_bye_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    path.write_bytes(league_with_event(Kind.SWISS))
    found = error_after(path, "UPDATE byes SET version = 9 - version WHERE round = 1")
    assert found == "cup, round 1: its pairings are not those of the schedule"


@pytest.mark.parametrize("step", [101, pytest.param(7, marks=pytest.mark.slow)])
def test_every_changed_byte_of_a_replay_is_reported(path: Path, step: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        ((content,),) = connection.execute("SELECT content FROM replays WHERE match = 2")
        # In steps of a prime, so that all parts of a replay are covered.
        for position in range(0, len(content), step):
            spoilt = bytearray(content)
            spoilt[position] ^= 1 << position % 8
            with connection:
                connection.execute("UPDATE replays SET content = ? WHERE match = 2", [spoilt])
            with Store.open(path) as store:
                found = error_in(store)
            assert found
            assert found.startswith("cup, match 1: its replay: "), position


@pytest.fixture
def stopped_league(tmp_path: Path) -> Iterator[Writer]:
    """Write to a league whose event was stopped in the middle."""
    with open_league(tmp_path, NAMES) as writer:
        enter(writer, Spec(Kind.SWISS, "meow", name="cup", seats=3, bots=tuple(NAMES), deals=2))
        play_event(writer, "cup", FakeWorkers(), stop_after=5)
        yield writer


def test_a_stopped_event_can_be_verified(stopped_league: Writer) -> None:
    assert error_in(stopped_league) is None


def test_an_unfinished_event_cannot_be_marked_as_finished(stopped_league: Writer) -> None:
    with stopped_league.transaction():
        stopped_league.write("UPDATE events SET status = 'finished'")
    assert "its secret is not revealed" in (error_in(stopped_league) or "")
    with stopped_league.transaction():
        stopped_league.write("UPDATE events SET secret = (SELECT secret FROM secrets)")
    assert "is missing" in (error_in(stopped_league) or "")

"""Events, rounds and suspensions are stored and read back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from arena.errors import UnknownName
from arena.indices import EntrantIndex
from arena.scheduling.pairing import Bye, Pairing
from leaderboard.events import (
    EventEntrant,
    add_rounds,
    byes_of,
    end_event,
    field_of,
    find_event,
    pairings_of,
    secret_of,
    start_event,
    suspend,
)
from leaderboard.store import Writer
from tests.builders.made_up import FIELD, NOW, make_plan, new_league
from tests.indices import entrants, versions


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    """Write to a league."""
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        yield writer


def test_an_event_is_stored_as_it_was_planned(writer: Writer) -> None:
    plan = replace(make_plan("spring", variant="expert"), spec="as asked")
    event = start_event(writer, plan, versions(3, 1, 5), now=NOW)
    assert event == find_event(writer, "spring")
    started = "2026-05-17 12:30:00"
    assert event == replace(plan, id=event.id, variant="expert", started=started, secret=None)
    assert [entrant.version for entrant in field_of(writer, event.id)] == [3, 1, 5]


def test_an_event_commits_to_its_secret_at_the_start_and_reveals_it_at_the_end(
    writer: Writer,
) -> None:
    secret = bytes.fromhex(make_plan().secret or "")
    started = start_event(writer, make_plan(), FIELD, now=NOW)
    assert started.commitment == sha256(b"arena event " + secret).hexdigest()
    for finished in (False, True):
        assert find_event(writer, "spring").secret is None
        assert secret_of(writer, find_event(writer, "spring")) == secret
        end_event(writer, started.id, finished=finished, now=NOW)
    over = find_event(writer, "spring")
    assert over.secret == secret.hex()
    assert over.commitment == started.commitment
    assert secret_of(writer, over) == secret
    assert list(writer.rows("SELECT * FROM secrets")) == []


def test_an_unknown_event_is_answered_with_similar_names(writer: Writer) -> None:
    with pytest.raises(UnknownName, match="no such event: 'sprong'; there are no events yet"):
        find_event(writer, "sprong")
    start_event(writer, make_plan("spring"), FIELD, now=NOW)
    with pytest.raises(UnknownName, match=r"no such event: 'sprong'; did you mean spring\?"):
        find_event(writer, "sprong")


def test_rounds_are_read_back_in_the_order_of_the_schedule(writer: Writer) -> None:
    event = start_event(writer, make_plan(), versions(5, 4, 3, 2, 1), now=NOW).id
    first = [Pairing(1, 0, entrants(4, 0)), Pairing(1, 1, entrants(2, 3))]
    second = [Pairing(2, 2, entrants(1, 4)), Pairing(2, 3, entrants(3, 0))]
    rounds = [(first, [Bye(1, EntrantIndex(1))]), (second, [Bye(2, EntrantIndex(2))])]
    add_rounds(writer, event, 1, rounds, now=NOW)
    assert pairings_of(writer, event) == first + second
    assert byes_of(writer, event) == [Bye(1, EntrantIndex(1)), Bye(2, EntrantIndex(2))]
    assert set(writer.rows("SELECT version FROM byes")) == {(4,), (3,)}


def test_a_suspended_entrant_has_a_reason(writer: Writer) -> None:
    event = start_event(writer, make_plan(), FIELD, now=NOW).id
    suspend(writer, event, EntrantIndex(1), reason="it crashes")
    first, second, third, fourth = versions(1, 2, 3, 4)
    assert field_of(writer, event) == [
        EventEntrant(first, None),
        EventEntrant(second, "it crashes"),
        EventEntrant(third, None),
        EventEntrant(fourth, None),
    ]

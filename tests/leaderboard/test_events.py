"""Do events come back from the file as they went in?"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from arena.errors import BadInput, UnknownName
from arena.scheduling.pairing import Bye, Pairing
from leaderboard.events import (
    EventEntrant,
    add_round,
    all_events,
    byes_of,
    end_event,
    event_named,
    field_of,
    pairings_of,
    resume_event,
    secret_of,
    start_event,
    suspend,
)
from leaderboard.store import Writer
from tests.leaderboard.league import NOW, new_league, plan


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    """Write to a league."""
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        yield writer


def test_an_event_is_what_was_planned(writer: Writer) -> None:
    wanted = plan("spring", variant="expert")._replace(field=(3, 1, 5), spec="as asked")
    event = start_event(writer, wanted, now=NOW)
    assert event == event_named(writer, "spring")
    shared = set(wanted._fields) & set(event._fields)
    assert len(shared) == 13
    assert all(getattr(event, name) == getattr(wanted, name) for name in shared - {"secret"})
    assert (event.variant, event.status) == ("expert", "running")
    assert (event.started, event.ended, event.rated_up_to) == ("2026-05-17 12:30:00", None, 0)
    assert [entrant.version for entrant in field_of(writer, event.id)] == [3, 1, 5]


def test_an_event_runs_stops_goes_on_and_ends(writer: Writer) -> None:
    event = start_event(writer, plan(), now=NOW).id

    def status() -> tuple[str, str | None]:
        (event,) = all_events(writer)
        return event.status, event.ended

    end_event(writer, event, finished=False, now=NOW)
    assert status() == ("interrupted", "2026-05-17 12:30:00")
    resume_event(writer, event)
    assert status() == ("running", None)
    end_event(writer, event, finished=True, now=NOW)
    assert status() == ("finished", "2026-05-17 12:30:00")


def test_an_event_is_bound_to_its_secret_from_the_start_and_reveals_it_at_the_end(
    writer: Writer,
) -> None:
    secret = plan().secret
    begun = start_event(writer, plan(), now=NOW)
    assert begun.commitment == sha256(b"arena event " + secret).hexdigest()
    for finished in (False, True):
        assert event_named(writer, "spring").secret is None
        assert secret_of(writer, event_named(writer, "spring")) == secret
        end_event(writer, begun.id, finished=finished, now=NOW)
    over = event_named(writer, "spring")
    assert over.secret == secret.hex()
    assert over.commitment == begun.commitment
    assert secret_of(writer, over) == secret
    assert list(writer.rows("SELECT * FROM secrets")) == []


def test_a_name_is_taken_once(writer: Writer) -> None:
    start_event(writer, plan("spring"), now=NOW)
    with pytest.raises(BadInput, match="there is an event 'spring' already: choose another name"):
        start_event(writer, plan("spring"), now=NOW)
    start_event(writer, plan("summer"), now=NOW)
    assert [event.name for event in all_events(writer)] == ["spring", "summer"]


def test_an_unknown_event_is_answered_with_what_there_is(writer: Writer) -> None:
    with pytest.raises(UnknownName, match="no event is called 'sprong': there are none yet"):
        event_named(writer, "sprong")
    start_event(writer, plan("spring"), now=NOW)
    with pytest.raises(UnknownName, match=r"no event is called 'sprong': did you mean spring\?"):
        event_named(writer, "sprong")


def test_rounds_come_back_in_the_order_of_the_schedule(writer: Writer) -> None:
    event = start_event(writer, plan()._replace(field=(5, 4, 3, 2, 1)), now=NOW).id
    first = [Pairing(1, 0, (4, 0)), Pairing(1, 1, (2, 3))]
    second = [Pairing(2, 2, (1, 4)), Pairing(2, 3, (3, 0))]
    add_round(writer, event, 1, first, [Bye(1, 1)], now=NOW)
    add_round(writer, event, 2, second, [Bye(2, 2)], now=NOW)
    assert pairings_of(writer, event) == first + second
    assert byes_of(writer, event) == [Bye(1, 1), Bye(2, 2)]
    assert set(writer.rows("SELECT version FROM byes")) == {(4,), (3,)}


def test_a_suspended_entrant_has_a_reason(writer: Writer) -> None:
    event = start_event(writer, plan(), now=NOW).id
    suspend(writer, event, 1, reason="it crashes")
    assert field_of(writer, event) == [
        EventEntrant(1, None),
        EventEntrant(2, "it crashes"),
        EventEntrant(3, None),
        EventEntrant(4, None),
    ]

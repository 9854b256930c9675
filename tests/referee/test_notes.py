"""Bots may say why they decide: it is kept in the record, limited, and seen by no other bot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from arena.games.meow import GAME
from arena.records import NOTES_CHARACTERS, Entrant, How, Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.players.decode import MESSAGE_LIMIT
from arena.referee.players.remote import RemotePlayer
from arena.referee.table import Answer, DecisionRequest, table
from arena.replays.format import read_replay, write_replay
from arena.replays.verify import verify
from arena.wire.envelope import NOTE_CHARACTERS
from arena.wire.v1.match_pb2 import FromReferee
from tests.builders.matches import make_fixtures, play_fixtures, random_player
from tests.builders.records import drive
from tests.referee.fake_bots import FakeBot, good_answer

SECRET = "the queen of spades is mine"


def play_with(note: Callable[[DecisionRequest], str]) -> Record:
    """Play a match at a table whose seats note something with every decision."""
    match = table(GAME, bytes(32), GAME.default_parameters, [Entrant("a"), Entrant("b")])

    def answer(asked: DecisionRequest) -> Answer:
        return Answer(GAME.legal_actions(asked.view)[0], note=note(asked))

    return drive(match, answer)[0].record


def test_a_note_is_kept_with_its_decision() -> None:
    record = play_with(lambda asked: f"number {asked.number}" if asked.seat else "")
    chosen = [
        number
        for number, decision in enumerate(record.decisions)
        if decision.how is How.CHOSEN and decision.seat == 1
    ]
    assert record.notes == tuple((number, f"number {n}") for n, number in enumerate(chosen))
    assert verify(record) == []
    assert read_replay(write_replay(record)) == record


@given(st.text(st.characters(), max_size=300))
def test_whatever_a_bot_notes_is_one_short_harmless_line(text: str) -> None:
    record = play_with(lambda asked: text)
    for note in record.notes:
        assert 0 < len(note.text) <= NOTE_CHARACTERS
        assert note.text.isprintable()
    assert verify(record) == []


def test_the_notes_of_a_seat_are_limited_and_cost_the_other_seat_nothing() -> None:
    long = "x" * NOTE_CHARACTERS
    record = play_with(lambda asked: long if asked.seat else "mine")
    sizes = [0, 0]
    for number, text in record.notes:
        sizes[record.decisions[number].seat] += len(text)
    asked = sum(d.how is How.CHOSEN and d.seat == 0 for d in record.decisions)
    assert sizes == [4 * asked, min(NOTES_CHARACTERS, sizes[1])]


class Noter(FakeBot):
    """A bot that sends a note with every answer, and keeps what it receives."""

    def __init__(self, note: bytes) -> None:
        super().__init__()
        self._note = note
        self.received: list[bytes] = []

    async def answer(self, call: Any, message: FromReferee) -> None:
        """Answer with a note in every decision."""
        self.received.append(message.SerializeToString())
        if message.requests:
            answer = good_answer(*message.requests)
            for decision in answer.decisions.decisions:
                decision.note = "N" * len(self._note)
            # Bytes that are not text cannot be written by the generated classes.
            await call.write(answer.SerializeToString().replace(b"N" * len(self._note), self._note))


def play_noters(*noters: Noter, tables: int = 1) -> list[Record]:
    players = [RemotePlayer(Entrant("noter"), noter.launch) for noter in noters]
    others = [random_player("random")] if len(players) < 2 else []
    fixtures = make_fixtures(tables, 2)
    return play_fixtures([*players, *others], fixtures, tables=tables, clock=Clock(60.0, 1.0))


def test_no_other_bot_receives_a_note() -> None:
    noters = Noter(SECRET.encode()), Noter(b"")
    records = play_noters(*noters, tables=3)
    assert all(len(record.notes) > 10 for record in records)
    assert {note.text for record in records for note in record.notes} == {SECRET}
    assert noters[1].received
    assert not any(SECRET.encode() in data for noter in noters for data in noter.received)


def test_a_flood_of_notes_is_cut_and_is_no_fault() -> None:
    (record,) = play_noters(Noter(b"flood " * (MESSAGE_LIMIT // 8)))
    assert record.faults == ()
    assert {len(note.text) for note in record.notes} == {len(("flood " * 34)[:200].strip())}


def test_a_note_that_is_not_text_is_an_invalid_message() -> None:
    (record,) = play_noters(Noter(b"\xff\xfe"))
    assert [fault.ending for fault in record.faults] == [SeatEnding.NONSENSE]
    assert record.notes == ()

"""Fields and messages, byte by byte."""

from __future__ import annotations

import pytest

from arena.wire.envelope import Envelope, WireClock
from arena.wire.fields import MEMO_SIZE, Memo
from arena.wire.v1 import match_pb2

KNOWN = WireClock(60.0, 0.5, True, 630.0, 5.0)
UNKNOWN = {
    "varint": b"\x78\xac\x02",
    "fixed64": b"\x79" + bytes(range(8, 16)),
    "delimited": b"\x7a\x03new",
    "fixed32": b"\x7d\x08\x09\x0a\x0b",
}
"""Field 15, which no message has, with every wire type. Its bytes could be tags of known fields."""


@pytest.mark.parametrize("unknown", UNKNOWN.values(), ids=UNKNOWN)
@pytest.mark.parametrize("at", [0, 9, 18, 20, 29, 38])
def test_a_field_that_is_not_known_is_skipped_wherever_it_is(
    unknown: bytes, at: int, envelope: Envelope
) -> None:
    data = envelope.clock.write(KNOWN)
    later = data[:at] + unknown + data[at:]
    generated = match_pb2.Clock.FromString(later)
    assert generated.wall_bank_s == KNOWN.wall_bank_s, "the unknown field is not between two fields"
    assert envelope.clock.read(later) == KNOWN


@pytest.mark.parametrize("unknown", UNKNOWN.values(), ids=UNKNOWN)
def test_a_message_of_unknown_fields_only_is_read_as_an_empty_one(
    unknown: bytes, envelope: Envelope
) -> None:
    request = envelope.request
    assert request.read(unknown + unknown) == request.read(b"")


def test_a_memo_calls_its_function_once_for_each_argument() -> None:
    calls = []

    def double(number: int) -> int:
        calls.append(number)
        return 2 * number

    memo = Memo(double)
    assert [memo[number] for number in (3, 4, 3, 4)] == [6, 8, 6, 8]
    assert calls == [3, 4]


def test_a_memo_never_holds_more_than_its_size() -> None:
    memo: Memo[int, int] = Memo(lambda number: -number)
    for number in range(3 * MEMO_SIZE):
        assert memo[number] == -number
        assert len(memo) <= MEMO_SIZE
    assert memo[0] == 0

"""Replays contain complete records, and every change to their bytes is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadReplay
from arena.games.conformance import Setting
from arena.games.outcome import Ending, Outcome
from arena.indices import Seat
from arena.records import Break, Decision, Entrant, Fault, How, Note, Output, Record, SeatEnding
from arena.replays.chain import HASH_BYTES, MAGIC, VERSION, write_chain
from arena.replays.format import CHUNK, MATCH, NOTE, OUTPUT, PLAYERS, read_replay, write_replay
from arena.replays.varint import ByteReader, encode_text, encode_uint, encode_uints
from tests.builders.records import FAULTY, recorded_match, setting_of
from tests.builders.settings import SETTINGS, every_setting

"""Whole matches take a while."""


@given(
    st.sampled_from(SETTINGS),
    st.integers(0, 10**6),
    st.dictionaries(
        st.integers(0, 5), st.tuples(st.integers(0, 5), st.sampled_from(FAULTY)), max_size=3
    ),
)
def test_a_written_record_is_read_back_unchanged(
    setting: Setting, seed: int, faults: dict[int, tuple[int, SeatEnding]]
) -> None:
    record = recorded_match(setting, seed, faults)
    data = write_replay(record)
    assert read_replay(data) == record
    assert write_replay(read_replay(data)) == data


numbers = st.integers(0, 2**40)
texts = st.text(st.characters(), max_size=20)
records = st.builds(
    Record,
    game_id=texts,
    parameters=texts,
    seed=st.binary(max_size=40),
    entrants=st.lists(
        st.builds(Entrant, texts, texts, st.binary(max_size=16)), min_size=3, max_size=6
    ).map(tuple),
    clock=texts,
    cage=texts,
    salt=st.binary(max_size=20),
    breaks=st.lists(st.builds(Break, numbers, st.sampled_from(SeatEnding), texts), max_size=3).map(
        tuple
    ),
    decisions=st.lists(
        st.builds(Decision, st.integers(0, 2), numbers, st.sampled_from(How), numbers), max_size=200
    ).map(tuple),
    faults=st.lists(
        st.builds(
            Fault,
            numbers,
            st.sampled_from(SeatEnding),
            texts,
            st.binary(),
            st.binary(),
            st.none() | st.floats(allow_nan=False, allow_infinity=False),
            st.binary(),
        ),
        max_size=3,
    ).map(tuple),
    outcome=st.builds(
        Outcome,
        st.lists(numbers, max_size=9).map(tuple),
        st.lists(st.integers(-(2**40), 2**40), max_size=9).map(tuple),
        st.sampled_from(Ending),
    ),
    places=st.lists(numbers, max_size=9).map(tuple),
)


@given(records)
def test_even_an_impossible_record_is_read_back_unchanged(record: Record) -> None:
    assert read_replay(write_replay(record)) == record


def one_by_one(reader: ByteReader, count: int) -> list[int]:
    """Read numbers one by one."""
    return [reader.uint() for _ in range(count)]


def numbers_or_error(read: Callable[[], list[int]]) -> list[int] | str:
    """Return the numbers that were read, or why they could not be."""
    try:
        return read()
    except BadReplay as error:
        return str(error)


@given(st.lists(numbers))
def test_many_numbers_are_encoded_like_each_of_them(several: list[int]) -> None:
    assert encode_uints(several) == b"".join(map(encode_uint, several))


@given(st.binary(max_size=12) | st.lists(numbers).map(lambda n: b"".join(map(encode_uint, n))))
def test_many_numbers_are_read_as_one_by_one(data: bytes) -> None:
    for count in range(len(data) + 2):
        one, many = ByteReader(data, "here"), ByteReader(data, "here")
        expected = numbers_or_error(partial(one_by_one, one, count))
        assert numbers_or_error(partial(many.uints, count)) == expected


SMALL = recorded_match(setting_of("meow", 2), 1, {1: (20, SeatEnding.CRASHED)})
DATA = write_replay(SMALL)


PRINTED = replace(SMALL, outputs=(Output(0, b"hello\n"), Output(7, b"\xff\0")))


def test_what_bots_printed_is_read_back() -> None:
    data = write_replay(PRINTED)
    assert read_replay(data) == PRINTED


NOTED = replace(SMALL, notes=(Note(0, "why"), Note(7, "wäl")))


def test_what_bots_noted_is_read_back() -> None:
    for record in (NOTED, replace(NOTED, outputs=PRINTED.outputs)):
        data = write_replay(record)
        assert read_replay(data) == record


@pytest.mark.parametrize("bits", [0x01, 0x80, 0xFF])
def test_every_flipped_byte_is_found(bits: int) -> None:
    for at in range(len(DATA)):
        damaged = bytearray(DATA)
        damaged[at] ^= bits
        with pytest.raises(BadReplay, match=r"section \d+ \(|not a replay|version \d+"):
            read_replay(bytes(damaged))


def test_every_truncation_is_found() -> None:
    for length in range(len(DATA)):
        with pytest.raises(BadReplay, match=r"truncated|should end|not a replay"):
            read_replay(DATA[:length])


@given(st.integers(0, len(DATA)), st.integers(0, 255))
def test_an_added_byte_is_found(at: int, byte: int) -> None:
    with pytest.raises(BadReplay):
        read_replay(DATA[:at] + bytes((byte,)) + DATA[at:])


@given(st.integers(0, len(DATA) - 1), st.integers(1, 40))
def test_lost_bytes_are_found(at: int, count: int) -> None:
    with pytest.raises(BadReplay):
        read_replay(DATA[:at] + DATA[at + count :])


def sections(data: bytes) -> list[bytes]:
    """Cut a replay into its sections, all shorter than 16 KiB."""
    found = []
    at = len(MAGIC) + 1
    while at < len(data):
        length, head = data[at + 1], 2
        if length > 127:
            length, head = length & 127 | data[at + 2] << 7, 3
        end = at + head + length + HASH_BYTES
        found.append(data[at:end])
        at = end
    return found


def payloads(data: bytes) -> list[tuple[int, bytes]]:
    """Cut a replay into the kinds and payloads of its sections, all shorter than 16 KiB."""
    found = []
    for section in sections(data):
        head = 3 if section[1] > 127 else 2
        found.append((section[0], section[head:-HASH_BYTES]))
    return found


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ((0, 54), "the replay has an output of decision 54, but only 54"),
        ((7, 7), "the replay has outputs that are not in the order of decisions"),
        ((7, 0), "the replay has outputs that are not in the order of decisions"),
    ],
)
def test_outputs_without_their_decisions_are_refused(
    numbers: tuple[int, int], sentence: str
) -> None:
    *parts, first, second, result = payloads(write_replay(PRINTED))
    assert {first[0], second[0]} == {OUTPUT}
    forged = [(OUTPUT, encode_uint(number) + encode_text("x")) for number in numbers]
    with pytest.raises(BadReplay, match=sentence):
        read_replay(write_chain([*parts, *forged, result]))


def test_notes_without_their_decisions_are_refused() -> None:
    *parts, _, _, result = payloads(write_replay(NOTED))
    forged = [(NOTE, encode_uint(number) + encode_text("x")) for number in (0, 54)]
    with pytest.raises(BadReplay, match="the replay has a note of decision 54, but only 54"):
        read_replay(write_chain([*parts, *forged, result]))


LONG = recorded_match(setting_of("meow", 6), 1)
LONG_SECTIONS = sections(write_replay(LONG))
LONG_HEAD = MAGIC + bytes((VERSION,))


def test_damage_is_located_to_the_decisions() -> None:
    data = write_replay(LONG)
    first = len(LONG_HEAD) + len(LONG_SECTIONS[0]) + len(LONG_SECTIONS[1])
    at = first + len(LONG_SECTIONS[2]) + 40
    damaged = data[:at] + bytes((data[at] ^ 4,)) + data[at + 1 :]
    place = first + len(LONG_SECTIONS[2])
    with pytest.raises(BadReplay, match=rf"section 3 \(decisions 64 to 127\) at byte {place} "):
        read_replay(damaged)


def test_a_section_that_is_lost_moved_or_doubled_is_found() -> None:
    assert LONG_HEAD + b"".join(LONG_SECTIONS) == write_replay(LONG)
    assert len(LONG_SECTIONS) == 3 + -(-len(LONG.decisions) // CHUNK)
    for at in range(len(LONG_SECTIONS)):
        lost = LONG_SECTIONS[:at] + LONG_SECTIONS[at + 1 :]
        doubled = LONG_SECTIONS[: at + 1] + LONG_SECTIONS[at:]
        moved = [LONG_SECTIONS[at], *lost] if at else lost
        for changed in (lost, doubled, moved):
            with pytest.raises(BadReplay):
                read_replay(LONG_HEAD + b"".join(changed))


@given(st.binary(max_size=300))
def test_random_bytes_are_refused(data: bytes) -> None:
    for start in (b"", MAGIC, LONG_HEAD, LONG_HEAD + LONG_SECTIONS[0]):
        with pytest.raises(BadReplay):
            read_replay(start + data)


@given(st.lists(st.tuples(st.integers(0, 7), st.binary(max_size=60)), max_size=8))
def test_random_sections_with_correct_hashes_are_refused(parts: list[tuple[int, bytes]]) -> None:
    with pytest.raises(BadReplay):
        read_replay(write_chain(parts))


HUGE = encode_uint(2**60)
FACTS = encode_text("meow") + encode_text("") + encode_uint(0) + encode_text("") + encode_text("")
NONE = b"\0" * 4
"""An empty salt, no breaks, outputs and notes."""
ONE = encode_uint(1) + encode_text("name") + encode_text("version") + encode_uint(0)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (
            LONG_HEAD + bytes((MATCH,)) + HUGE,
            "(the match) at byte 9 should end at byte 11529215046068470",
        ),
        (LONG_HEAD + bytes((MATCH,)) + b"\xff" * 20, "more than 9 bytes"),
        (LONG_HEAD + bytes((MATCH,)) + b"\x80\x00", "longer encoding than necessary"),
        (write_chain([(MATCH, HUGE)]), "declares 1152921504606846976 bytes, but only 0 are left"),
        (write_chain([(MATCH, FACTS + HUGE + HUGE + NONE)]), "(the players) at byte 58 is missing"),
        (
            write_chain([(MATCH, FACTS + HUGE + HUGE + NONE), (PLAYERS, HUGE)]),
            "(the players) at byte 58: a list in it has 1152921504606846976 values, more than 100",
        ),
        (
            write_chain([(MATCH, FACTS + HUGE + HUGE + NONE), (PLAYERS, ONE)]),
            "the replay has 1152921504606846976 decisions, more than 1048576",
        ),
        (
            write_chain([(MATCH, FACTS + b"\x00\x02" + NONE), (PLAYERS, ONE)]),
            "the replay has 2 faults, but only 1 seats",
        ),
        (
            write_chain([(MATCH, FACTS + b"\x7f\x00" + NONE), (PLAYERS, ONE)]),
            "(decisions 0 to 63) at byte",
        ),
        (
            write_chain([(MATCH, FACTS + b"\0\0" + NONE), (PLAYERS, b"\0")]),
            "the replay has 0 seats, not 1 to 100",
        ),
        (write_chain([(MATCH, FACTS + b"\0\0\0" + NONE)]), "1 bytes are left over"),
        (
            write_chain([(MATCH, FACTS + b"\0\0\0" + HUGE + b"\0\0"), (PLAYERS, ONE)]),
            "the replay has 1152921504606846976 breaks, more than 1000",
        ),
        (write_chain([(MATCH, b"\x01\xff")]), r"b'\xff' is not text"),
        (write_chain([(PLAYERS, FACTS + b"\0\0")]), "is of kind 2, not 1"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_hostile_lengths_and_contents_are_refused_at_once(data: bytes, sentence: str) -> None:
    with pytest.raises(BadReplay) as caught:
        read_replay(data)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "not a replay: it begins with b''"),
        (b"PNG, not this", "not a replay: it begins with b'PNG, not'"),
        (MAGIC, "truncated before its version: it has 8 bytes"),
        (MAGIC + b"\x02", "has version 2, but this arena reads version 1: use the arena that"),
        (DATA + b"more", f"4 bytes follow the end of the replay at byte {len(DATA)}"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_is_not_a_replay_is_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(BadReplay) as caught:
        read_replay(data)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        (replace(SMALL, entrants=()), "the record has 0 seats"),
        (replace(SMALL, decisions=(Decision(Seat(2), 0, How.CHOSEN, 0),)), "a decision of seat 2"),
        (replace(SMALL, decisions=(Decision(Seat(0), 0, How.CHOSEN, -5),)), "-5 cannot be written"),
        (replace(SMALL, decisions=(Decision(Seat(0), 2**70, How.CHOSEN, 0),)), "cannot be written"),
        (replace(SMALL, places=(1,) * 101), "a list of 101 values"),
        (replace(SMALL, outputs=(Output(54, b"x"),)), "an output of decision 54, but only 54"),
        (replace(SMALL, outputs=(Output(3, b"x"),) * 2), "not in the order of decisions"),
        (replace(SMALL, faults=SMALL.faults * 3), "the record has 3 faults, but only 2 seats"),
        (
            replace(SMALL, faults=(replace(SMALL.faults[0], time_left_s=float("nan")),)),
            "nan cannot be written",
        ),
    ],
)
def test_records_that_do_not_fit_the_format_are_not_written(record: Record, sentence: str) -> None:
    with pytest.raises(BadReplay, match=sentence):
        write_replay(record)


@every_setting
def test_a_decision_takes_about_five_bytes(setting: Setting) -> None:
    record = recorded_match(setting, 1)
    assert len(write_replay(record)) < 400 + 6 * len(record.decisions)

"""The codec in C writes the same bytes and reads the same values as the one in Python."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import lru_cache
from typing import Any

import pytest
from google.protobuf.message import DecodeError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.errors import BadParameter
from arena.wire.backend import PYTHON, VARIABLE, Backend, UnknownCodec, choose_backend
from arena.wire.codec import index_bytes
from arena.wire.envelope import Envelope, FromBot, Request, WireDecision, WireHello, envelope_in
from arena.wire.fields import Malformed
from arena.wire.v1 import match_pb2
from tests.builders.settings import SETTINGS
from tests.wire.samples import Sample, envelope_samples, game_samples

# The fixtures are the same for all examples.
shared_fixtures = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
more_examples = settings(shared_fixtures, max_examples=100)

WITHOUT_C = """
import sys
sys.modules["arena.wire._native"] = None  # importing it fails
from arena.wire.backend import IN_USE, MissingCodec, choose_backend
print(IN_USE.name)
try:
    choose_backend("native")
except MissingCodec as error:
    print(error)
"""


@lru_cache
def all_samples() -> list[Sample]:
    """Return some messages of every kind and game."""
    played = [sample for setting in SETTINGS for sample in game_samples(setting, 3, decisions=12)]
    return [*envelope_samples(), *played]


def outcome(sample: Sample, backend: Backend, data: bytes) -> str:
    """Describe what reading gives, including the types of all values, or which error."""
    try:
        return repr(sample.read_with(backend, data))
    except (Malformed, BadParameter) as error:
        return f"{type(error).__name__}: {error}"


def test_both_write_and_read_the_same_messages_between_games(native: Backend) -> None:
    for sample in envelope_samples():
        assert sample.write_with(native) == sample.data
        assert sample.read_with(native, sample.data) == sample.record
        assert type(sample.read_with(native, sample.data)) is type(sample.record)


@given(data=st.data())
@more_examples
def test_both_read_changed_messages_alike(native: Backend, data: st.DataObject) -> None:
    sample = data.draw(st.sampled_from(all_samples()))
    changed = bytearray(sample.data)
    for _ in range(data.draw(st.integers(0, 3))):
        if changed:
            at = data.draw(st.integers(0, len(changed) - 1))
            changed[at] ^= 1 << data.draw(st.integers(0, 7))
    cut = bytes(changed[: data.draw(st.integers(0, len(changed)))])
    for received in (bytes(changed), cut):
        assert outcome(sample, native, received) == outcome(sample, PYTHON, received)


@given(sample=st.sampled_from([*envelope_samples()]), received=st.binary(max_size=60))
@more_examples
def test_both_read_random_bytes_alike(native: Backend, sample: Sample, received: bytes) -> None:
    assert outcome(sample, native, received) == outcome(sample, PYTHON, received)
    without = [envelope_in(each).request_without_events for each in (native, PYTHON)]
    first, second = (_read_or_error(read, received) for read in without)
    assert first == second


def _read_or_error(read: Any, received: bytes) -> str:
    try:
        return repr(read(received))
    except Malformed:
        return "malformed"


@pytest.mark.parametrize(
    "received",
    [
        b"\x08",  # no number
        b"\x08" + b"\xff" * 10 + b"\x01",  # a number of eleven bytes
        b"\x1a\x05abc",  # content beyond the end
        b"\x1a" + b"\xff" * 9 + b"\x01",  # content of nearly 2**64 bytes
        b"\x29\x00\x00",  # half a floating-point number
        b"\x0b\x0c",  # groups, which no message has
        b"\x0f",  # a wire type that does not exist
        b"\x80",  # half a tag
    ],
    ids=bytes.hex,
)
def test_bytes_that_are_no_message_are_malformed(received: bytes, envelope: Envelope) -> None:
    for read in (envelope.request.read, envelope.request_without_events):
        with pytest.raises(Malformed, match="malformed"):
            read(received)


def test_bits_beyond_the_64th_are_dropped(envelope: Envelope) -> None:
    assert envelope.request.read(b"\x08" + b"\xff" * 9 + b"\x7f").match == 2**64 - 1


@pytest.mark.parametrize("number", [-1, 2**64])
def test_a_number_outside_64_bits_is_not_written(number: int, envelope: Envelope) -> None:
    with pytest.raises(OverflowError):
        envelope.request.write(Request(number, 0, (), b"", 0.0, ()))


def test_a_record_with_a_value_too_few_is_not_written(envelope: Envelope) -> None:
    with pytest.raises(ValueError, match=r"shorter|a record of 3 values"):
        envelope.request.write((1, 2, ()))


def test_the_codec_in_c_frees_what_it_allocates(native: Backend) -> None:
    def read_and_write() -> None:
        for sample in all_samples()[::10]:
            sample.write_with(native)
            for size in range(len(sample.data)):
                outcome(sample, native, sample.data[:size])

    read_and_write()  # fills the caches
    blocks = []
    for _ in range(5):
        read_and_write()
        blocks.append(sys.getallocatedblocks())
    assert blocks[-1] - blocks[1] < 50


_NUMBERS = st.integers(0, 2**32 - 1)
_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)
_HELLOS = st.builds(
    WireHello, _NUMBERS, _TEXTS, st.lists(_TEXTS.map(str.encode)).map(tuple), st.booleans()
)
_ANSWERS = st.builds(WireDecision, _NUMBERS, _NUMBERS, _NUMBERS.map(index_bytes), _TEXTS)


@given(st.one_of(_HELLOS, st.lists(_ANSWERS, max_size=30).map(tuple)))
@shared_fixtures
def test_both_write_what_a_bot_says_as_the_protocol_describes_it(
    envelope: Envelope, said: WireHello | tuple[WireDecision, ...]
) -> None:
    is_hello = isinstance(said, WireHello)
    record = FromBot(said, None) if isinstance(said, WireHello) else FromBot(None, said)
    sent = envelope.from_bot.write(record)
    message = match_pb2.FromBot.FromString(sent)
    assert message.WhichOneof("content") == ("hello" if is_hello else "decisions")
    assert message.SerializeToString(deterministic=True) == sent
    assert envelope.from_bot.read(sent) == record


@given(data=st.data())
@more_examples
def test_what_the_generated_classes_refuse_is_not_read(
    envelope: Envelope, data: st.DataObject
) -> None:
    answers = [
        WireDecision(match, 3, index_bytes(action), note)
        for match, action, note in ((0, 0, ""), (5, 40, "nö"), (300, 2**32 - 1, "why"))
    ]
    changed = bytearray(envelope.from_bot.write(FromBot(None, tuple(answers))))
    for _ in range(data.draw(st.integers(0, 3))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    received = bytes(changed[: data.draw(st.integers(0, len(changed)))])
    try:
        found = envelope.from_bot.read(received)
    except Malformed:
        return
    if found.decisions is None or found.hello is not None:
        return
    try:
        message = match_pb2.FromBot.FromString(received)
    except DecodeError:
        # The action is read later.
        assert any(_action_is_malformed(each.action) for each in found.decisions)
        return
    assert [each.note for each in found.decisions] == [
        each.note for each in message.decisions.decisions
    ]


def _action_is_malformed(action: bytes) -> bool:
    try:
        match_pb2.Action.FromString(action)
    except DecodeError:
        return True
    return False


def test_the_codec_can_be_chosen_by_name(native: Backend) -> None:
    assert choose_backend("python") is PYTHON
    assert choose_backend("native") == choose_backend(None) == choose_backend("") == native
    with pytest.raises(UnknownCodec, match="ARENA_CODEC=fast: there are two codecs"):
        choose_backend("fast")


def test_without_the_extension_python_is_used_and_c_cannot_be_forced() -> None:
    environment = {name: value for name, value in os.environ.items() if name != VARIABLE}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_C], env=environment, capture_output=True, text=True
    )
    name, sentence = done.stdout.splitlines()
    assert name == "python"
    assert sentence.startswith("ARENA_CODEC=native, but the codec in C is not built: install")

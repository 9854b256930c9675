"""The messages that follow from records are the ones that the .proto files describe."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor

from arena.games.notation import hints_of
from arena.games.registry import AnyGame, all_games
from arena.wire import envelope
from arena.wire.codec import CONTEXT, FIELDS
from arena.wire.fields import Field
from arena.wire.message import Message, SingleField
from arena.wire.records import message_of
from arena.wire.v1 import match_pb2

_BYTES = (FieldDescriptor.TYPE_BYTES, FieldDescriptor.TYPE_MESSAGE)
TYPES: dict[str, tuple[int, ...]] = {
    "uint": (FieldDescriptor.TYPE_UINT32, FieldDescriptor.TYPE_ENUM),
    "sint": (FieldDescriptor.TYPE_SINT32,),
    "flag": (FieldDescriptor.TYPE_BOOL,),
    "enum": (FieldDescriptor.TYPE_ENUM,),
    "word": (FieldDescriptor.TYPE_FIXED64,),
    "double": (FieldDescriptor.TYPE_DOUBLE,),
    "text": (FieldDescriptor.TYPE_STRING,),
    "raw": (*_BYTES, FieldDescriptor.TYPE_STRING),
    "nested": _BYTES,
    "optional": _BYTES,
    "repeated": _BYTES,
}
REPEATED = {"uints": "uint", "counts": "uint", "sints": "sint", "words": "word", "raws": "raw"}
# The types of descriptors have optional parts, hence Any.

OTHER_NAMES = {
    "hand_mask": "hand",
    "played_masks": "played",
    "vases": "vases_in_pairs",
    "row_herds": "rows",
    "hand_herd": "hand",
    "known_herds": "known",
    "lacking_herds": "lacking",
    "ending": "capped",
}
"""Fields whose values are sent in another form, and how the protocol calls them."""


def check(described: Message[Any] | SingleField[Any], declared: Any) -> None:
    """Compare the fields of a message with the declared ones, and those of messages inside."""
    fields: tuple[Field[Any], ...] = (
        (described.field,) if isinstance(described, SingleField) else described.fields
    )
    assert [field.number for field in fields] == [field.number for field in declared.fields]
    for field, other in zip(fields, declared.fields, strict=True):
        assert other.type in TYPES[REPEATED.get(field.kind, field.kind)], other.full_name
        assert other.is_repeated == (field.kind in (*REPEATED, "repeated")), other.full_name
        if field.kind == "enum":
            names = [value.name.split("_")[-1] for value in other.enum_type.values[1:]]
            assert [member.name for member in field.members] == names
        if field.message is not None:
            check(field.message, other.message_type)


def check_names(record: Any, declared: Any, context: int = 0) -> None:
    """Compare the names of a record's fields with the declared ones."""
    names = list(hints_of(record))[context:]
    found = [field.name for field in declared.fields]
    for name, other in zip(names, found, strict=True):
        assert other in (name, OTHER_NAMES.get(name)), declared.full_name


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_the_records_of_a_game_are_sent_as_its_proto_says(game: AnyGame) -> None:
    declared: dict[str, Any] = {
        name: message.fields_by_number[FIELDS[game.id]].message_type
        for name, message in match_pb2.DESCRIPTOR.message_types_by_name.items()
        if name in ("Parameters", "View", "Event")
    }
    records = ((type(game.default_parameters), "Parameters", 0), (game.view_type, "View", CONTEXT))
    for record, name, context in records:
        check(message_of(record, context), declared[name])
        check_names(record, declared[name], context)
    for number, record in enumerate(game.event_types.values(), start=1):
        kind = declared["Event"].fields_by_number[number].message_type
        assert kind.name == record.__name__
        check(message_of(record), kind)
        check_names(record, kind)


@pytest.mark.parametrize(
    "name",
    ["Clock", "MatchStart", "Request", "MatchEnd", "FromReferee", "FromBot", "Hello", "Decision"],
)
def test_the_messages_of_every_match_are_sent_as_the_protocol_says(name: str) -> None:
    messages: dict[str, Message[Any]] = {
        "Clock": envelope._clock,
        "MatchStart": envelope._match_start,
        "Request": envelope._request,
        "MatchEnd": envelope._match_end,
        "FromReferee": envelope._batch,
        "FromBot": envelope._from_bot,
        "Hello": envelope._hello,
        "Decision": envelope._decision,
    }
    described = messages[name]
    check(described, match_pb2.DESCRIPTOR.message_types_by_name[name])
    record: Any = described.make
    check_names(record, match_pb2.DESCRIPTOR.message_types_by_name[name])

"""The protocol is fully documented, and its documentation is true."""

from __future__ import annotations

import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.records import PRINTED_BYTES, SeatEnding
from arena.referee.clock import WALL_FACTOR, WALL_GRACE_S
from arena.referee.players.decode import MESSAGE_LIMIT
from arena.referee.players.encode import ENDING_NUMBERS
from arena.referee.players.remote import START_LIMIT_S
from arena.referee.referee import MAX_FAILED_STARTS
from arena.wire.envelope import PROTOCOL, commitment
from arena.wire.v1 import match_pb2

ROOT = Path(__file__).parents[2]
PROTOS = sorted((ROOT / "protos").rglob("*.proto"))
PAGE = (ROOT / "protos" / "README.md").read_text(encoding="utf-8")
EACH_PROTO = pytest.mark.parametrize("path", PROTOS, ids=lambda path: path.name)

_OPENING = re.compile(r"(service|message|enum|oneof) (\w+) \{")
_FIELD = re.compile(r"(?:repeated |optional )?[\w.]+ (\w+) = \d+;")
_VALUE = re.compile(r"([A-Z0-9_]+) = \d+;")
_RPC = re.compile(r"rpc (\w+)\(.*\) returns \(.*\);")


class Item(NamedTuple):
    """Something that a .proto file declares."""

    kind: str
    name: str
    """With the names of the scopes around it."""
    comment: str
    """The comment above it."""


def items_in(text: str) -> list[Item]:
    """List everything that a .proto file declares, by reading its lines."""
    items: list[Item] = []
    within: list[tuple[str, str]] = []
    comment: list[str] = []
    for line in map(str.strip, text.splitlines()):
        if line.startswith("//"):
            comment.append(line.removeprefix("//").strip())
            continue
        scope = within[-1][0] if within else "file"
        declared = None
        if opening := _OPENING.fullmatch(line):
            declared = (opening[1], opening[2])
            within.append(declared)
        elif line == "}":
            within.pop()
        elif scope == "enum":
            declared = ("value", _must_match(_VALUE, line)) if line else None
        elif scope == "service":
            declared = ("rpc", _must_match(_RPC, line)) if line else None
        elif line.startswith("reserved "):
            declared = None  # a removed field
        elif scope in ("message", "oneof"):
            declared = ("field", _must_match(_FIELD, line)) if line else None
        if declared:
            outer = within[:-1] if opening else within
            name = ".".join([name for _, name in outer] + [declared[1]])
            items.append(Item(declared[0], name, " ".join(comment)))
        comment = []
    assert not within, f"{within} is not closed"
    return items


def _must_match(pattern: re.Pattern[str], line: str) -> str:
    found = pattern.fullmatch(line)
    assert found, f"this test cannot read {line!r}"
    return found[1]


def test_the_endings_of_a_seat_have_the_numbers_that_are_declared() -> None:
    sent = {
        f"SEAT_ENDING_{ending.name if ending else 'VOID'}": number
        for ending, number in ENDING_NUMBERS.items()
    }
    assert sent == {name: number for name, number in match_pb2.SeatEnding.items() if number}


@EACH_PROTO
def test_the_generated_code_of_other_languages_has_a_package(path: Path, tmp_path: Path) -> None:
    if not shutil.which("protoc"):
        pytest.skip("protoc is not installed, which generates code in Java and C#")
    options = ["--proto_path=protos", f"--java_out={tmp_path}", f"--csharp_out={tmp_path}"]
    command = ["protoc", *options, str(path.relative_to(ROOT))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    classes = list((tmp_path / "arena" / "wire" / "v1").glob("*.java"))
    assert len(classes) > 10
    (source,) = tmp_path.glob("*.cs")
    assert "namespace Arena.Wire.V1 {" in source.read_text(encoding="utf-8")


def test_this_test_reads_what_the_compiler_reads() -> None:
    found = {item.name for path in PROTOS for item in items_in(path.read_text(encoding="utf-8"))}
    for message in match_pb2.DESCRIPTOR.message_types_by_name.values():
        assert message.name in found
        for field in message.fields:
            group = field.containing_oneof
            outer = f"{message.name}.{group.name}" if group else message.name
            assert f"{outer}.{field.name}" in found
    assert "Arena.Play" in found
    assert "SeatEnding.SEAT_ENDING_VOID" in found
    assert "JackalEvent.Question.QUESTION_BOTH" in found


@EACH_PROTO
def test_everything_declared_has_a_sentence_above_it(path: Path) -> None:
    for item in items_in(path.read_text(encoding="utf-8")):
        if item.kind != "oneof":
            assert re.fullmatch(r"[A-Z0-9].*\.", item.comment), f"{item.name}: {item.comment!r}"


@EACH_PROTO
def test_every_field_of_a_view_says_who_may_know_it(path: Path) -> None:
    items = items_in(path.read_text(encoding="utf-8"))
    for view in items:
        if view.kind != "message" or not re.fullmatch(r"\w+View", view.name):
            continue
        fields = [item for item in items if item.name.startswith(f"{view.name}.")]
        assert fields
        if "known to" not in view.comment:
            for field in fields:
                assert re.search(r"[Kk]nown to (all|this seat|this team)", field.comment), field


@pytest.mark.parametrize("ending", SeatEnding)
def test_the_page_explains_every_ending(ending: SeatEnding) -> None:
    row = next((line for line in PAGE.splitlines() if f"`SEAT_ENDING_{ending.name}`" in line), "")
    assert ending.value in row, f"protos/README.md has no row for {ending}"


def test_the_page_names_only_endings_and_fields_of_the_protocol() -> None:
    named = set(re.findall(r"`(SEAT_ENDING_\w+)`", PAGE))
    assert named == set(match_pb2.SeatEnding.keys()) - {"SEAT_ENDING_UNSPECIFIED"}
    declared = [item for path in PROTOS for item in items_in(path.read_text(encoding="utf-8"))]
    names = {item.name.rpartition(".")[2] for item in declared}
    for word in re.findall(r"`([a-z]+(?:_[a-z]+)+)`", PAGE):
        assert word in names, f"protos/README.md names {word}, which is not declared"


def test_the_page_fits_on_a_few_screens() -> None:
    assert len(PAGE.splitlines()) < 190


def test_the_limits_on_the_page_are_those_of_the_referee() -> None:
    assert f"within {START_LIMIT_S:g} s of the start of the process" in " ".join(PAGE.split())
    assert f"at most {MESSAGE_LIMIT >> 20} MiB" in PAGE
    assert WALL_FACTOR == 10
    assert f"ten times\nas much and {WALL_GRACE_S:g} s more" in PAGE
    assert f"fails {MAX_FAILED_STARTS} times in a row" in PAGE
    assert f"the last {PRINTED_BYTES >> 10} KiB" in PAGE
    assert f"`protocol` {PROTOCOL}," in PAGE
    assert "`arena deal ` (with the space)" in PAGE
    assert commitment(bytes(32), b"salt") == sha256(b"arena deal salt" + bytes(32)).digest()

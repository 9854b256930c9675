"""What a bot prints is shown while it plays, kept in the replay, and shown at its decisions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from arena.cli.play.output import SeatOutput
from arena.records import OUTPUT_BYTES, How
from arena.replays.format import read_replay
from tests.cages import cage
from tests.cli.runner import arena, printed
from tests.cli.terminals import arena_at_terminal

CAGE = ("--cage", cage().name)
PROGRAM = """import sys
from arena.sdk import Bot, run

class Chatty(Bot):
    games = ("meow",)

    def match_started(self):
        print("hello")
        self.match.memory.asked = 0

    def choose(self, view):
        self.match.memory.asked += 1
        print("decision", self.match.memory.asked{more}, file=sys.stderr)
        return self.legal_actions(view)[0]

run(Chatty)
"""


def write_bot(folder: Path, more: str = "") -> str:
    """Write a bot that prints; return its file."""
    path = folder / "chatty.py"
    path.write_text(PROGRAM.replace("{more}", more), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a bot that prints, and its match as JSON and as a replay."""
    folder = tmp_path_factory.mktemp("chatty")
    played = play(write_bot(folder), "--json", "--save", folder / "match.replay")
    (folder / "match.json").write_text(played.stdout, encoding="utf-8")
    return folder


def play(bot: str, *words: object) -> Result:
    """Play a match with a bot in seat 1."""
    result = arena("play", "meow", "random", bot, "--seed", "3", *CAGE, *words)
    assert result.exit_code == 0, result.output
    return result


def test_every_line_is_marked_with_its_seat(folder: Path) -> None:
    bot = str(folder / "chatty.py")
    lines = play(bot, "--show-output").stderr.splitlines()
    shown = [line for line in lines if " | " in line]
    assert shown[:3] == ["chatty-1 | hello", "chatty-1 | decision 1", "chatty-1 | decision 2"]
    assert " | " not in play(bot).stderr


def test_on_a_terminal_output_is_shown_without_being_asked_for(folder: Path) -> None:
    words = ("play", "meow", "random", "chatty.py", "--seed", "3", *CAGE)
    with arena_at_terminal(folder, *words) as terminal:
        assert terminal.wait_for_end() == 0
    assert b"chatty-1 | decision 1\r\n" in terminal.output


def test_json_has_what_was_printed_at_each_decision(folder: Path) -> None:
    (match,) = json.loads((folder / "match.json").read_text(encoding="utf-8"))["matches"]
    printed = [each["printed"] for each in match["decisions"] if "printed" in each]
    assert printed[:2] == ["hello\ndecision 1\n", "decision 2\n"]
    assert {each["seat"] for each in match["decisions"] if "printed" in each} == {1}


def test_the_replay_keeps_what_was_printed_at_each_decision(folder: Path) -> None:
    path = folder / "match.replay"
    record = read_replay(path.read_bytes())
    asked = [
        number
        for number, decision in enumerate(record.decisions)
        if decision.seat == 1 and decision.how is How.CHOSEN
    ]
    expected = [(number, f"decision {n}\n".encode()) for n, number in enumerate(asked, start=1)]
    expected[0] = (asked[0], b"hello\n" + expected[0][1])
    assert list(record.outputs) == expected
    assert arena("replay", "verify", path).exit_code == 0
    document = json.loads(arena("replay", "export", path).stdout)
    assert document["decisions"][asked[1]]["printed"] == "decision 2\n"
    assert "printed" not in document["decisions"][asked[1] - 1]


def test_a_seat_sees_its_own_output_in_the_replay_and_no_other(folder: Path) -> None:
    path = folder / "match.replay"
    line = "\nchatty-1 | decision 2\n"
    assert line in arena("replay", "show", path, "--seat", 1).stdout
    assert line in arena("replay", "show", path, "--all").stdout
    assert "chatty-1 | " not in arena("replay", "show", path, "--seat", 0).stdout
    assert "chatty-1 | " not in arena("replay", "show", path).stdout


def test_the_replay_keeps_a_limited_amount(tmp_path: Path) -> None:
    path = tmp_path / "match.replay"
    play(write_bot(tmp_path, ", 'x' * 10_000"), "--save", path)
    outputs = read_replay(path.read_bytes()).outputs
    assert sum(len(output.content) for output in outputs) == OUTPUT_BYTES


def test_reproduce_shows_output_at_the_decision_where_it_was_printed(
    folder: Path, tmp_path: Path
) -> None:
    path, bot = folder / "match.replay", folder / "chatty.py"
    first, second, *_ = read_replay(path.read_bytes()).outputs
    same = printed(arena("reproduce", path, "--seat", 1, "--bot", bot, *CAGE))
    assert f"At decision {first.decision} it printed:\n    hello\n    decision 1\n" in same
    assert f"At decision {second.decision} it printed:\n    decision 2\n" in same
    assert "In the record, it printed" not in same
    other = arena("reproduce", path, "--seat", 1, "--bot", write_bot(tmp_path, ", '!'"), *CAGE)
    line = f"In the record, it printed at decision {second.decision}:\n    decision 2\n"
    assert f"    decision 2 !\n{line}" in other.stdout


def test_at_many_tables_output_of_several_matches_is_in_no_replay_of_another(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "all"
    play(write_bot(tmp_path), "--tables", 4, "--save", folder)
    assert arena("replay", "verify", *sorted(folder.iterdir())).exit_code == 0


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        ((b"one\ntw", b"o\n"), ["a-0 | one", "a-0 | two"]),
        ((b"no end",), ["a-0 | no end"]),
        ((b"\x1b[2J\tx\r\n",), ["a-0 | \ufffd[2J    x"]),
        ((b"\xff\n",), ["a-0 | \ufffd"]),
        ((b"",), []),
    ],
)
def test_output_is_shown_line_by_line_and_cannot_control_the_terminal(
    pieces: tuple[bytes, ...], lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    output = SeatOutput("a-0")
    for piece in pieces:
        output.write(piece)
    output.close()
    assert capsys.readouterr().err.splitlines() == lines


def test_a_line_that_never_ends_is_shown_in_parts(capsys: pytest.CaptureFixture[str]) -> None:
    output = SeatOutput("a-0")
    for _ in range(3):
        output.write(b"x" * 5000)
    assert capsys.readouterr().err.splitlines() == [f"a-0 | {'x' * 5000}"] * 3

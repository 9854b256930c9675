"""Can replays be shown, checked and exported from the terminal?"""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.games.randomness import seed_from
from arena.games.registry import GAME_IDS
from arena.records import Record, SeatEnding, events_of
from arena.replays.format import write_replay
from arena.wire.messages import commitment
from tests.cli.commands import arena
from tests.replays.matches import played, setting_of

MEOW = played(setting_of("meow", 2), 1, {1: (3, SeatEnding.CRASHED)})


def kept(folder: Path, record: Record, name: str = "match.replay") -> Path:
    """Write a replay to a file."""
    path = folder / name
    path.write_bytes(write_replay(record))
    return path


@pytest.mark.parametrize("game_id", GAME_IDS)
@pytest.mark.parametrize("words", [(), ("--all",), ("--seat", 2), ("--step",)], ids=str)
def test_a_match_is_shown_to_its_end(
    game_id: str, words: tuple[object, ...], tmp_path: Path
) -> None:
    record = played(setting_of(game_id, 3), 1)
    result = arena("replay", "show", kept(tmp_path, record), *words)
    assert result.exit_code == 0, result.stderr
    assert not result.stderr
    assert len(result.stdout.splitlines()) > len(events_of(record))
    assert "\nplace  seat  player" in result.stdout


def test_a_seat_is_not_shown_what_it_could_not_know(tmp_path: Path) -> None:
    path = kept(tmp_path, MEOW)
    hidden = arena("replay", "show", path, "--all").stdout
    assert "  bot-1 holds " in hidden
    (hand, *_) = (line for line in hidden.splitlines() if "bot-1 holds" in line)
    seen = arena("replay", "show", path, "--seat", 0).stdout
    before_the_first_decision = seen.partition(" decides: ")[0]
    assert not any(f" {card} " in before_the_first_decision for card in hand.split()[2:])
    assert MEOW.seed.hex() in hidden
    assert MEOW.seed.hex() not in seen


def test_step_waits_for_enter_at_a_terminal(tmp_path: Path) -> None:
    path = kept(tmp_path, MEOW)
    ours, theirs = pty.openpty()
    try:
        os.write(ours, b"\n" * 10 + b"\x04")
        words = [sys.executable, "-m", "arena", "replay", "show", str(path), "--step"]
        done = subprocess.run(words, stdin=theirs, capture_output=True, text=True, check=True)
    finally:
        os.close(ours)
        os.close(theirs)
    # Ten times Enter, and the end of the input: after that the rest is told without a pause.
    assert done.stderr == "[Enter] " * 11
    assert done.stdout == arena("replay", "show", path).stdout


def test_good_replays_are_told_so_one_a_line(tmp_path: Path) -> None:
    paths = [
        kept(tmp_path, MEOW, "a.replay"),
        kept(tmp_path, played(setting_of("trio", 3), 1), "b.replay"),
    ]
    result = arena("replay", "verify", *paths)
    assert result.exit_code == 0
    first, second = result.stdout.splitlines()
    assert first == (
        f"good  {paths[0]}: meow, 2 players, 54 decisions, 1 fault, "
        f"commitment {commitment(MEOW.seed, MEOW.salt).hex()}"
    )
    assert second.startswith(f"good  {paths[1]}: trio, 3 players, ")


def test_one_bad_replay_among_good_ones_is_exit_1(tmp_path: Path) -> None:
    good = kept(tmp_path, MEOW, "good.replay")
    lie = kept(tmp_path, replace(MEOW, places=(2, 1)), "lie.replay")
    damaged = tmp_path / "damaged.replay"
    damaged.write_bytes(write_replay(MEOW)[:-3])
    result = arena("replay", "verify", good, lie, damaged)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["good", "bad", "bad"]
    assert lines[1] == f"bad   {lie}: result: places 2 1, by the rules 1 2"
    assert lines[2].startswith(f"bad   {damaged}: section 4 (the result) at byte ")


def test_verdicts_as_json_have_every_complaint(tmp_path: Path) -> None:
    lie = kept(tmp_path, replace(MEOW, places=(2, 1), faults=()))
    result = arena("replay", "verify", lie, "--json")
    assert result.exit_code == 1
    (verdict,) = json.loads(result.stdout)
    assert verdict["good"] is False
    assert len(verdict["complaints"]) > 2
    assert verdict["players"] == ["bot-0", "bot-1"]


def test_the_commitment_that_a_bot_was_told_is_checked(tmp_path: Path) -> None:
    path = kept(tmp_path, MEOW)
    told = commitment(MEOW.seed, MEOW.salt).hex()
    other = commitment(seed_from(99), MEOW.salt).hex()
    assert arena("replay", "verify", path, "--commitment", told).exit_code == 0
    result = arena("replay", "verify", path, "--commitment", other)
    assert result.exit_code == 1
    assert f"its seed gives the commitment {told}, not {other}" in result.stdout


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_export_is_one_json_document(game_id: str, tmp_path: Path) -> None:
    record = played(setting_of(game_id, 3), 1)
    result = arena("replay", "export", kept(tmp_path, record), "--format", "json")
    document = json.loads(result.stdout)
    assert document["seed"] == record.seed.hex()
    assert len(document["decisions"]) == len(record.decisions)
    assert not result.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("show", "{good}", "--seat", 2), "{good} has no seat 2: its seats are 0 to 1"),
        (("show", "{good}", "--seat", 0, "--all"), "--all tells what seat 0 could not know"),
        (("show", "{bad}"), "{bad}: not a replay: it begins with b'nonsense'"),
        (("export", "{bad}"), "{bad}: not a replay"),
        (
            ("show", "{lie}"),
            "{lie}: it does not follow the rules: result: places 2 1, by the rules",
        ),
        (("export", "{lie}"), "{lie}: it does not follow the rules: result: places 2 1"),
        (("show", "nowhere.replay"), "'nowhere.replay' is neither a replay file nor EVENT/NUMBER"),
        (("show", "."), "'.' is neither a replay file nor EVENT/NUMBER, such as cup/17"),
        (("show", "cup/" + "9" * 19), "is neither a replay file nor EVENT/NUMBER"),
        (("show", "x" * 5000), "is neither a replay file nor EVENT/NUMBER"),
        (("show", "{endless}"), "{endless}: it has more than 67108864 bytes, and no replay does"),
        (("verify", "nowhere.replay"), "File 'nowhere.replay' does not exist"),
        (("verify", "{good}", "--commitment", "xyz"), "'xyz' is not a hexadecimal number"),
        (("export", "{good}", "--format", "xml"), "'xml' is not 'json'"),
        (("sohw",), "No such command 'sohw'"),
    ],
)
def test_asking_wrong_is_exit_2_with_a_sentence(
    words: tuple[Any, ...], complaint: str, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.replay"
    bad.write_bytes(b"nonsense, and more of it")
    endless = tmp_path / "endless.replay"
    with endless.open("wb") as file:
        file.truncate(1 << 40)
    files = {
        "good": kept(tmp_path, MEOW, "good.replay"),
        "lie": kept(tmp_path, replace(MEOW, places=(2, 1)), "lie.replay"),
        "bad": bad,
        "endless": endless,
    }
    result = arena("replay", *(str(word).format(**files) for word in words))
    assert result.exit_code == 2
    assert complaint.format(**files) in result.stderr
    assert not result.stdout

"""The commands of `arena replay` show, verify and export replays."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.games.randomness import seed_from
from arena.games.registry import GAME_IDS
from arena.records import Record, SeatEnding, events_of
from arena.replays.format import write_replay
from arena.wire.envelope import commitment
from tests.builders.records import recorded_match, setting_of
from tests.cli.runner import arena, printed, refused

MEOW = recorded_match(setting_of("meow", 2), 1, {1: (3, SeatEnding.CRASHED)})


def save_replay(folder: Path, record: Record, name: str = "match.replay") -> Path:
    """Write a replay to a file."""
    path = folder / name
    path.write_bytes(write_replay(record))
    return path


@pytest.mark.parametrize("game_id", GAME_IDS)
@pytest.mark.parametrize("words", [(), ("--all",), ("--seat", 2)], ids=str)
def test_a_match_is_shown_to_its_end(
    game_id: str, words: tuple[object, ...], tmp_path: Path
) -> None:
    record = recorded_match(setting_of(game_id, 3), 1)
    result = arena("replay", "show", save_replay(tmp_path, record), *words)
    assert result.exit_code == 0, result.stderr
    assert not result.stderr
    assert len(result.stdout.splitlines()) > len(events_of(record))
    assert "\nplace  seat  player" in result.stdout


def test_good_replays_are_listed_one_per_line(tmp_path: Path) -> None:
    paths = [
        save_replay(tmp_path, MEOW, "a.replay"),
        save_replay(tmp_path, recorded_match(setting_of("trio", 3), 1), "b.replay"),
    ]
    first, second = printed(arena("replay", "verify", *paths)).splitlines()
    assert first == (
        f"good  {paths[0]}: meow, 2 players, 54 decisions, 1 fault, "
        f"commitment {commitment(MEOW.seed, MEOW.salt).hex()}"
    )
    assert second.startswith(f"good  {paths[1]}: trio, 3 players, ")


def test_one_bad_replay_among_good_ones_exits_with_1(tmp_path: Path) -> None:
    good = save_replay(tmp_path, MEOW, "good.replay")
    lie = save_replay(tmp_path, replace(MEOW, places=(2, 1)), "lie.replay")
    damaged = tmp_path / "damaged.replay"
    damaged.write_bytes(write_replay(MEOW)[:-3])
    result = arena("replay", "verify", good, lie, damaged)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["good", "bad", "bad"]
    assert lines[1] == f"bad   {lie}: result: places 2 1, but the rules say 1 2"
    assert lines[2].startswith(f"bad   {damaged}: section 4 (the result) at byte ")


def test_verdicts_as_json_have_every_complaint(tmp_path: Path) -> None:
    lie = save_replay(tmp_path, replace(MEOW, places=(2, 1), faults=()))
    result = arena("replay", "verify", lie, "--json")
    assert result.exit_code == 1
    (verdict,) = json.loads(result.stdout)
    assert verdict["good"] is False
    assert len(verdict["complaints"]) > 2
    assert verdict["players"] == ["bot-0", "bot-1"]


def test_the_commitment_sent_to_a_bot_can_be_checked(tmp_path: Path) -> None:
    path = save_replay(tmp_path, MEOW)
    announced = commitment(MEOW.seed, MEOW.salt).hex()
    other = commitment(seed_from(99), MEOW.salt).hex()
    assert arena("replay", "verify", path, "--commitment", announced).exit_code == 0
    result = arena("replay", "verify", path, "--commitment", other)
    assert result.exit_code == 1
    assert f"its seed gives the commitment {announced}, not {other}" in result.stdout


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_export_is_one_json_document(game_id: str, tmp_path: Path) -> None:
    record = recorded_match(setting_of(game_id, 3), 1)
    result = arena("replay", "export", save_replay(tmp_path, record), "--format", "json")
    document = json.loads(result.stdout)
    assert document["seed"] == record.seed.hex()
    assert len(document["decisions"]) == len(record.decisions)
    assert not result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "{good}", "--seat", 2), "{good} has no seat 2: its seats are 0 to 1"),
        (("show", "{good}", "--seat", 0, "--all"), "--all and --seat cannot be used together"),
        (("show", "{bad}"), "{bad}: not a replay: it begins with b'nonsense'"),
        (
            ("show", "{lie}"),
            "{lie}: it does not follow the rules: result: places 2 1, but the rules say",
        ),
        (("export", "{lie}"), "{lie}: it does not follow the rules: result: places 2 1"),
        (("show", "nowhere.replay"), "'nowhere.replay' is neither a replay file nor EVENT/NUMBER"),
        (("show", "."), "'.' is neither a replay file nor EVENT/NUMBER, such as cup/17"),
        (("show", "cup/" + "9" * 19), "is neither a replay file nor EVENT/NUMBER"),
        (("show", "x" * 5000), "is neither a replay file nor EVENT/NUMBER"),
        (
            ("show", "{endless}"),
            "{endless}: it has more than 67108864 bytes, too many for a replay",
        ),
        (
            ("export", "nowhere"),
            "name files, or matches of a league",
        ),
        (("export", "{good}", "--format", "replay"), "add -o PATH"),
        (("verify", "{good}", "--commitment", "xyz"), "'xyz' is not a hexadecimal number"),
    ],
)
def test_a_usage_error_in_replay_exits_with_2_and_a_message(
    words: tuple[Any, ...], message: str, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.replay"
    bad.write_bytes(b"nonsense, and more of it")
    endless = tmp_path / "endless.replay"
    with endless.open("wb") as file:
        file.truncate(1 << 40)
    files = {
        "good": save_replay(tmp_path, MEOW, "good.replay"),
        "lie": save_replay(tmp_path, replace(MEOW, places=(2, 1)), "lie.replay"),
        "bad": bad,
        "endless": endless,
        "league": tmp_path / "none.db",
    }
    db = ("--db", files["league"])
    result = refused(arena("replay", *(str(word).format(**files) for word in words), *db))
    assert message.format(**files) in result

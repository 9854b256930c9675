"""A bot is short to write, gets every event once, and is hard to break by accident."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import arena.sdk
from arena.games.registry import GAME_IDS, game_named
from arena.records import Entrant, How, Record, SeatEnding, events_of
from arena.referee.clock import Clock
from arena.referee.players.remote import RemotePlayer
from arena.submission.lookup import find_bot
from arena.wire.envelope import commitment
from tests.builders.matches import make_fixtures, play_fixtures, random_player
from tests.cages import launcher

RECORDER = Path(__file__).parent / "recorder.py"
CLOCK = Clock(60.0)
SHORTEST = """\
from arena.sdk import Bot, run


class Mine(Bot):
    def choose(self, view):
        return self.rng.choice(self.legal_actions(view))


run(Mine)
"""


def remote_bot(word: str) -> RemotePlayer:
    """Make a player from a program or a command line."""
    return RemotePlayer(Entrant("bot"), launcher(find_bot(word)), start_limit_s=20.0)


def write_program(folder: Path, code: str) -> str:
    """Write a program."""
    path = folder / "bot.py"
    path.write_text(code)
    return str(path)


def play_recorder(
    log: Path, *, count: int, tables: int = 1, clock: Clock = CLOCK
) -> tuple[list[Record], list[Any]]:
    """Play matches with the recorder in seat 1 of three; return the match records and its log."""
    players = [
        random_player("a"),
        remote_bot(shlex.join(["python", str(RECORDER), str(log)])),
        random_player("b"),
    ]
    records = play_fixtures(players, make_fixtures(count, 3), tables=tables, clock=clock)
    return records, [json.loads(line) for line in log.read_text().splitlines()]


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_shortest_bot_has_ten_lines_at_most_and_plays(game_id: str, tmp_path: Path) -> None:
    assert len(SHORTEST.splitlines()) <= 10
    seats = game_named(game_id).seat_counts[0]
    players = [
        remote_bot(write_program(tmp_path, SHORTEST)),
        *map(random_player, "abc"[: seats - 1]),
    ]
    (record,) = play_fixtures(players, make_fixtures(1, seats, game_id), tables=1, clock=CLOCK)
    assert record.faults == ()
    assert sum(decision.how is How.CHOSEN for decision in record.decisions) > 10


@pytest.mark.parametrize("tables", [1, 4])
def test_a_bot_gets_every_event_once_and_in_order(tables: int, tmp_path: Path) -> None:
    records, notes = play_recorder(tmp_path / "log", count=4, tables=tables)
    for record in records:
        match_id = commitment(record.seed, record.salt).hex()
        match_notes = [note for note in notes if note.get("match") == match_id]
        hooks = [note["hook"] for note in match_notes]
        assert (hooks[0], hooks[-1]) == ("match_started", "match_ended")
        assert Counter(hooks)["match_started"] == Counter(hooks)["match_ended"] == 1
        # Every decision follows the events that led to it.
        decided = [at for at, hook in enumerate(hooks) if hook == "choose"]
        assert {hooks[at - 1] for at in decided} == {"happened"}
        assert (match_notes[0]["seat"], match_notes[0]["seats"], match_notes[0]["clock"]) == (
            1,
            3,
            [60, 0, False],
        )
        show = game_named("meow").event_form.show
        sent = [event for note in match_notes for event in note.get("events", ())]
        assert sent == [show(event) for event in events_of(record)]
        choices = [d.action for d in record.decisions if d.seat == 1 and d.how is How.CHOSEN]
        assert [match_notes[at]["action"] for at in decided] == choices
        assert [match_notes[at]["number"] for at in decided] == list(range(1, len(choices) + 1))
        end = match_notes[-1]
        assert (tuple(end["places"]), tuple(end["scores"])) == (
            record.places,
            record.outcome.scores,
        )
        assert end["sentence"] == "played to the end"


def test_at_several_tables_several_decisions_come_together(tmp_path: Path) -> None:
    records, notes = play_recorder(tmp_path / "log", count=16, tables=16)
    together = [note["views"] for note in notes if note["hook"] == "choose_many"]
    assert 1 < max(together) <= 16
    assert sum(together) == sum(note["hook"] == "choose" for note in notes)
    assert all(record.faults == () for record in records)


def test_the_same_match_gives_the_same_random_numbers(tmp_path: Path) -> None:
    def choices(log: str, tables: int) -> dict[str, list[int]]:
        _, notes = play_recorder(tmp_path / log, count=3, tables=tables)
        chosen = [note for note in notes if note["hook"] == "choose"]
        return {
            match: [note["action"] for note in chosen if note["match"] == match]
            for match in sorted({note["match"] for note in chosen})
        }

    first, second = choices("first", 1), choices("second", 3)
    assert first == second
    assert len(set(map(tuple, first.values()))) == 3


def test_the_time_left_is_sent_and_decreases(tmp_path: Path) -> None:
    _, notes = play_recorder(tmp_path / "log", count=1)
    left_s = [note["left_s"] for note in notes if note["hook"] == "choose"]
    assert left_s[0] == [60, 60]
    assert all(left == by_the_wall for left, by_the_wall in left_s)
    assert all(before > after > [0, 0] for before, after in pairwise(left_s))


def test_with_a_cpu_clock_both_times_are_sent(tmp_path: Path) -> None:
    clock = Clock(60.0, counts_cpu=True)
    _, notes = play_recorder(tmp_path / "log", count=1, clock=clock)
    assert notes[0]["clock"] == [60, 0, True]
    used, by_the_wall = zip(
        *(note["left_s"] for note in notes if note["hook"] == "choose"), strict=True
    )
    assert (used[0], by_the_wall[0]) == (60, clock.wall.bank_s)
    assert all(before >= after for before, after in pairwise(used))
    assert all(before > after for before, after in pairwise(by_the_wall))
    assert used[0] > used[-1] > 0


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            "def choose(self, view): return 'cat'",
            "Mine chose 'cat': 'cat' is not a card: such as P1",
        ),
        ("def choose(self, view): return 2**32", "Mine chose 4294967296: an action is one of"),
        ("def choose_many(self, views): return []", "Mine chose 0 actions for 1 views"),
        ("def choose_many(self, views): pass", "Mine chose None: choose_many returns a list"),
        ("pass", "NotImplementedError: Mine has no choose(self, view)"),
        ("def choose(self, view): raise SystemExit('I resign')", "I resign"),
        ("def happened(self, events): 1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_mistake_is_reported_in_a_sentence(body: str, sentence: str, tmp_path: Path) -> None:
    code = f"from arena.sdk import Bot, run\nclass Mine(Bot):\n    {body}\nrun(Mine)\n"
    players = [remote_bot(write_program(tmp_path, code)), random_player("a")]
    (record,) = play_fixtures(players, make_fixtures(1, 2), tables=1, clock=CLOCK)
    (fault,) = record.faults
    assert (fault.seat, fault.ending) == (0, SeatEnding.CRASHED)
    assert fault.sentence.startswith(sentence)
    assert fault.sentence.endswith(" (it ended with exit code 1 instead of answering)")
    assert fault.printed.decode().splitlines()[-1].startswith(sentence)


@pytest.mark.parametrize("kind", ["Number", "str", "int", ""])
def test_a_bot_answers_with_an_action_its_text_or_any_whole_number(
    kind: str, tmp_path: Path
) -> None:
    code = (
        "from arena.sdk import Bot, run\n"
        "class Number:\n"
        "    def __init__(self, value): self.value = value\n"
        "    def __index__(self): return self.value\n"
        "class Mine(Bot):\n"
        "    def choose(self, view): return KIND(self.legal_actions(view)[0])\n"
        "run(Mine())\n"
    ).replace("KIND", kind)
    players = [remote_bot(write_program(tmp_path, code)), random_player("a")]
    (record,) = play_fixtures(players, make_fixtures(1, 2), tables=1, clock=CLOCK)
    assert record.faults == ()


def test_importing_the_sdk_is_light() -> None:
    code = (
        "import sys, arena.sdk\nfrom arena.wire.codec import codec_of\n"
        f"for game_id in {GAME_IDS}:\n    codec_of(game_id)\n"
        "print(*sorted(sys.modules), sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "arena.sdk.client" in loaded
    heavy = {"grpc", "google.protobuf", "click", "sqlite3", "numpy"}
    slow = {"asyncio", "dataclasses", "hashlib", "random", "socket"}
    assert not (heavy | slow) & loaded
    assert not {name for name in loaded if name.startswith(("arena.referee", "arena.cli"))}


def test_a_bot_started_without_a_referee_says_what_to_do_instead(tmp_path: Path) -> None:
    word = write_program(tmp_path, SHORTEST)
    environment = {key: value for key, value in os.environ.items() if key != "ARENA_SOCKET"}
    done = subprocess.run([sys.executable, word], capture_output=True, text=True, env=environment)
    assert done.returncode == 1
    assert done.stdout == ""
    assert f"is a bot and must be started by the referee: try `arena check {word}`" in done.stderr
    assert f"`arena play meow {word} random random`" in done.stderr


def test_the_public_names_are_exported_and_documented() -> None:
    assert arena.sdk.__all__ == ["Bot", "Match", "Result", "run"]
    assert all(getattr(arena.sdk, name).__doc__ for name in arena.sdk.__all__)

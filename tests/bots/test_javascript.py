"""A bot that is not in Python can play, from the .proto files alone."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.games.randomness import seed_from
from arena.games.registry import game_named
from arena.records import Entrant
from arena.referee.clock import DEFAULT_CLOCK
from arena.referee.players.connection import listen
from arena.referee.players.remote import RemotePlayer
from arena.sandbox.tempdir import temp_dir
from arena.submission.manifest import read_manifest
from arena.wire.codec import codec_of
from arena.wire.envelope import (
    Batch,
    MatchEnd,
    MatchStart,
    Request,
    WireClock,
    batch,
    commitment,
    goodbye,
    match_end,
    match_start,
    request,
)
from arena.wire.v1.match_pb2 import SEAT_ENDING_PLAYED, FromBot
from tests.builders.bots import ROGUES
from tests.builders.matches import (
    make_fixtures,
    play_fixtures,
    random_player,
    rogue,
    without_times_or_sentences,
)
from tests.cages import launcher
from tests.cli.runner import arena

ROOT = Path(__file__).parents[2]
NAME = "javascript-cat"
HONEST = str(ROGUES / "honest.py")
INSTALL_LIMIT_S = 180.0


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new bot for MEOW with its packages installed, one for all test processes."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    made = shared / NAME
    verdict = shared / f"{NAME}.txt"
    with (shared / f"{NAME}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not verdict.exists():
            verdict.write_text(install_bot(made), encoding="utf-8")
    failure = verdict.read_text(encoding="utf-8")
    if failure and os.environ.get("CI"):
        pytest.fail(failure)
    if failure:
        pytest.skip(failure)
    return made


def install_bot(made: Path) -> str:
    """Make a bot with its packages; return the reason if that fails, else an empty string."""
    for program in ("node", "npm"):
        if not shutil.which(program):
            return f"the JavaScript bot needs {program}, which is not installed here"
    result = arena("new", made, "--game", "meow", "--language", "javascript")
    assert result.exit_code == 0, result.output
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]
    command += ["--fetch-retries=1"]
    try:
        done = subprocess.run(
            command, cwd=made, capture_output=True, text=True, timeout=INSTALL_LIMIT_S
        )
    except subprocess.TimeoutExpired:
        return f"npm could not install the JavaScript bot's packages in {INSTALL_LIMIT_S:g} s"
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("npm error")]
        return f"npm could not install the JavaScript bot's packages: {'; '.join(errors[:3])}"
    return ""


def matches_of(*words: str) -> list[dict[str, Any]]:
    """Play from the command line and return the matches."""
    result = CliRunner().invoke(main, ["play", "meow", *words, "--json"])
    assert result.exit_code == 0, result.output
    matches: list[dict[str, Any]] = json.loads(result.stdout)["matches"]
    return matches


@pytest.mark.parametrize(
    ("variant", "seats"),
    [
        ("expert", 6),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in (
                ("standard", 2),
                ("standard", 3),
                ("standard", 6),
                ("expert", 2),
                ("expert", 3),
            )
        ),
    ],
)
def test_it_plays_a_match_without_a_fault(folder: Path, seats: int, variant: str) -> None:
    others = ["random"] * (seats - 2)
    (match,) = matches_of(HONEST, str(folder), *others, "--seed", "5", "--variant", variant)
    assert match["faults"] == []
    assert match["players"][1]["name"] == f"{NAME}-1"
    assert any(d["seat"] == 1 and d["how"] == "chosen" for d in match["decisions"])


def test_at_32_tables_it_plays_without_a_fault(folder: Path) -> None:
    matches = matches_of(str(folder), "random", HONEST, "--tables", "32", "--seed", "1")
    assert [match["faults"] for match in matches] == [[]] * 32


@pytest.mark.slow
def test_at_32_tables_every_result_is_the_same_as_at_one(folder: Path) -> None:
    launch = launcher(read_manifest(folder))
    players = [
        random_player("random"),
        RemotePlayer(Entrant("javascript"), launch),
        rogue("honest", "honest.py"),
        RemotePlayer(Entrant("javascript again"), launch),
    ]
    at_once, alone = (
        play_fixtures(players, make_fixtures(32, 4), tables=tables, clock=DEFAULT_CLOCK)
        for tables in (32, 1)
    )
    assert [without_times_or_sentences(record) for record in at_once] == [
        without_times_or_sentences(record) for record in alone
    ]
    assert not any(record.faults for record in at_once)


def opening(match: int) -> bytes:
    """Write the start of a match for the seat that leads, and its first request."""
    game, codec, seed = game_named("meow"), codec_of("meow"), seed_from(match)
    state = game.start(2, seed)
    view = game.view_of(state, 0)
    parameters = codec.parameters_bytes(game.default_parameters)
    clock = WireClock(60.0, 0.5)
    start = MatchStart(match, "meow", 2, 0, parameters, clock, bytes(32), commitment(seed, b""))
    legal = tuple(codec.action_bytes(action) for action in game.legal_actions(view))
    asked = Request(match, 0, (), codec.view_bytes(view), 60.0, legal)
    return batch.write(Batch((match_start.write(start),), (request.write(asked),), (), b""))


def closing(match: int) -> bytes:
    """Write the end of a match."""
    end = MatchEnd(match, (1, 2), (), (5, 3), SEAT_ENDING_PLAYED, "played to the end")
    return batch.write(Batch((), (), (match_end.write(end),), b""))


def farewell() -> bytes:
    """Write a batch with a Goodbye."""
    return batch.write(Batch((), (), (), goodbye("that is all")))


async def conversation(folder: Path, last: bytes) -> tuple[FromBot, str, bytes]:
    """Send requests of two tables at once, then the `last` bytes.

    Return the first message with answers, how the process ended and what it printed.
    """
    ended = asyncio.Event()
    with temp_dir() as place:
        async with listen(place / "bot.sock", lambda: None) as connection:
            process = launcher(read_manifest(folder))(connection.socket, ended.set)
            try:
                async with asyncio.timeout(300):
                    hello = FromBot.FromString(await connection.first_message(ended) or b"").hello
                    assert hello.wants_legal_actions
                    await connection.send(opening(1) + opening(2))
                    answer = FromBot.FromString(await connection.receive() or b"")
                    await connection.send(last)
                    await ended.wait()
            finally:
                process.kill()
            return answer, process.describe_exit(), process.printed()


def test_one_message_answers_a_whole_batch_and_a_goodbye_ends_it(folder: Path) -> None:
    last = closing(1) + closing(2) + closing(77) + farewell()
    answer, end, printed = asyncio.run(conversation(folder, last))
    decisions = answer.decisions.decisions
    assert [(decision.match, decision.number) for decision in decisions] == [(1, 0), (2, 0)]
    assert (end, printed) == ("ended with exit code 0", b"")

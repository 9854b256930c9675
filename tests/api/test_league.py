"""A league and its replays, used from Python."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import arena
from arena.api.league import CheckFailed
from arena.api.rows import Rows
from arena.errors import ArenaError
from tests.builders.bots import HONEST, ROGUE, bot_folder

SPEC = arena.Spec(
    arena.Kind.ROUND_ROBIN, "meow", bots=("first", "random"), seats=2, seed=1, name="cup"
)


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> arena.League:
    """Return a league with an event."""
    league = arena.open_league(tmp_path_factory.mktemp("league") / "arena.db")
    league.run(SPEC, jobs=1)
    return league


def test_a_program_without_a_main_guard_can_run_an_event(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import arena\n"
        "print('started')\n"
        "spec = arena.Spec(arena.Kind.ROUND_ROBIN, 'meow', bots=('first', 'random'), seats=2)\n"
        "print(arena.open_league('arena.db').run(spec, jobs=1)[0]['matches'])\n"
    )
    words = [sys.executable, str(program)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "started\n2\n", done.stderr


def test_standings_and_leaderboard_have_a_row_for_each_bot(league: arena.League) -> None:
    assert {row["bot"] for row in league.standings("cup")} == {"first", "random"}
    assert {row.bot for row in league.leaderboard("meow")} == {"first", "random"}
    assert [event.name for event in league.events()] == ["cup"]
    assert sorted(map(str, league.bots())) == ["first@1", "random@1"]


def test_matches_have_a_row_for_each_seat_and_a_replay(league: arena.League) -> None:
    rows = league.matches("cup")
    assert [(row["match"], row["seat"]) for row in rows] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    for number, replay in enumerate(league.replays("cup")):
        assert replay.record == league.replay("cup", number).record
        assert list(replay.scores) == [row["score"] for row in rows if row["match"] == number]


def test_a_saved_replay_is_read_again_and_a_forged_one_is_refused(
    league: arena.League, tmp_path: Path
) -> None:
    path = tmp_path / "match.replay"
    replay = league.replay("cup", 0)
    replay.save(path)
    assert arena.read_replay(path).record == replay.record
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ArenaError, match=r"match\.replay: "):
        arena.read_replay(path)


def meow_folder(parent: Path, name: str, program: Path, *arguments: str) -> Path:
    """Make the folder of a bot that plays only MEOW, which is checked in less time."""
    folder = bot_folder(parent, name, program, *arguments)
    manifest = (folder / "bot.toml").read_text()
    (folder / "bot.toml").write_text(re.sub("games = .*", 'games = ["meow"]', manifest))
    return folder


def test_a_bot_is_submitted_once_and_a_bad_one_is_not(tmp_path: Path) -> None:
    league = arena.open_league(tmp_path / "arena.db")
    folder = meow_folder(tmp_path, "kitten", HONEST)
    done = league.submit(folder)
    assert (str(done.version), done.is_new) == ("kitten@1", True)
    assert repr(league.submit(folder)) == "<Unchanged: kitten@1>"
    with pytest.raises(CheckFailed, match="rogue was not submitted") as failure:
        league.submit(meow_folder(tmp_path, "rogue", ROGUE, "crash"))
    assert not failure.value.report.passed
    assert "failed, I cannot go on" in str(failure.value.report)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda league: league.query("SELECT x"), "the query is wrong: no such column: x"),
        (lambda league: league.replay("cup", 9), "event cup has no match 9"),
        (lambda league: league.matches("cap"), "no such event: 'cap'; did you mean cup"),
        (lambda league: league.leaderboard("mewo"), "no such game: 'mewo'"),
        (lambda league: league.submit("nowhere"), "nowhere is not a folder with a bot.toml"),
        (lambda league: arena.read_replay("nowhere"), "nowhere: cannot read it: No such file"),
    ],
)
def test_a_mistake_is_a_sentence(
    league: arena.League, call: Callable[[arena.League], object], sentence: str
) -> None:
    with pytest.raises(ArenaError, match=sentence):
        call(league)


def test_a_table_cuts_long_texts_and_shows_names_as_text() -> None:
    rows = Rows([{"name": "<b>", "text": "x" * 99, "share": 0.5, "none": None}])
    assert repr(rows).splitlines()[1].split() == ["<b>", "x" * 31 + "…", "0.50"]
    assert "<td>&lt;b&gt;</td>" in rows._repr_html_()
    assert repr(Rows()) == "no rows"

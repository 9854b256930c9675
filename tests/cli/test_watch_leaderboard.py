"""Can a leaderboard be followed while an event runs?"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.cli.leaderboard import _marked
from arena.cli.watching import changes
from arena.events.spec import Kind, Spec
from leaderboard.boards import Standing
from leaderboard.store import Store
from tests.cli.leagues import NAMES, arena
from tests.cli.terminals import arena_at_terminal
from tests.events.folders import ROOT
from tests.events.leagues import PretendedWorkers, begun, gone_on, league

CUP = Spec(Kind.ROUND_ROBIN, "meow", name="cup", bots=tuple(NAMES), seats=3, deals=2, seed=0)
WATCH = ("leaderboard", "--watch", "--every", "0.1")


def standing(bot: str, rank: int, score: float) -> Standing:
    """Return a line of a leaderboard."""
    return Standing("meow", "standard", rank, bot, 1, score, 25.0, 1.0, 9, 3, 2.0, 0, "", ())


def marks(rows: Any) -> list[tuple[str, str]]:
    """Return the marks of rank and rating."""
    return [(row["moved"], row["gained"]) for row in rows]


def test_what_has_changed_in_rank_and_rating_is_marked() -> None:
    before = [standing("ann", 1, 5.0), standing("ben", 2, 4.0), standing("cat", 3, 3.0)]
    now = [standing("cat", 1, 6.5), standing("ann", 2, 5.0), standing("dan", 3, 4.5)]
    now += [standing("ben", 4, 3.25)]
    assert marks(_marked(now, before)) == [
        ("↑2", "↑3.50"),
        ("↓1", ""),
        ("new", ""),
        ("↓2", "↓0.75"),
    ]
    assert marks(_marked(now, [])) == [("", "")] * 4


def test_a_terminal_shows_the_new_board_in_the_place_of_the_old(tmp_path: Path) -> None:
    with league(tmp_path, NAMES) as writer:
        begun(writer, CUP)
        with arena_at_terminal(tmp_path, *WATCH) as terminal:
            terminal.wait_for("nobody has played anything yet", "q quit")
            gone_on(writer, "cup", PretendedWorkers(), stop_after=24)
            terminal.wait_for("meow, standard")
            terminal.wait_until_gone("nobody has played")
            board = terminal.lines[:-1]
            assert not any(mark in line for line in board for mark in ("↑", "↓", "new"))
            gone_on(writer, "cup", PretendedWorkers())
            terminal.wait_until(lambda: any("↑" in line for line in terminal.lines[:-1]))
            best = json.loads(arena(tmp_path / "arena.db", "leaderboard", "--json").stdout)[0]
            terminal.wait_for(f" {best['bot']} ", f" {best['score']:.2f} ")
            assert terminal.text.count("meow, standard") == 1
            terminal.resize(40, 5)
            terminal.wait_for("↓ 4 more lines\n↑ ↓ scroll")
            terminal.press("\x1b[B")
            terminal.wait_for("↑ 2 more lines", "↓ 3 more lines")
            terminal.press("q")
            assert terminal.wait_for_end() == 0
            assert terminal.is_as_before()


def test_ctrl_c_at_a_terminal_is_a_good_end(tmp_path: Path) -> None:
    with league(tmp_path, NAMES):
        pass
    with arena_at_terminal(tmp_path, *WATCH) as terminal:
        terminal.wait_for("nobody has played anything yet")
        terminal.press("\x03")
        assert terminal.wait_for_end() == 0
        assert terminal.is_as_before()


def test_elsewhere_each_new_board_is_printed_after_the_last(tmp_path: Path) -> None:
    with league(tmp_path, NAMES) as writer:
        begun(writer, CUP)
        gone_on(writer, "cup", PretendedWorkers(), stop_after=24)
        words = [sys.executable, "-m", "arena", *WATCH, "--db", str(tmp_path / "arena.db")]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
            assert process.stdout
            first = [process.stdout.readline() for _ in range(7)]
            gone_on(writer, "cup", PretendedWorkers())
            second = [process.stdout.readline() for _ in range(8)]
            process.send_signal(signal.SIGINT)
            rest = process.stdout.read()
        assert process.returncode == 0
    assert first[0] == "meow, standard\n"
    assert second[:2] == ["\n", "meow, standard\n"]
    printed = "".join([*first, *second, rest])
    assert "\x1b" not in printed
    assert not any(mark in "".join(first) for mark in "↑↓")
    assert any(mark in "".join([*second, rest]) for mark in "↑↓")


def test_a_change_of_the_league_is_noticed_once(tmp_path: Path) -> None:
    with league(tmp_path, NAMES) as writer, Store.open(tmp_path / "arena.db") as store:
        changed = changes(store)
        assert [next(changed), next(changed)] == [True, False]
        begun(writer, CUP)
        assert [next(changed), next(changed)] == [True, False]


@pytest.mark.parametrize("seconds", ["nan", "inf", "1e300", "0"])
def test_how_often_to_look_is_a_sensible_number(seconds: str, tmp_path: Path) -> None:
    result = arena(tmp_path / "arena.db", "leaderboard", "--watch", "--every", seconds)
    assert result.exit_code == 2
    assert "--every" in result.stderr


@pytest.mark.parametrize("word", ["--json", "--csv", "--head-to-head"])
def test_only_ratings_can_be_watched(word: str, tmp_path: Path) -> None:
    result = arena(tmp_path / "arena.db", *WATCH, word)
    assert result.exit_code == 2
    assert "--watch shows ratings to people: leave the other option out" in result.stderr

"""A leaderboard can be followed while an event runs."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.cli.leaderboard.boards import mark_changes
from arena.cli.terminal.watching import poll_changes
from arena.indices import VersionId
from arena.tournament.spec import Kind, Spec
from leaderboard.queries.leaderboards import LeaderboardRow
from leaderboard.store import Store
from tests.builders.bots import ROOT
from tests.builders.leagues import NAMES, FakeWorkers, enter, open_league, play_event
from tests.cli.runner import arena_on, json_on, refused
from tests.cli.terminals import arena_at_terminal

CUP = Spec(Kind.ROUND_ROBIN, "meow", name="cup", bots=tuple(NAMES), seats=3, deals=2, seed=0)
WATCH = ("leaderboard", "--watch", "--every", "0.1")


def row_of(bot: str, rank: int, score: float) -> LeaderboardRow:
    """Return a row of a leaderboard."""
    return LeaderboardRow(
        "meow",
        "standard",
        rank,
        bot,
        1,
        score,
        25.0,
        1.0,
        9,
        3,
        2.0,
        0,
        "",
        *(26.0, 1.5, 24.5, 27.5, 1, rank, 1, 3, 0.5, None),
        1,
        VersionId(1),
    )


def marks(rows: Any) -> list[tuple[str, str]]:
    """Return the marks of rank and rating."""
    return [(row["moved"], row["gained"]) for row in rows]


def test_changes_in_rank_and_rating_are_marked() -> None:
    before = [row_of("ann", 1, 5.0), row_of("ben", 2, 4.0), row_of("cat", 3, 3.0)]
    now = [row_of("cat", 1, 6.5), row_of("ann", 2, 5.0), row_of("dan", 3, 4.5)]
    now += [row_of("ben", 4, 3.25)]
    assert marks(mark_changes(now, before)) == [
        ("↑2", "↑3.50"),
        ("↓1", ""),
        ("new", ""),
        ("↓2", "↓0.75"),
    ]
    assert marks(mark_changes(now, [])) == [("", "")] * 4


def test_a_terminal_shows_the_new_leaderboard_in_place_of_the_old(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        enter(writer, CUP)
        with arena_at_terminal(tmp_path, *WATCH) as terminal:
            terminal.wait_for("no matches yet", "q quit")
            play_event(writer, "cup", FakeWorkers(), stop_after=24)
            terminal.wait_for("meow, standard")
            terminal.wait_until_gone("no matches yet")
            play_event(writer, "cup", FakeWorkers())
            terminal.wait_until(lambda: any("↑" in line for line in terminal.lines[:-1]))
            best = json_on(tmp_path / "arena.db", "leaderboard")[0]
            terminal.wait_for(f" {best['bot']}@1 ", f" {best['score']:.2f} ")
            assert terminal.text.count("meow, standard") == 1
            terminal.resize(40, 5)
            terminal.wait_for("↓ 7 more lines\n↑ ↓ scroll")
            terminal.press("\x1b[B")
            terminal.wait_for("↑ 2 more lines", "↓ 6 more lines")
            terminal.press("q")
            assert terminal.wait_for_end() == 0
            assert terminal.is_restored()


def test_without_a_terminal_each_new_leaderboard_is_printed_below_the_last(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer:
        enter(writer, CUP)
        play_event(writer, "cup", FakeWorkers(), stop_after=24)
        words = [sys.executable, "-m", "arena", *WATCH, "--db", str(tmp_path / "arena.db")]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
            assert process.stdout
            first = [process.stdout.readline() for _ in range(7)]
            play_event(writer, "cup", FakeWorkers())
            second: list[str] = []
            # How many boards it shows until then depends on how busy the machine is.
            while not any(mark in "".join(second) for mark in "↑↓"):
                second.append(process.stdout.readline())
            process.send_signal(signal.SIGINT)
            rest = process.stdout.read()
        assert process.returncode == 0
    assert first[0] == "meow, standard\n"
    assert second[:2] == ["\n", "meow, standard\n"]
    printed = "".join([*first, *second, rest])
    assert "\x1b" not in printed
    assert not any(mark in "".join(first) for mark in "↑↓")


def test_a_change_to_the_league_is_noticed_once(tmp_path: Path) -> None:
    with open_league(tmp_path, NAMES) as writer, Store.open(tmp_path / "arena.db") as store:
        changed = poll_changes(store)
        assert [next(changed), next(changed)] == [True, False]
        enter(writer, CUP)
        assert [next(changed), next(changed)] == [True, False]


@pytest.mark.parametrize("seconds", ["nan", "1e300", "0"])
def test_the_interval_must_be_a_sensible_number(seconds: str, tmp_path: Path) -> None:
    result = refused(arena_on(tmp_path / "arena.db", "leaderboard", "--watch", "--every", seconds))
    assert "--every" in result


@pytest.mark.parametrize("word", ["--json", "--csv", "--head-to-head"])
def test_only_ratings_can_be_watched(word: str, tmp_path: Path) -> None:
    result = refused(arena_on(tmp_path / "arena.db", *WATCH, word))
    assert "--watch cannot be used with --head-to-head, --json or --csv" in result

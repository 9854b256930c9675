"""Matches between Python objects and caged bots, played from Python."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.api.players import AnyPlayer
from arena.errors import ArenaError, BadInput
from arena.games.registry import game_named
from arena.records import SeatEnding, events_of
from arena.sdk import Bot, Result
from tests.builders.bots import HONEST, ROGUE, bot_folder

MEOW = game_named("meow")


def first(view: Any) -> int:
    """Choose the first legal action."""
    return MEOW.legal_actions(view)[0]


class Listener(Bot):
    """Chooses the last legal action, notes why, and remembers what it was told."""

    name = "ear"

    def __init__(self) -> None:
        """Remember nothing."""
        self.heard: list[Any] = []
        self.results: list[Result] = []

    def choose(self, view: Any) -> int:
        """Choose and say so."""
        self.note("the last")
        return self.legal_actions(view)[-1]

    def happened(self, events: Any) -> None:
        """Remember events."""
        self.heard += events

    def match_ended(self, result: Result) -> None:
        """Remember the result."""
        self.results.append(result)


def test_functions_bots_names_and_folders_play_at_one_table(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, "kitten", HONEST)
    players: list[AnyPlayer] = [first, Listener, "random", "greedy-meow", folder]
    replay = arena.play_match("meow", players, seed=7)
    assert replay.players == ["first-0", "ear-1", "random-2", "greedy-meow-3", "kitten-4"]
    assert not replay.faults


def test_the_same_seed_gives_the_same_match_as_the_command_does() -> None:
    one, other = (arena.play_match("meow", [first, "random"], seed=7) for _ in range(2))
    assert one.record == other.record
    assert one.record != arena.play_match("meow", [first, "random"], seed=8).record


def test_a_bot_object_hears_all_events_and_the_result_and_its_notes_are_kept() -> None:
    bot = Listener()
    replay = arena.play_match("meow", [first, bot], seed=7)
    assert bot.heard == events_of(replay.record)
    assert [result.places for result in bot.results] == [replay.places]
    assert {note.text for note in replay.record.notes} == {"the last"}


def test_an_error_in_a_function_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        arena.play_match("meow", [lambda view: 1 // 0, "random"])
    with pytest.raises(ArenaError, match="print chose None: an action is one of"):
        arena.play_match("meow", [print, "random"])  # type: ignore[list-item]


def test_a_fault_is_part_of_the_replay(tmp_path: Path) -> None:
    rogue = bot_folder(tmp_path, "rogue", ROGUE, "crash")
    replay = arena.play_match("meow", [rogue, lambda view: 0, first], seed=7)
    endings = {fault.seat: fault.ending for fault in replay.faults}
    assert endings == {0: SeatEnding.CRASHED, 1: SeatEnding.ILLEGAL_ACTION}
    assert replay.places[2] == 1


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (["gredy-meow", "random"], "no such bot: 'gredy-meow'; did you mean greedy-meow"),
        ([3, "random"], "3 cannot play: name a bot or its folder"),
        (["random"], "meow cannot seat 1"),
        (["greedy-trio", "random"], "greedy-trio does not play meow"),
    ],
)
def test_an_impossible_player_is_refused_with_a_sentence(players: Any, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        arena.play_match("meow", players)


def test_limits_are_checked_and_a_missing_cage_is_a_warning() -> None:
    with pytest.raises(BadInput, match="unknown limit 'memory'"):
        arena.play_match("meow", ["first", "random"], limits={"memory": 1})
    with pytest.warns(UserWarning, match="no cage"):
        arena.play_match("meow", ["first", "random"], cage="none")


def test_a_match_can_be_played_where_a_loop_is_running_as_in_a_notebook() -> None:
    async def cell() -> arena.Replay:
        return arena.play_match("meow", [first, "greedy-meow"], seed=7)

    alone = arena.play_match("meow", [first, "greedy-meow"], seed=7)
    assert asyncio.run(cell()).places == alone.places


def test_importing_the_package_loads_none_of_its_modules() -> None:
    program = (
        "import sys, arena; print([name for name in sys.modules if name.startswith('arena.')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
    assert set(arena.__all__) <= set(dir(arena))
    with pytest.raises(AttributeError, match="no attribute 'play'"):
        _ = arena.play

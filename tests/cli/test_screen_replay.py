"""Can a match be stepped through on a terminal, with the eyes that were asked for?"""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest

from arena.cli.drawing import drawing_of
from arena.cli.stepping import Walk
from arena.games.registry import GAME_IDS, game_named
from arena.records import Entrant, Record, SeatEnding
from arena.replays.export import out_since
from arena.replays.format import write_replay
from tests.cli.leagues import arena, small_league
from tests.cli.terminals import arena_at_terminal
from tests.pages.replays import SHORT
from tests.replays.matches import played, setting_of

MEOW = played(setting_of("meow", 2), 1, {1: (3, SeatEnding.CRASHED)})
EVIL = "ev\x1b[2J\x1b[31mil\n"
RIGHT, LEFT, DOWN, END, HOME = "\x1b[C", "\x1b[D", "\x1b[B", "\x1b[F", "\x1b[H"
PAGE_DOWN = "\x1b[6~"


def walk_of(record: Record, only: int | None = None) -> Walk:
    """Begin to walk through a match."""
    return Walk(record, drawing_of(game_named(record.game_id)), only=only)


def kept(folder: Path, record: Record) -> str:
    """Write a replay to a file, and return its name."""
    path = folder / "match.replay"
    path.write_bytes(write_replay(record))
    return str(path)


def pictures(walk: Walk) -> list[str]:
    """Step from the deal to the result."""
    found = []
    for position in range(walk.last + 1):
        assert walk.position == position
        found.append("\n".join(map(click.unstyle, walk.picture(200, 80))))
        walk.press("right")
    return found


class Stub:
    """Draws whose view it is, and nothing else."""

    def draw(self, view: Any) -> str:
        """Draw the seat."""
        return f"drawn for seat {view.seat}"

    def tell(self, event: Any, names: Sequence[str]) -> str:
        """Tell nothing."""
        return "something happened"


@pytest.mark.parametrize("record", SHORT.values(), ids=list(SHORT))
def test_one_seats_picture_is_made_from_its_own_view_and_hides_the_others_thoughts(
    record: Record,
) -> None:
    for seat in range(len(record.entrants)):
        shown = pictures(Walk(record, Stub(), only=seat))
        assert all(f"drawn for seat {seat}" in picture for picture in shown[:-1])
        assert not any("holds" in picture or "face down" in picture for picture in shown)
        assert not any(record.seed.hex() in picture for picture in shown)
        others = tuple(
            decision if decision.seat == seat else decision._replace(time_us=77_000_000)
            for decision in record.decisions
        )
        assert pictures(Walk(replace(record, decisions=others), Stub(), only=seat)) == shown


def test_a_secret_choice_is_told_to_its_own_seat_and_to_all_eyes_only() -> None:
    record = SHORT["trio in teams"]
    secret = "chooses in secret: "
    own = [[secret in picture for picture in pictures(walk_of(record, seat))] for seat in range(4)]
    everybody = [secret in picture for picture in pictures(walk_of(record))]
    assert any(everybody)
    for number, decision in enumerate(record.decisions, start=1):
        told_to = [seat for seat in range(4) if own[seat][number]]
        assert told_to == ([decision.seat] if everybody[number] else [])


@pytest.mark.parametrize("record", SHORT.values(), ids=list(SHORT))
def test_all_eyes_see_the_hidden_cards_and_whoever_decides(record: Record) -> None:
    shown = pictures(Walk(record, Stub()))
    for decision, picture in zip(record.decisions, shown[1:], strict=False):
        assert f"drawn for seat {decision.seat}" in picture
    assert any(" holds " in picture or "face down" in picture for picture in shown)
    assert record.seed.hex() in shown[-1]


@pytest.mark.parametrize("name", ["trio in teams", "meow"])
def test_a_picture_fits_and_what_does_not_can_be_scrolled_to(name: str) -> None:
    walk = walk_of(SHORT[name])
    walk.press("end")
    walk.press("left")
    whole = walk.picture(60, 200)[1:-2]
    seen: set[str] = set()
    for _ in whole:
        picture = walk.picture(60, 14)
        assert len(picture) == 14
        seen |= set(picture)
        walk.press("down")
    assert set(whole) - {""} <= seen


def test_f_goes_from_fault_to_fault_and_begins_again() -> None:
    faults = {0: (2, SeatEnding.OVERRUN), 2: (5, SeatEnding.CRASHED)}
    record = played(setting_of("meow", 3), 1, faults)
    first, second = sorted((out_since(record, seat) or 0) + 1 for seat in (0, 2))
    walk = walk_of(record)
    for place in (first, second, first):
        walk.press("f")
        assert walk.position == place
        assert any("faulted (" in line for line in walk.picture(80, 24))
    walk.press("2")
    walk.press("f")
    assert walk.position == (out_since(record, 2) or 0) + 1
    walk.press("1")
    walk.press("f")
    assert "this seat had no fault" in walk.picture(80, 24)[-2]


def test_eyes_go_round_and_a_seat_that_was_asked_for_keeps_its_own() -> None:
    walk = walk_of(MEOW)
    seen = []
    for key in ("tab", "tab", "tab", "back tab", "0", "a", "9"):
        walk.press(key)
        seen.append(walk.eyes)
    assert seen == [0, 1, None, 1, 0, None, None]
    assert "there is no seat 9" in walk.picture(80, 24)[-2]
    kept = walk_of(MEOW, only=1)
    for key in ("tab", "0", "a"):
        kept.press(key)
        assert kept.eyes == 1
        assert "--seat 1 shows no other eyes" in kept.picture(80, 24)[-2]


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_every_game_is_stepped_through_with_the_keys(game_id: str, tmp_path: Path) -> None:
    record = SHORT[game_id]
    count = len(record.decisions)
    path = kept(tmp_path, record)
    with arena_at_terminal(tmp_path, "replay", "show", path) as terminal:
        terminal.wait_for(f"the deal, before {count} decisions", "all eyes", "q quit")
        assert terminal.lines[0].startswith(game_named(game_id).title)
        terminal.press(RIGHT + " " + RIGHT + LEFT)
        terminal.wait_for(f"decision 2 of {count}")
        terminal.press(PAGE_DOWN + "1")
        terminal.wait_for(f"decision 12 of {count}", "the eyes of seat 1")
        terminal.press("a\tf")
        terminal.wait_for("the eyes of seat 0")
        terminal.resize(60, 16)
        terminal.press("af")
        terminal.wait_for("faulted (", "all eyes")
        assert terminal.lines[15].startswith("← → step")
        terminal.press(END)
        terminal.wait_for("place  seat  player", "the result")
        terminal.press(HOME)
        terminal.wait_for("the deal, before")
        terminal.press("q")
        assert terminal.wait_for_end() == 0
        assert terminal.is_as_before()


def test_untrusted_text_moves_nothing_and_ctrl_c_leaves(tmp_path: Path) -> None:
    faults = tuple(replace(fault, sentence=EVIL) for fault in MEOW.faults)
    entrants = (Entrant(EVIL, EVIL), Entrant(EVIL, ""))
    path = kept(tmp_path, replace(MEOW, entrants=entrants, faults=faults))
    with arena_at_terminal(tmp_path, "replay", "show", path, "--seat", "1") as terminal:
        terminal.wait_for("the deal, before")
        terminal.press("f")
        terminal.wait_for("ev�[2J�[31mil� faulted (crashed): ev�[2J�[31mil�.")
        assert b"\x1b[2J" not in terminal.output
        assert b"\x1b[31mil" not in terminal.output
        terminal.press("\x03")
        assert terminal.wait_for_end() == 0
        assert terminal.is_as_before()


def test_a_friendly_kill_gives_the_terminal_back(tmp_path: Path) -> None:
    with arena_at_terminal(tmp_path, "replay", "show", kept(tmp_path, MEOW)) as terminal:
        terminal.wait_for("the deal, before")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.wait_for_end() == 128 + signal.SIGTERM
        assert terminal.is_as_before()


def test_plain_prints_the_whole_match_on_a_terminal_too(tmp_path: Path) -> None:
    path = kept(tmp_path, MEOW)
    with arena_at_terminal(tmp_path, "replay", "show", path, "--plain") as terminal:
        assert terminal.wait_for_end() == 0
    printed = click.unstyle(terminal.output.decode()).replace("\r\n", "\n")
    assert printed == arena(tmp_path / "arena.db", "replay", "show", path).stdout


def test_a_match_of_the_league_is_named_by_its_event_and_number(tmp_path: Path) -> None:
    db = small_league(tmp_path)
    told = arena(db, "replay", "show", "cup/0")
    assert told.exit_code == 0
    assert told.stdout.startswith("MEOW, 3 players: ")
    (tmp_path / "cup").mkdir()
    assert arena(db, "replay", "show", "cup/0").stdout == told.stdout
    none = arena(db, "replay", "show", "cup/9999")
    assert none.exit_code == 1
    assert "cup has not played a match 9999" in none.stderr
    unknown = arena(db, "replay", "show", "cpu/0")
    assert unknown.exit_code == 2
    assert "no event is called 'cpu': did you mean cup?" in unknown.stderr

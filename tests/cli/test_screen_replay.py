"""A match can be stepped through on a terminal, from any viewpoint."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest

from arena.cli.drawing import drawing_of
from arena.cli.replay.viewer import ReplayViewer
from arena.games.core import HiddenCards
from arena.games.registry import GAME_IDS, game_named
from arena.records import Entrant, Record, SeatEnding, replay_record
from arena.replays.export import stand_in_start
from arena.replays.format import write_replay
from tests.builders.records import recorded_match, setting_of
from tests.cli.runner import arena_on
from tests.cli.terminals import arena_at_terminal
from tests.pages.replays import SHORT

MEOW = recorded_match(setting_of("meow", 2), 1, {1: (3, SeatEnding.CRASHED)})
EVIL = "ev\x1b[2J\x1b[31mil\n"
RIGHT, LEFT, DOWN, END, HOME = "\x1b[C", "\x1b[D", "\x1b[B", "\x1b[F", "\x1b[H"
PAGE_DOWN = "\x1b[6~"


def viewer_of(record: Record, only: int | None = None) -> ReplayViewer:
    """Open a viewer at the deal."""
    return ReplayViewer(record, drawing_of(game_named(record.game_id)).draw, only=only)


def save_replay(folder: Path, record: Record) -> str:
    """Write a replay to a file, and return its name."""
    path = folder / "match.replay"
    path.write_bytes(write_replay(record))
    return str(path)


def frames_of(viewer: ReplayViewer) -> list[str]:
    """Return all frames from the deal to the result."""
    found = []
    for position in range(viewer.last + 1):
        assert viewer.position == position
        found.append("\n".join(map(click.unstyle, viewer.render(200, 80))))
        viewer.press("right")
    return found


def draw_seat(view: Any, *, hidden: HiddenCards | None = None, **_: Any) -> str:
    """Draw only the number of the seat, or what is hidden from some."""
    return f"all of {hidden}" if hidden else f"drawn for seat {view.seat}"


@pytest.mark.parametrize("record", SHORT.values(), ids=list(SHORT))
def test_the_picture_of_a_seat_shows_only_its_own_view_and_thinking_times(
    record: Record,
) -> None:
    seat = 1
    shown = frames_of(ReplayViewer(record, draw_seat, only=seat))
    assert all(f"drawn for seat {seat}" in frame for frame in shown[:-1])
    assert not any("all of" in frame for frame in shown)
    assert not any(record.seed.hex() in frame for frame in shown)
    others = tuple(
        decision if decision.seat == seat else decision._replace(time_us=77_000_000)
        for decision in record.decisions
    )
    changed = ReplayViewer(replace(record, decisions=others), draw_seat, only=seat)
    assert frames_of(changed) == shown


def test_a_secret_choice_is_shown_only_to_its_own_seat_and_in_the_full_view() -> None:
    record = SHORT["trio in teams"]
    secret = "chooses in secret: "
    seats = (0, 1)
    own = [[secret in frame for frame in frames_of(viewer_of(record, seat))] for seat in seats]
    full_view = [secret in frame for frame in frames_of(viewer_of(record))]
    assert any(full_view)
    for number, decision in enumerate(record.decisions, start=1):
        seen_by = [seat for seat in seats if own[seat][number]]
        is_shown = full_view[number] and decision.seat in seats
        assert seen_by == ([decision.seat] if is_shown else [])


@pytest.mark.parametrize("record", SHORT.values(), ids=list(SHORT))
def test_the_full_view_shows_the_table_with_all_that_is_hidden(record: Record) -> None:
    game = game_named(record.game_id)
    # The states of a replay are one object, which changes.
    hidden = [str(game.hidden_cards(state)) for _, state in replay_record(record)]
    viewer = ReplayViewer(record, draw_seat)
    for expected in hidden:
        frame = "".join(map(click.unstyle, viewer.render(99, 99)))
        assert expected.replace(" ", "") in frame.replace(" ", "")
        viewer.press("right")
    assert record.seed.hex() in "\n".join(viewer.render(99, 99))


@pytest.mark.parametrize("record", SHORT.values(), ids=list(SHORT))
def test_the_full_view_has_every_hand_at_its_name_and_no_unknown_card(record: Record) -> None:
    game = game_named(record.game_id)
    viewer = viewer_of(record)
    for number, (_, state) in enumerate(replay_record(record)):
        if number % 7 == 0:
            frame = "\n".join(map(click.unstyle, viewer.render(99, 99)))
            words = set(re.split(r"[\s\[\];,]+", frame))
            assert all(set(hand) <= words for hand in game.hidden_cards(state).hands)
            assert "?" not in set("\n".join(frame.split("\n")[:-1]).split())
            assert all(entrant.name in frame for entrant in record.entrants)
        viewer.press("right")


def test_a_picture_fits_the_screen_and_the_rest_can_be_scrolled_to() -> None:
    viewer = viewer_of(SHORT["meow"])
    viewer.press("end")
    viewer.press("left")
    whole = viewer.render(60, 200)[1:-2]
    seen: set[str] = set()
    for _ in whole:
        frame = viewer.render(60, 14)
        assert len(frame) == 14
        seen |= set(frame)
        viewer.press("down")
    assert set(whole) - {""} <= seen


def test_f_goes_from_fault_to_fault_and_starts_over() -> None:
    faults = {0: (2, SeatEnding.OVERRUN), 2: (5, SeatEnding.CRASHED)}
    record = recorded_match(setting_of("meow", 3), 1, faults)
    first, second = sorted((stand_in_start(record, seat) or 0) + 1 for seat in (0, 2))
    viewer = viewer_of(record)
    for place in (first, second, first):
        viewer.press("f")
        assert viewer.position == place
        assert any("faulted (" in line for line in viewer.render(80, 24))
    viewer.press("2")
    viewer.press("f")
    assert viewer.position == (stand_in_start(record, 2) or 0) + 1
    viewer.press("1")
    viewer.press("f")
    assert "no fault of this seat" in viewer.render(80, 24)[-2]


def test_r_and_t_go_from_round_to_round_and_from_trick_to_trick() -> None:
    record = SHORT["meow"]
    viewer = viewer_of(record)
    states = [(state.round, len(state.row)) for _, state in replay_record(record)]
    for key, part in (("r", slice(1)), ("t", slice(2))):
        viewer.press("home")
        starts = [n for n in range(1, len(states)) if states[n][part] != states[n - 1][part]]
        assert len(starts) > 1
        for start in [*starts, viewer.last]:
            viewer.press(key)
            assert viewer.position == start
        for start in [*reversed(starts), 0]:
            viewer.press(key.upper())
            assert viewer.position == start
    trio = viewer_of(SHORT["trio"])
    trio.press("r")
    assert trio.position == 0
    assert "Trio has no rounds" in trio.render(80, 24)[-2]


def test_space_plays_the_match_to_its_end_and_a_key_stops_it() -> None:
    viewer = viewer_of(MEOW)
    assert viewer.interval_s is None
    viewer.press(" ")
    assert viewer.interval_s == 1.0
    assert "▶ 1 s" in viewer.render(80, 24)[-2]
    viewer.press("+")
    viewer.press("+")
    assert viewer.interval_s == 0.2
    viewer.press("left")
    assert viewer.interval_s is None
    viewer.press(" ")
    while viewer.interval_s:
        viewer.advance()
    assert viewer.position == viewer.last
    viewer.press(" ")
    assert viewer.interval_s is None


def test_the_log_stands_beside_the_table_where_there_is_room() -> None:
    viewer = viewer_of(SHORT["meow"])
    viewer.press("pagedown")
    narrow, wide = (viewer.render(columns, 40) for columns in (80, 120))
    assert not any("│" in line for line in narrow)
    log = [click.unstyle(line).partition(" │ ")[2] for line in wide]
    assert any("Round 1 is played for" in line for line in log)
    assert sum("plays" in line for line in log) == 10
    # What has not happened yet is not told.
    viewer.press("home")
    log = [click.unstyle(line).partition(" │ ")[2] for line in viewer.render(120, 40)]
    assert not any("plays" in line for line in log)


@pytest.mark.parametrize("columns", [40, 120])
@pytest.mark.parametrize("record", SHORT.values(), ids=list(SHORT))
def test_no_word_of_a_frame_is_broken(record: Record, columns: int) -> None:
    viewer = viewer_of(record)
    viewer.press("?")
    keys = [*map(click.unstyle, viewer.render(columns, 99))]
    viewer.press("?")
    frames = [keys]
    for key in ("pagedown", "r", "t", "f", "1", "end"):
        viewer.press(key)
        frames.append([*map(click.unstyle, viewer.render(columns, 99))])
    for frame in frames:
        assert all(len(line) <= columns for line in frame if record.seed.hex()[:8] not in line)
        assert not any("…" in line for line in frame[:-2] if "0 1 2 …" not in line)


def test_tab_cycles_through_viewpoints_unless_one_seat_was_asked_for() -> None:
    viewer = viewer_of(MEOW)
    seen = []
    for key in ("tab", "tab", "tab", "s-tab", "0", "a", "9"):
        viewer.press(key)
        seen.append(viewer.viewpoint)
    assert seen == [0, 1, None, 1, 0, None, None]
    assert "no seat 9" in viewer.render(80, 24)[-2]
    fixed = viewer_of(MEOW, only=1)
    for key in ("tab", "0", "a"):
        fixed.press(key)
        assert fixed.viewpoint == 1
        assert "--seat 1 allows no other view" in fixed.render(80, 24)[-2]


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_every_game_is_stepped_through_with_the_keys(game_id: str, tmp_path: Path) -> None:
    record = SHORT[game_id]
    count = len(record.decisions)
    path = save_replay(tmp_path, record)
    with arena_at_terminal(tmp_path, "replay", "show", path) as terminal:
        terminal.wait_for(f"deal, before {count} decisions", "view: all", "q quit")
        assert terminal.lines[0].startswith(game_named(game_id).title)
        terminal.press(RIGHT + RIGHT + RIGHT + LEFT)
        terminal.wait_for(f"decision 1 of 0 to {count - 1}")
        terminal.press(PAGE_DOWN + "1")
        terminal.wait_for(f"decision 11 of 0 to {count - 1}", "view: seat 1")
        terminal.press("a\tf")
        terminal.wait_for("view: seat 0")
        terminal.resize(60, 16)
        terminal.press("af")
        terminal.wait_for("faulted (", "view: all")
        assert terminal.lines[15].startswith("q quit  ← → step")
        terminal.press(END)
        terminal.wait_for("place  seat  player", "result")
        terminal.press(HOME)
        terminal.wait_for("deal, before")
        terminal.press("q")
        assert terminal.wait_for_end() == 0
        assert terminal.is_restored()


def test_untrusted_text_is_escaped_and_ctrl_c_leaves(tmp_path: Path) -> None:
    faults = tuple(replace(fault, sentence=EVIL) for fault in MEOW.faults)
    entrants = (Entrant(EVIL, EVIL), Entrant(EVIL, ""))
    path = save_replay(tmp_path, replace(MEOW, entrants=entrants, faults=faults))
    with arena_at_terminal(tmp_path, "replay", "show", path, "--seat", "1") as terminal:
        terminal.wait_for("deal, before")
        terminal.press("f")
        terminal.wait_for("ev�[2J�[31mil� faulted (crashed): ev�[2J�[31mil�.")
        assert b"\x1b[2J" not in terminal.output
        assert b"\x1b[31mil" not in terminal.output
        terminal.press("\x03")
        assert terminal.wait_for_end() == 0
        assert terminal.is_restored()


def test_plain_prints_the_whole_match_even_on_a_terminal(tmp_path: Path) -> None:
    path = save_replay(tmp_path, MEOW)
    with arena_at_terminal(tmp_path, "replay", "show", path, "--plain") as terminal:
        assert terminal.wait_for_end() == 0
    # A terminal wraps long lines.
    printed = click.unstyle(terminal.output.decode()).split()
    assert printed == arena_on(tmp_path / "arena.db", "replay", "show", path).stdout.split()

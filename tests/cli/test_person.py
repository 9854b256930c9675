"""A person plays on a terminal: a board in place, line editing, Tab, help and a goodbye."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.play.person import HELP
from arena.games.randomness import seed_from
from arena.games.registry import game_named, parameters_from
from tests.builders.bots import ROGUES, ROOT, bot_folder
from tests.cli.terminals import arena_at_terminal

UP = "\x1b[A"
PROMPT = "human-0>"
MEOW = ("play", "meow", "human", "random", "random", "--seed", "3")


SHORT = {
    "meow": ("ranks=3", "hand=3", "rounds=1", "tokens=5,-3,2"),
    "jackal": ("round_cap=1",),
    "trio": ("turn_cap=3",),
    "lifeislife": ("round_cap=1", "turn_cap=4"),
}
"""Parameters of short matches."""


def last_moves(game_id: str, seats: int) -> list[str]:
    """Return the moves with which people play the last legal action in every seat of a match."""
    game = game_named(game_id)
    state = game.start(seats, seed_from(3), parameters_from(game, SHORT[game_id]))
    moves = []
    while not state.is_over:
        actions = state.legal_actions()
        if len(actions) > 1:
            moves.append(game.action_text(actions[-1]))
        state.apply(actions[-1])
    return moves


@pytest.mark.parametrize(
    ("game_id", "columns"),
    [
        ("meow", 80),
        ("jackal", 40),
        pytest.param("trio", 80, marks=pytest.mark.slow),
        pytest.param("lifeislife", 40, marks=pytest.mark.slow),
    ],
)
def test_people_finish_a_match_on_a_terminal_and_see_each_board_alone(
    game_id: str, columns: int, tmp_path: Path
) -> None:
    game = game_named(game_id)
    seats = game.seat_counts[0]
    moves = last_moves(game_id, seats)
    variant = [word for each in SHORT[game_id] for word in ("--variant", each)]
    words = ["play", game_id, *["human"] * seats, "--seed", "3", *variant]
    with arena_at_terminal(tmp_path, *words, columns=columns, rows=30) as terminal:
        for move in moves:
            terminal.wait_for_prompt(">", "Press Enter when")
            assert "you may" not in terminal.text
            (name,) = re.findall(r"It is (human-\d)'s turn", terminal.text)
            terminal.press("\r")
            terminal.wait_for_prompt(f"{name}>", "you may", game.title)
            assert all(len(line) <= columns for line in terminal.lines)
            terminal.press(f"{move}\r")
            terminal.wait_until_gone("you may")
        assert terminal.wait_for_end() == 0
        assert "place  seat  player" in terminal.text
        assert terminal.is_restored()


def test_a_line_is_edited_completed_recalled_and_explained(tmp_path: Path) -> None:
    with arena_at_terminal(tmp_path, *MEOW, rows=34) as terminal:
        terminal.wait_for_prompt(PROMPT, "1) P1   2) P11  3) P12", "Tab completes")
        terminal.press("p\r")
        terminal.wait_for_prompt(PROMPT, "'p' could be 3 moves.")
        terminal.press("dance\r")
        terminal.wait_for_prompt(PROMPT, "That is not a move: 'dance' is not a card")
        # ↑ twice brings back the first line.
        terminal.press(f"{UP}{UP}")
        terminal.wait_for_prompt(f"{PROMPT} p")
        terminal.press("\t")
        terminal.wait_for_prompt(f"{PROMPT} P1")
        terminal.press("\t")
        terminal.wait_for_prompt(f"{PROMPT} P11")
        terminal.press("\x15?\r")
        terminal.wait_for_prompt(PROMPT, HELP.splitlines()[0], "You may play one of P1 P11 P12")
        terminal.press("3\r")
        terminal.wait_for_prompt(PROMPT, "human-0 plays pink 12.", "played P12")
        # The board is redrawn in place: it is on the screen once.
        assert terminal.text.count("MEOW · standard · round") == 1
        assert terminal.text.count("human-0>") == 1


def test_the_moves_of_others_are_seen_while_a_bot_thinks(tmp_path: Path) -> None:
    # The sleeper never answers, so what is on the screen came while it was thinking.
    sleeper = str(bot_folder(tmp_path, "sleeper", ROGUES / "sleeper.py", "always"))
    words = ("play", "meow", "human", "random", sleeper, "--seed", "3", "--clock", "none")
    with arena_at_terminal(tmp_path, *words, "--cage", "none") as terminal:
        terminal.wait_for_prompt(PROMPT)
        terminal.press("P12\r")
        terminal.wait_for("human-0 plays pink 12.", "random-1 plays", "the others play …")
        terminal.wait_for("trick  human-0 P12  random-1 P14", "8 cards; played P12")
        assert "you may" not in terminal.text
        terminal.press("\x03")
        assert terminal.wait_for_end() == 1
        assert terminal.is_restored()


def test_ctrl_c_says_goodbye_and_how_to_get_the_same_cards(tmp_path: Path) -> None:
    with arena_at_terminal(tmp_path, *MEOW) as terminal:
        terminal.wait_for_prompt(PROMPT)
        terminal.press("P12\r")
        terminal.wait_for_prompt(PROMPT, "8 cards; played P12")
        terminal.press("\x03")
        assert terminal.wait_for_end() == 1
        assert terminal.is_restored()
        said = " ".join(terminal.text.split())
    assert "Goodbye: you left the table; the match does not count." in said
    assert "To play the same cards again, add --seed 3." in said


def test_sigterm_restores_the_terminal(tmp_path: Path) -> None:
    with arena_at_terminal(tmp_path, *MEOW) as terminal:
        terminal.wait_for("human-0>")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.wait_for_end() == 128 + signal.SIGTERM
        assert terminal.is_restored()


def test_a_board_that_is_too_high_scrolls_and_the_choices_stay(tmp_path: Path) -> None:
    words = ("play", "trio", *["human"], *["random"] * 5, "--seed", "1")
    with arena_at_terminal(tmp_path, *words, rows=18) as terminal:
        terminal.wait_for("more lines", "you may choose one of these:", "human-0>")
        assert "Trio · simple" in terminal.text
        assert "your hand" in terminal.text
        for _ in range(6):
            terminal.press("\x1b[6~")
        terminal.wait_for("now", "your hand", "you may choose one of these:")


def test_what_only_people_need_is_imported_only_for_them() -> None:
    program = (
        "import sys; from arena.cli import main\n"
        "main(sys.argv[1:], standalone_mode=False)\n"
        "sys.exit('prompt_toolkit' in sys.modules)"
    )
    words = [sys.executable, "-c", program, "play", "meow", "random", "random"]
    assert subprocess.run(words, cwd=ROOT, stdout=subprocess.DEVNULL).returncode == 0

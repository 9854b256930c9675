"""A person plays on a terminal: a board in place, line editing, Tab, help and a goodbye."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.cli.play.person import HELP
from arena.games.randomness import seed_from
from arena.games.registry import game_named
from tests.builders.bots import ROGUES, ROOT, bot_folder
from tests.cli.runner import arena
from tests.cli.terminals import arena_at_terminal

UP = "\x1b[A"
PROMPT = "human-0>"
MEOW = ("play", "meow", "human", "random", "random", "--seed", "3")


def last_moves(game_id: str, seats: int) -> list[str]:
    """Return the moves with which people play the last legal action in every seat of a match."""
    game = game_named(game_id)
    state = game.start(seats, seed_from(3))
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
    words = ["play", game_id, *["human"] * seats, "--seed", "3", "--moves", ",".join(moves[:-2])]
    with arena_at_terminal(tmp_path, *words, columns=columns, rows=30) as terminal:
        for move in moves[-2:]:
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


def test_ctrl_c_says_goodbye_and_the_command_that_goes_on(tmp_path: Path) -> None:
    with arena_at_terminal(tmp_path, *MEOW) as terminal:
        terminal.wait_for_prompt(PROMPT)
        terminal.press("P12\r")
        terminal.wait_for_prompt(PROMPT, "8 cards; played P12")
        terminal.press("1\r")
        terminal.wait_for_prompt(PROMPT, "7 cards; played")
        terminal.press("\x03")
        assert terminal.wait_for_end() == 1
        assert terminal.is_restored()
        assert "Goodbye: you left the table; the match does not count." in terminal.text
        said = " ".join(terminal.text.partition("To continue it, run:")[2].split())
    words = shlex.split(said.partition("$")[0])
    assert words[1:-1] == [*MEOW, "--moves"]
    played = words[-1].split(",")
    assert played[0] == "P12"
    assert len(played) == 2
    again = arena(*words[1:], typed="")
    assert "MEOW · standard · round 1 of 3" in again.stdout
    assert again.stdout.count("you may") == 1
    assert "human-0 plays pink 12." in again.stdout


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
        for _ in range(6):
            terminal.press("\x1b[6~")
        terminal.wait_for("now", "you may choose one of these:")


def test_a_move_that_was_given_and_is_not_legal_leaves_the_rest_to_the_person() -> None:
    result = arena(*MEOW, "--moves", "P12,dance,P1", typed="quit\n")
    assert "--moves: That is not a move: 'dance' is not a card" in result.stdout
    assert "you may" in result.stdout
    assert result.stderr.rstrip().endswith("--seed 3 --moves P12")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ((), ()),
        (("--variant", "expert", "--clock", "5+1"), ("--variant", "expert", "--clock", "5+1")),
        (("--limit", "cpu_s=9", "--cage", "none"), ("--cage", "none", "--limit", "cpu_s=9")),
        (("--save", "a b", "--hide-output"), ("--save", "a b", "--hide-output")),
    ],
)
def test_the_command_that_goes_on_keeps_the_options(
    more: Sequence[str], words: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = arena(*MEOW[:-2], *more, typed="quit\n")
    assert "To start it again, run:" in result.stderr
    printed = shlex.split(result.stderr.splitlines()[-1])
    assert printed[1:6] == list(MEOW[:-2])
    assert sorted(printed[6:-2]) == sorted(words)
    assert printed[-2] == "--secret"


def test_what_only_people_need_is_imported_only_for_them() -> None:
    program = (
        "import sys; from arena.cli import main\n"
        "main(sys.argv[1:], standalone_mode=False)\n"
        "sys.exit('prompt_toolkit' in sys.modules)"
    )
    words = [sys.executable, "-c", program, "play", "meow", "random", "random"]
    assert subprocess.run(words, cwd=ROOT, stdout=subprocess.DEVNULL).returncode == 0

"""The command `arena play`: people at the terminal, and a clear message for every mistake."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.cli.drawing import drawing_of
from arena.games.conformance import settings_of
from arena.games.randomness import seed_from
from arena.games.registry import GAME_IDS, all_games, game_named, parameters_from
from tests.builders.bots import HONEST, ROGUE, bot_folder
from tests.check.test_check import write_program
from tests.cli.runner import arena, printed, refused


@pytest.mark.parametrize(
    ("game_id", "variant", "seats"),
    [
        (game.id, variant, game.seats_for(parameters)[0])
        for game in all_games()
        for variant, parameters in game.variants.items()
    ],
)
def test_a_match_of_random_players_is_narrated_and_ends_with_a_placing(
    game_id: str, variant: str, seats: int
) -> None:
    result = printed(
        arena("play", game_id, *["random"] * seats, "--seed", "1", "--variant", variant)
    )
    account, placing = result.split("\nplace  seat  player")
    assert len(account.splitlines()) > 10
    _, *rows = placing.splitlines()
    assert all("random-" in row for row in rows[:seats])
    assert rows[seats] == ""
    assert ", seed 1, " in rows[-1]


def test_a_match_without_a_clock_says_so_in_its_replay(tmp_path: Path) -> None:
    path = tmp_path / "match.replay"
    words = ("random", "random", "--seed", "1", "--clock", "none", "--save", path)
    assert arena("play", "meow", *words).exit_code == 0
    assert json.loads(arena("replay", "export", path).stdout)["clock"] == "none"


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_json_is_one_document_from_which_the_match_can_be_replayed(game_id: str) -> None:
    result = arena("play", game_id, "random", "random", "random", "--seed", "2", "--json")
    (document,) = json.loads(result.stdout)["matches"]
    steps = [document["start"], *document["decisions"]]
    game = game_named(game_id)
    state = game.start(3, seed_from(2), recording=True)
    assert document["parameters"] == game.settings(game.default_parameters)
    for decision in document["decisions"]:
        assert decision["seat"] == state.to_act
        forced = len(state.legal_actions()) == 1
        assert decision["how"] == ("forced" if forced else "chosen")
        state.apply(game.parse_action(decision["action"]))
    told = [event["text"] for step in steps for event in step["events"]]
    assert [game.event_form.show(event) for event in state.events] == told
    assert list(state.outcome().places) == document["outcome"]["places"]


def typed_input(game_id: str, seats: int, variant: str, seed: int) -> str:
    """Return the input with which a person plays the last legal action in every seat of a match."""
    game = game_named(game_id)
    state = game.start(seats, seed_from(seed), parameters_from(game, [variant]))
    lines = []
    while not state.is_over:
        actions = state.legal_actions()
        if len(actions) > 1:
            lines.append(game.action_text(actions[-1]))
        state.apply(actions[-1])
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "setting",
    [
        pytest.param(
            setting,
            # The first variant of each game is played in the short tests.
            marks=[] if setting.variant == next(iter(game.variants)) else [pytest.mark.slow],
        )
        for game in all_games()
        for setting in settings_of(game)
        if setting.seats == game.seats_for(game.variants[setting.variant])[0]
    ],
    ids=str,
)
def test_people_can_play_a_whole_match_by_typing(setting: Any) -> None:
    typed = typed_input(setting.game.id, setting.seats, setting.variant, seed=3)
    people = ["human"] * setting.seats
    result = arena(
        "play", setting.game.id, *people, "--seed", "3", "--variant", setting.variant, typed=typed
    )
    assert result.exit_code == 0, result.stdout[-2000:] + result.stderr
    assert "place  seat  player" in result.stdout
    assert "That is not a move" not in result.stdout


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_person_sees_the_same_for_every_state_that_fits_the_view(game_id: str) -> None:
    game = game_named(game_id)
    drawing = drawing_of(game)
    rng = Random(1)
    state = game.start(4, seed_from(1), recording=True)
    for _ in range(40):
        if state.is_over:
            break
        seat = state.to_act
        other = game.redeal(state, seat, rng)
        mine, theirs = game.view_of(state, seat), game.view_of(other, seat)
        assert drawing.draw(mine) == drawing.draw(theirs)
        assert drawing.choices(mine) == drawing.choices(theirs)
        state.apply(state.random_action(rng))


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("help\n", "show all public events so far"),
        ("log\n", "Round 1 is played for"),
        ("dance\n", "That is not a move: 'dance' is not a card: such as P1, P2, P3"),
        ("\n", "human-0> human-0> "),
        ("p99\n", "That is not a move: 'p99' is not a card"),
        ("  G18   extra \n", "That is not a move"),
    ],
)
def test_every_typed_line_gets_an_answer(typed: str, answer: str) -> None:
    result = arena("play", "meow", "human", "random", "--seed", "1", typed=typed)
    assert answer in result.stdout


def test_input_that_is_not_valid_utf8_is_not_a_move() -> None:
    words = [sys.executable, "-m", "arena", "play", "meow", "human", "random", "--seed", "1"]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(words, input=b"\xff\nquit\n", capture_output=True, env=environment)
    assert done.returncode == 1
    assert "That is not a move: '\ufffd' is not a card" in done.stdout.decode()
    assert "you left the table" in done.stderr.decode()


def test_an_illegal_move_is_explained_and_the_player_is_asked_again() -> None:
    game = game_named("meow")
    state = game.start(2, seed_from(1))
    foreign = game.action_text(next(c for c in range(54) if not state.is_legal(c)))
    result = arena("play", "meow", "human", "random", "--seed", "1", typed=f"{foreign}\nquit\n")
    assert (
        f"Illegal move: seat 0 may not play {foreign}: the card is not in its hand."
        in result.stdout
    )
    assert result.stdout.count("human-0> ") == 2


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [("quit\n", "you left the table"), ("", "the input ended before the match")],
)
def test_leaving_the_table_is_reported_and_exits_with_1(typed: str, sentence: str) -> None:
    result = arena("play", "meow", "human", "random", typed=typed)
    assert result.exit_code == 1
    assert sentence in result.stderr
    assert "Traceback" not in result.output


def test_with_json_everything_else_goes_to_stderr() -> None:
    typed = typed_input("meow", 2, "standard", seed=3)
    result = arena("play", "meow", "human", "human", "--seed", "3", "--json", typed=typed)
    (match,) = json.loads(result.stdout)["matches"]
    assert [player["name"] for player in match["players"]] == ["human-0", "human-1"]
    assert "MEOW · standard · round 1 of 3" in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("play", "meow", "random"), "meow cannot seat 1: it takes 2, 3, 4, 5, 6 players here"),
        (("play", "meow", "random", "robot"), "no such bot: 'robot'; choose from"),
        (("play", "meow", "random", "x.py"), "no such file: x.py"),
        (("play", "meow", "random", "random", "--clock", "soon"), "is not BANK+INC in seconds"),
        (("play", "meow", "random", "random", "--clock", "0"), "leaves no time to think"),
        (("play", "meow", "human", "random", "--tables", "2"), "only one match at a time"),
        (("play", "meow", "random", "random", "--variant", "expert=2"), "neither yes nor no"),
        (
            ("play", "meow", "random", "random", "--variant", "tokens=1"),
            "1 given, but 3 rounds of 9",
        ),
        (("play", "meow", "random", "random", "--seed", "-1"), "--seed"),
        (("play", "meow", "random", "random", "--limit", "x=1"), "unknown limit 'x'"),
        (("play", "trio", *["random"] * 5, "--variant", "teams=yes"), "trio cannot seat 5"),
    ],
)
def test_a_usage_error_exits_with_2_and_a_message(words: tuple[str, ...], message: str) -> None:
    assert message in refused(arena(*words))


def test_games_lists_every_game_and_variant() -> None:
    text = arena("games").stdout
    for game in all_games():
        assert game.title in text
        assert all(f"variant {name}" in text for name in game.variants)
    assert [game["id"] for game in json.loads(arena("games", "--json").stdout)] == list(GAME_IDS)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_rules_shows_the_numbered_rules(game_id: str) -> None:
    text = arena("rules", game_id).stdout
    assert "\n1. " in text


def test_bots_of_every_kind_can_play_at_one_table(tmp_path: Path) -> None:
    folder = bot_folder(tmp_path, "folder", HONEST)
    command_line = shlex.join([sys.executable, str(HONEST)])
    players = (folder, HONEST, command_line, "random", "greedy-meow")
    words = ("play", "meow", *players, "--seed", "3")
    result = arena(*words)
    assert (
        result.exit_code,
        "its files are unknown, so it cannot run in a cage" in result.stderr,
    ) == (2, True)
    result = arena(*words, "--cage", "none")
    assert result.exit_code == 0
    assert result.stderr.startswith("warning: no cage")
    assert "folder-0" in result.stdout
    assert "honest-1" in result.stdout
    assert "random-3" in result.stdout
    assert "greedy-meow-4" in result.stdout


def test_a_match_without_a_cage_is_marked(tmp_path: Path) -> None:
    saved = str(tmp_path / "match.replay")
    words = ("play", "meow", HONEST, "random", "--seed", "3", "--save", saved)
    titles = []
    for cage in ("auto", "none"):
        assert arena(*words, "--cage", cage).exit_code == 0
        titles.append(arena("replay", "show", saved).stdout.splitlines()[0])
    assert titles[1].endswith(" (played without a cage)")
    assert titles[0] != titles[1]


def test_a_saved_match_can_be_verified_and_shown(tmp_path: Path) -> None:
    saved = tmp_path / "new" / "match.replay"
    played = printed(arena("play", "meow", HONEST, "random", "--seed", "3", "--save", str(saved)))
    assert arena("replay", "verify", str(saved)).exit_code == 0
    shown = arena("replay", "show", str(saved)).stdout
    assert played.splitlines()[-3] in shown


def test_many_matches_are_saved_into_a_folder(tmp_path: Path) -> None:
    arena("play", "meow", HONEST, "random", "--tables", "3", "--save", str(tmp_path / "all"))
    saved = sorted((tmp_path / "all").iterdir())
    assert [path.name for path in saved] == ["0000.replay", "0001.replay", "0002.replay"]
    assert arena("replay", "verify", *map(str, saved)).exit_code == 0


def test_a_full_disk_is_reported(tmp_path: Path) -> None:
    full = tmp_path / "match.replay"
    full.symlink_to("/dev/full")
    result = refused(arena("play", "meow", "random", "random", "--save", str(full)))
    assert f"--save: cannot write {full}: No space left on device" in result


def test_a_path_that_cannot_be_written_is_refused_before_the_match(tmp_path: Path) -> None:
    result = refused(arena("play", "meow", "random", "random", "--save", str(tmp_path)))
    assert "is a folder; give the name of a file" in result


def test_a_fault_is_reported_once_for_all_matches_with_the_bots_output(tmp_path: Path) -> None:
    rogue = bot_folder(tmp_path, "rogue", ROGUE, "crash")
    result = arena("play", "meow", HONEST, rogue, "--seed", "1", "--tables", "4")
    assert result.exit_code == 0
    assert result.stderr.count("crashed") == 1
    assert "it ended with exit code 3" in result.stderr
    assert "    I cannot go on" in result.stderr


def test_a_bot_cannot_be_entered_in_a_game_that_it_does_not_play(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(
        f'name = "picky"\ngames = ["trio", "meow"]\ncommand = ["python", "{HONEST}"]\n'
    )
    result = refused(arena("play", "jackal", str(tmp_path), "random"))
    assert "picky does not play jackal: only trio, meow" in result


def test_a_fault_is_followed_by_what_its_author_can_do(tmp_path: Path) -> None:
    word = write_program(tmp_path, "import socket; socket.getaddrinfo('example.com', 80)")
    result = arena("play", "meow", word, "random", "--seed", "1")
    assert (
        "    a bot in a cage has no network: keep what it needs in its own folder" in result.stderr
    )
    assert "Traceback" not in result.stderr

"""A word names the same bot in every command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.submission.lookup import house_bots
from tests.builders.bots import HONEST, bot_folder
from tests.builders.leagues import submit_folders
from tests.cages import cage
from tests.cli.runner import arena, printed, refused

CAGE = ("--cage", cage().name)
MATCH = "match.replay"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a replay, and a league that has one bot, `kitten@1`."""
    kitten = bot_folder(tmp_path / "elsewhere", "kitten", HONEST)
    monkeypatch.chdir(tmp_path)
    submit_folders(Path("arena.db"), kitten)
    arena("play", "meow", "random", "random", "--seed", "1", "--save", MATCH)
    return tmp_path


def commands(word: str) -> dict[str, tuple[str, ...]]:
    """Return the shortest call of each command that takes a bot."""
    return {
        "play": ("play", "meow", word, "random", *CAGE),
        "check": ("check", word, "--game", "meow", *CAGE),
        "compare": (
            "compare",
            word,
            "random",
            "--game",
            "meow",
            "--deals",
            "1",
            "--jobs",
            "1",
            *CAGE,
        ),
        "reproduce": ("reproduce", MATCH, "--seat", "0", "--bot", word, *CAGE),
    }


@pytest.mark.parametrize(
    ("command", "word"),
    [*((command, "kitten") for command in commands("")), ("play", "kitten@1"), ("play", "first")],
)
def test_a_bot_is_found_despite_a_folder_of_that_name_without_a_bot(
    folder: Path, command: str, word: str
) -> None:
    (folder / word.partition("@")[0]).mkdir()
    done = arena(*commands(word)[command])
    # A comparison of one deal finds no difference that is certain.
    assert done.exit_code == (3 if command == "compare" else 0), done.output


@pytest.mark.parametrize("command", commands(""))
def test_the_help_gives_the_order_in_which_bots_are_looked_up(command: str) -> None:
    help_text = " ".join(arena(command, "--help").stdout.split())
    order = ["a folder with a bot.toml", "a .py file", "a house bot", "a bot of the league"]
    if command == "reproduce":
        help_text = help_text.partition("--bot")[2]
    positions = [help_text.index(words) for words in order]
    assert positions == sorted(positions)


def test_a_command_that_needs_no_league_does_not_open_one(folder: Path) -> None:
    Path("arena.db").write_text("not a league", encoding="utf-8")
    result = printed(arena("play", "meow", "first", "random", *CAGE, "--json"))
    (match,) = json.loads(result)["matches"]
    assert [player["name"] for player in match["players"]] == ["first-0", "random-1"]
    assert "first" in house_bots()
    assert "arena.db" in refused(arena("play", "meow", "kitten", "random", *CAGE))

"""A new bot plays at once, and its README is correct."""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main, new
from arena.games.registry import GAME_IDS, game_named
from arena.wire.v1.match_pb2 import View
from tests.bots.test_javascript import ROOT

# The fixture installs the packages of a JavaScript bot, or skips with the reason it cannot.
from tests.bots.test_javascript import folder as installed  # noqa: F401

LANGUAGES = ("python", "javascript", "cpp", "go")
PREPARATIONS = {"javascript": "npm install --prefix", "cpp": "make -C", "go": "make -C"}
every_game = pytest.mark.parametrize("game_id", GAME_IDS)
one_game = pytest.mark.parametrize(
    "game_id",
    [each if each == "meow" else pytest.param(each, marks=pytest.mark.slow) for each in GAME_IDS],
)
"""For long tests: the other games are slow ones."""
every_language = pytest.mark.parametrize("language", LANGUAGES)


files_of = cache(new.files_of)


def new_bot(folder: Path, game_id: str = "meow", language: str = "python") -> Result:
    """Make a bot as a user would."""
    words = ["new", str(folder), "--game", game_id, "--language", language]
    return CliRunner().invoke(main, words)


def check(folder: Path) -> Result:
    """Check a bot as a user would."""
    return CliRunner().invoke(main, ["check", str(folder)])


@one_game
def test_a_new_bot_in_python_passes_the_check_and_its_own_test(
    game_id: str, tmp_path: Path
) -> None:
    folder = tmp_path / "kitten"
    assert new_bot(folder, game_id).exit_code == 0
    result = check(folder)
    assert result.exit_code == 0, result.output
    (command,) = re.findall(r"^\$ python (.+?) +#", (folder / "README.md").read_text("utf-8"), re.M)
    words = [sys.executable, *command.split()]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Ran 2 tests" in done.stderr


@pytest.mark.slow
def test_its_test_runs_with_pytest_too_and_needs_it_for_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "kitten"
    new_bot(folder)
    assert "pytest" not in (folder / "test_bot.py").read_text("utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "kitten"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@every_game
def test_a_new_bot_in_javascript_passes_the_check(
    game_id: str,
    tmp_path: Path,
    installed: Path,  # noqa: F811
) -> None:
    folder = tmp_path / "kitten"
    assert new_bot(folder, game_id, "javascript").exit_code == 0
    shutil.copytree(installed / "node_modules", folder / "node_modules", symlinks=True)
    result = check(folder)
    assert result.exit_code == 0, result.output


def test_its_test_detects_a_bot_that_plays_illegal_actions(tmp_path: Path) -> None:
    folder = tmp_path / "kitten"
    new_bot(folder)
    program = folder / "bot.py"
    every = "map(Card, range(54))"
    broken = program.read_text("utf-8").replace("GAME.legal_actions(view)", every)
    program.write_text(broken, encoding="utf-8")
    command = [sys.executable, "-m", "unittest", "discover", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    # The position is drawn below it.
    assert re.search(
        r"AssertionError: \w+ is not one of \[.*\]:\nMEOW · standard · round 1 of 3", done.stderr
    )


@every_game
@every_language
def test_lines_are_marked_every_placeholder_is_filled_in_and_the_readme_fits_a_screen(
    game_id: str, language: str
) -> None:
    files = files_of("kitten", game_named(game_id), language)
    programs = ("bot.py", "bot.js", "bot.cpp", "bot.go")
    (program,) = [text for name, text in files.items() if name in programs]
    marks = ["1 ", "2 ", "3 "] if language == "python" else [""]
    assert re.findall(r"(?:# |// )(\d |)change me: ", program) == marks
    assert not [name for name, text in files.items() if "{{" in text]
    assert len(files["README.md"].splitlines()) <= 40


@every_game
def test_the_readme_names_fields_that_a_view_has(game_id: str) -> None:
    readme = files_of("kitten", game_named(game_id), "python")["README.md"]
    view = import_module(f"arena.games.{game_id}.view").View
    fields = re.findall(r"`view\.(\w+)`", readme)
    assert len(fields) > 7
    assert [field for field in fields if not hasattr(view, field)] == []


@every_game
def test_the_readme_of_a_compiled_bot_names_the_message_of_its_game(game_id: str) -> None:
    field = View.DESCRIPTOR.fields_by_name[game_id]
    names = {"cpp": f"{field.name}()", "go": f"Get{camel_case(field.name)}()"}
    for language, name in names.items():
        readme = files_of("kitten", game_named(game_id), language)["README.md"]
        assert f"`view.{name}`" in readme


def camel_case(name: str) -> str:
    """Write a field's name as Go does."""
    return "".join(part.capitalize() for part in name.split("_"))


@pytest.mark.parametrize("language", ["javascript", "cpp", "go"])
def test_the_protos_in_a_new_bot_are_up_to_date(language: str) -> None:
    files = files_of("kitten", game_named("meow"), language)
    copied = {name: text for name, text in files.items() if name.endswith(".proto")}
    ours = {
        str(path.relative_to(ROOT)): path.read_text("utf-8")
        for path in (ROOT / "protos").rglob("*.proto")
    }
    assert copied == ours


@every_language
def test_the_first_commands_to_type_are_printed(language: str, tmp_path: Path) -> None:
    output = new_bot(tmp_path / "kitten", language=language).output
    assert f"arena check {tmp_path / 'kitten'}" in output
    printed = [command for command in set(PREPARATIONS.values()) if command in output]
    assert printed == ([PREPARATIONS[language]] if language in PREPARATIONS else [])


def test_a_bot_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "arena", "new", str(tmp_path / "kitten"), "--game", "meow"]
    limit = (300, 300)
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
    )
    assert done.returncode == 2
    assert done.stderr == f"Error: cannot create {tmp_path / 'kitten'}: File too large\n"
    assert list(tmp_path.iterdir()) == []


def test_an_existing_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "kitten").mkdir()
    result = new_bot(tmp_path / "kitten")
    assert result.exit_code == 2
    assert "already exists" in result.output
    assert list((tmp_path / "kitten").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "game_id", "sentence"),
    [
        ("_kitten", "meow", "starting with a letter or digit"),
        ("k" * 41, "meow", "1 to 40 letters"),
        ("random", "meow", "house bot"),
        ("kitten", "meo", "did you mean meow?"),
        ("no/such/kitten", "meow", "cannot create"),
    ],
)
def test_a_usage_error_is_explained_and_nothing_is_created(
    name: str, game_id: str, sentence: str, tmp_path: Path
) -> None:
    result = new_bot(tmp_path / name, game_id)
    assert result.exit_code == 2
    assert sentence in result.output
    assert list(tmp_path.iterdir()) == []

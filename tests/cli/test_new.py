"""Does a new bot already play, and does its folder tell the truth?"""

from __future__ import annotations

import json
import re
import resource
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.cli.new import files_of
from arena.games.registry import GAME_IDS, game_named
from arena.wire.v1.match_pb2 import View
from tests.bots.test_javascript import ROOT, SOURCE

# The fixture installs the packages of a bot in JavaScript, or says why that cannot be done here.
from tests.bots.test_javascript import folder as installed  # noqa: F401

LANGUAGES = ("python", "javascript")
every_game = pytest.mark.parametrize("game_id", GAME_IDS)
every_language = pytest.mark.parametrize("language", LANGUAGES)


def new(folder: Path, game_id: str = "meow", language: str = "python") -> Result:
    """Make a bot as a user would."""
    words = ["new", str(folder), "--game", game_id, "--language", language]
    return CliRunner().invoke(main, words)


def checked(folder: Path) -> Result:
    """Check a bot as a user would."""
    return CliRunner().invoke(main, ["check", str(folder)])


@every_game
def test_a_new_bot_in_python_passes_the_check_and_its_own_test(
    game_id: str, tmp_path: Path
) -> None:
    folder = tmp_path / "kitten"
    assert new(folder, game_id).exit_code == 0
    result = checked(folder)
    assert result.exit_code == 0, result.output
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "kitten"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@every_game
def test_a_new_bot_in_javascript_passes_the_check_and_its_own_test(
    game_id: str,
    tmp_path: Path,
    installed: Path,  # noqa: F811
) -> None:
    folder = tmp_path / "kitten"
    assert new(folder, game_id, "javascript").exit_code == 0
    own = subprocess.run(["npm", "test"], cwd=folder, capture_output=True, text=True)
    assert own.returncode == 0, own.stdout
    shutil.copytree(installed / "node_modules", folder / "node_modules", symlinks=True)
    result = checked(folder)
    assert result.exit_code == 0, result.output


def test_a_test_notices_a_bot_that_plays_what_is_not_legal(tmp_path: Path) -> None:
    folder = tmp_path / "kitten"
    new(folder)
    program = folder / "bot.py"
    broken = program.read_text("utf-8").replace("self.legal_actions(view)", "range(54)")
    program.write_text(broken, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    assert subprocess.run(command, capture_output=True).returncode == 1


@every_game
@every_language
def test_three_lines_are_marked(game_id: str, language: str) -> None:
    files = files_of("kitten", game_named(game_id), language)
    (program,) = [text for name, text in files.items() if name in ("bot.py", "bot.js")]
    assert re.findall(r"(\d) change me: ", program) == ["1", "2", "3"]


@every_game
@every_language
def test_every_blank_is_filled_in_and_the_readme_fits_a_screen(game_id: str, language: str) -> None:
    files = files_of("kitten", game_named(game_id), language)
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
def test_the_readme_for_javascript_names_fields_that_travel(game_id: str) -> None:
    readme = files_of("kitten", game_named(game_id), "javascript")["README.md"]
    travelling = View.DESCRIPTOR.fields_by_name[game_id].message_type
    assert travelling is not None
    fields = re.findall(r"`view\.(\w+)`", readme)
    assert len(fields) > 5
    assert [field for field in fields if field not in travelling.fields_by_name] == []


def test_the_protos_that_come_along_are_fresh() -> None:
    files = files_of("kitten", game_named("meow"), "javascript")
    copied = {name: text for name, text in files.items() if name.endswith(".proto")}
    ours = {
        str(path.relative_to(ROOT)): path.read_text("utf-8")
        for path in (ROOT / "protos").rglob("*.proto")
    }
    assert copied == ours


def test_the_packages_are_those_of_the_example() -> None:
    files = files_of("kitten", game_named("meow"), "javascript")
    texts = [files["package-lock.json"], (SOURCE / "package-lock.json").read_text("utf-8")]
    ours, theirs = (json.loads(text)["packages"] for text in texts)
    assert ours.pop("")["dependencies"] == theirs.pop("")["dependencies"]
    assert ours == theirs


@every_language
def test_what_to_type_first_is_said(language: str, tmp_path: Path) -> None:
    said = new(tmp_path / "kitten", language=language).output
    assert f"arena check {tmp_path / 'kitten'}" in said
    assert ("npm ci" in said) == (language == "javascript")


def test_of_a_bot_that_cannot_be_written_nothing_is_left(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "arena", "new", str(tmp_path / "kitten"), "--game", "meow"]
    limit = (300, 300)
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
    )
    assert done.returncode == 2
    assert done.stderr == f"Error: {tmp_path / 'kitten'} cannot be made: File too large\n"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "kitten").mkdir()
    result = new(tmp_path / "kitten")
    assert result.exit_code == 2
    assert "is there already" in result.output
    assert list((tmp_path / "kitten").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "game_id", "sentence"),
    [
        ("_kitten", "meow", "a letter or digit first"),
        ("k" * 41, "meow", "1 to 40 letters"),
        ("random", "meow", "house bot"),
        ("kitten", "meo", "did you mean meow?"),
        ("no/such/kitten", "meow", "cannot be made"),
    ],
)
def test_a_mistake_is_met_with_a_sentence_and_nothing_is_made(
    name: str, game_id: str, sentence: str, tmp_path: Path
) -> None:
    result = new(tmp_path / name, game_id)
    assert result.exit_code == 2
    assert sentence in result.output
    assert list(tmp_path.iterdir()) == []

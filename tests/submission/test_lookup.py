"""A word names the same bot wherever it is looked up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.errors import ArenaError, UnknownName
from arena.games.registry import EVERY_GAME
from arena.submission.lookup import find_bot, find_entrant, house_bots
from arena.submission.manifest import Manifest


class OneBot:
    """A league with one bot, which has two versions."""

    def names(self) -> list[str]:
        """Return its name."""
        return ["kitten"]

    def find(self, word: str) -> str:
        """Return a placeholder for a version."""
        if word not in ("kitten", "kitten@1", "kitten@2"):
            raise UnknownName(f"kitten has no version {word[7:]!r}")
        return f"{word} of the league"


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make_bot_folder(path: Path, name: str) -> Path:
    """Make the folder of a bot."""
    path.mkdir()
    text = f'name = "{name}"\ngames = ["meow"]\ncommand = ["python", "bot.py"]\n'
    (path / "bot.toml").write_text(text, encoding="utf-8")
    return path.resolve()


def test_a_bare_python_file_is_a_bot(tmp_path: Path) -> None:
    program = tmp_path / "my bot!.py"
    program.touch()
    bot = find_bot(str(program))
    assert (bot.command, bot.only) == (("python", "my bot!.py"), ("my bot!.py",))
    assert (bot.name, bot.games, bot.folder) == ("my-bot-", (EVERY_GAME,), tmp_path.resolve())


def test_a_python_file_is_not_taken_for_an_option(tmp_path: Path) -> None:
    (tmp_path / "-v.py").touch()
    bot = find_bot(str(tmp_path / "-v.py"))
    assert (bot.name, bot.command, bot.only) == ("v", ("python", "./-v.py"), ("-v.py",))


@pytest.mark.parametrize(
    ("word", "arguments"),
    [
        ("python bot.py", ("bot.py",)),
        ("python3 -m kitten --mood 'very calm'", ("-m", "kitten", "--mood", "very calm")),
        (f"python -c {'x' * 5000}", ("-c", "x" * 5000)),
    ],
    ids=["ending in .py", "with quotes", "longer than a file name may be"],
)
def test_a_command_line_in_quotes_is_a_bot(word: str, arguments: tuple[str, ...]) -> None:
    bot = find_bot(word)
    assert bot.command == (word.split()[0], *arguments)
    assert bot.is_command_line
    assert (bot.name, bot.games, bot.folder) == (word.split()[0], (EVERY_GAME,), Path.cwd())


def test_a_folder_takes_precedence_over_a_house_bot_and_the_league(workspace: Path) -> None:
    for name in ("first", "kitten"):
        bot_folder = make_bot_folder(workspace / name, name)
        bot = find_bot(name, OneBot())
        assert isinstance(bot, Manifest)
        assert bot.folder == bot_folder


def test_a_folder_without_a_manifest_hides_no_bot(workspace: Path) -> None:
    (workspace / "first").mkdir()
    (workspace / "kitten").mkdir()
    house = find_bot("first", OneBot())
    assert isinstance(house, Manifest)
    assert house.folder == house_bots()["first"]
    assert find_bot("kitten", OneBot()) == "kitten of the league"


@pytest.mark.parametrize("word", ["kitten", "kitten@1"])
def test_the_league_takes_precedence_over_a_command_line(word: str) -> None:
    assert find_bot(word, OneBot()) == f"{word} of the league"


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("", "a bot's name or path cannot be empty"),
        ("  ", "a bot's name or path cannot be empty"),
        ("python 'bot.py", "is not a command line: No closing quotation"),
        ("no-such-program x", "no such bot: 'no-such-program x'; choose from"),
        ("kiten", "no such bot: 'kiten'; did you mean kitten?"),
        ("frist", "no such bot: 'frist'; did you mean first?"),
        ("kitten@3", "kitten has no version '3'"),
        ("first@1", "first is a house bot that has not played in this league yet"),
        ("empty", "no such bot: the folder empty has no bot.toml"),
        ("./empty", "empty is not a bot: it has no bot.toml"),
        ("nobody.py", "no such file: nobody.py"),
    ],
)
def test_a_word_that_names_no_bot_is_refused(workspace: Path, word: str, sentence: str) -> None:
    (workspace / "empty").mkdir()
    with pytest.raises(ArenaError, match=re.escape(sentence)) as caught:
        find_bot(word, OneBot())
    assert caught.value.exit_code == 2


def test_without_a_league_its_bots_are_unknown() -> None:
    with pytest.raises(UnknownName, match="no such bot: 'kitten'"):
        find_bot("kitten")


@pytest.mark.parametrize("word", ["kitten", "kitten@2"])
def test_an_event_plays_the_submitted_version_and_not_a_folder_of_that_name(
    workspace: Path, word: str
) -> None:
    make_bot_folder(workspace / "kitten", "kitten")
    assert find_entrant(word, OneBot(), ["first"]) == f"{word} of the league"
    assert find_entrant("first", OneBot(), ["first"]) == "first"


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("my cat", "my cat is not in the league yet: run `arena submit 'my cat'` first"),
        ("cat.py", "put it into a folder with a bot.toml, and run `arena submit FOLDER`"),
        ("kiten", "no such bot: 'kiten'; did you mean kitten?"),
        ("first@1", "first is a house bot that has not played in this league yet"),
    ],
)
def test_an_event_says_how_a_bot_gets_into_the_league(
    workspace: Path, word: str, sentence: str
) -> None:
    make_bot_folder(workspace / "my cat", "cat")
    (workspace / "cat.py").touch()
    with pytest.raises(UnknownName, match=re.escape(sentence)):
        find_entrant(word, OneBot(), ["first"])

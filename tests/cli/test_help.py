"""Is every command explained, and does it keep its word?"""

from __future__ import annotations

import re
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from inspect import cleandoc
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from arena import __version__
from arena.cli import COMMANDS, main
from arena.cli.db import now, writing
from arena.events.holding import start
from arena.events.spec import Kind, Spec
from tests.cli.commands import arena
from tests.cli.leagues import small_league
from tests.events.folders import ROGUE, bot_folder

ROOT = Path(__file__).parents[2]
READMES = [path for path in ROOT.rglob("README.md") if "node_modules" not in path.parts]

NOT_RUN = {
    "demo": "it takes a minute: test_demo.py runs it with fewer deals",
    "event watch": "it needs an event that runs meanwhile: test_watch_event.py has one",
}


def all_commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command with what is typed for it, those of a group after it."""
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command
        yield name, command
        if isinstance(command, click.Group):
            for word, inner in command.commands.items():
                yield f"{name} {word}", inner


BY_WORDS = dict(all_commands())


def help_of(command: click.Command) -> str:
    """Return the text of a command's help as its source has it."""
    assert command.help
    return cleandoc(command.help)


def example_of(command: click.Command) -> list[str]:
    """Return the words of a command's example."""
    (example,) = re.findall(r"\n\nExample: arena (.+)\Z", help_of(command))
    return shlex.split(example)


@pytest.mark.parametrize("words", BY_WORDS)
def test_a_help_is_one_line_of_what_then_the_rest_then_one_example(words: str) -> None:
    first, blank, *_ = help_of(BY_WORDS[words]).splitlines()
    assert re.fullmatch(r"[A-Z].{10,64}\.", first)
    assert blank == ""
    assert example_of(BY_WORDS[words])[: len(words.split())] == words.split()
    assert first in arena(*words.split(), "--help").output


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(name: str) -> None:
    _, what = COMMANDS[name]
    assert help_of(BY_WORDS[name]).splitlines()[0] == what


@pytest.mark.parametrize("words", BY_WORDS)
def test_every_option_is_explained(words: str) -> None:
    options = [each for each in BY_WORDS[words].params if isinstance(each, click.Option)]
    assert [option.name for option in options if not option.help] == []


@pytest.mark.parametrize("words", BY_WORDS)
def test_a_readme_mentions_every_command(words: str) -> None:
    mention = re.compile(rf"\barena {words}\b")
    assert any(mention.search(path.read_text(encoding="utf-8")) for path in READMES)


def test_the_examples_run_one_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert arena(*example_of(main)).exit_code == 0
    in_turn = [words for words in BY_WORDS if words not in NOT_RUN]
    # What is retired plays in no later example.
    for words in sorted(in_turn, key="bots retire".__eq__):
        if words == "event resume":
            with writing(Path("arena.db"), create=False) as writer:
                spec = Spec(Kind.SWISS, "meow", bots=("kitten", "random"), seats=2, deals=1)
                start(writer, spec, now=now())
        result = arena(*example_of(BY_WORDS[words]))
        # Whether there is a full cage is the machine's affair.
        assert result.exit_code in ((0, 1) if words == "doctor" else (0,)), result.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a league and a bot that cannot play."""
    folder = tmp_path_factory.mktemp("folder")
    small_league(folder)
    with closing(sqlite3.connect(folder / "arena.db")) as connection, connection:
        connection.execute("UPDATE ratings SET mu = mu + 1")
    bot_folder(folder, "broken", ROGUE, "never starts")
    return folder


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("chekc", "'check'"),
        ("event shwo", "'show'"),
        ("play meow random random --sed 1", "'--seed'"),
        ("play moew random random", "did you mean meow?"),
        ("play meow random random --variant exprt", "did you mean expert?"),
        ("rules moew", "did you mean meow?"),
        ("leaderboard moew", "did you mean meow?"),
        ("new kitten --game moew", "did you mean meow?"),
        ("check greedy-mew", "did you mean greedy-meow?"),
        ("bots show greedy-mew", "did you mean greedy-meow?"),
        ("bots retire annn", "did you mean ann?"),
        ("event run swis --game meow --all", "did you mean swiss?"),
        ("event show cpu", "did you mean cup?"),
        ("event watch cpu", "did you mean cup?"),
        ("event resume opne", "did you mean open?"),
        ("verify cpu", "did you mean cup?"),
        ("replay show cpu/0", "did you mean cup?"),
        ("reproduce cpu/0", "did you mean cup?"),
        ("play meow greedy-mew random", "did you mean greedy-meow?"),
        ("compare greedy-mew random --game meow", "did you mean greedy-meow?"),
        ("event run swiss --game meow --bots randm,first", "did you mean random?"),
        ("play meow first first --limit memory_mb=9", "did you mean memory_mib?"),
    ],
)
def test_a_wrong_word_suggests_the_right_one(
    words: str, meant: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    result = arena(*words.split())
    assert (result.exit_code, meant in result.stderr) == (2, True), result.output


def test_the_version_is_told() -> None:
    assert arena("--version").output == f"arena {__version__}\n"


WRONG = {
    "demo": "--deals 0",
    "games": "trio",
    "rules": "chess",
    "play": "meow random random --limit x=1",
    "new": "kitten --game chess",
    "check": "nobody",
    "compare": "nobody random --game meow",
    "submit": "nowhere",
    "bots": "--db .",
    "bots show": "nobody",
    "bots retire": "nobody",
    "event": "",
    "event run": "knockout",
    "event resume": "nobody",
    "event list": "--db .",
    "event show": "nothing",
    "event watch": "nothing",
    "leaderboard": "chess",
    "verify": "nothing",
    "replay": "",
    "replay show": "nowhere",
    "replay verify": "nowhere",
    "replay export": "nowhere",
    "replay html": "nowhere -o page.html",
    "reproduce": "nowhere",
    "report": "",
    "doctor": "who",
}
"""What may be typed after each command, and makes no sense."""


def test_every_command_can_be_asked_wrong() -> None:
    assert list(WRONG) == list(BY_WORDS)


@pytest.mark.parametrize("words", WRONG)
def test_who_asks_wrong_gets_exit_code_2_and_a_sentence(
    words: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    result = arena(*words.split(), *WRONG[words].split())
    assert result.exit_code == 2, result.output
    assert not result.stdout
    *_, said = result.stderr.splitlines()
    # A group that was asked for nothing tells what it can do.
    assert said.startswith("Error: " if WRONG[words] or words == "report" else "  ")


NO = {
    "demo": "--db arena.db",
    "play": "meow human random",
    "check": "broken",
    "submit": "broken",
    "bots retire": "ann",
    "event run": "swiss --game meow --bots random,first --seats 2",
    "event resume": "open",
    "event watch": "open",
    "verify": "",
    "replay show": "cup/9999",
    "replay verify": "broken/bot.py",
    "replay html": "cup/9999 -o page.html",
    "reproduce": "cup/9999",
}
"""What makes sense after a command, and the answer is no, while somebody else writes the league."""
NO_ELSEWHERE = {
    "compare": "test_compare.py has a version that is worse",
    "doctor": "it is the machine's affair: test_doctor.py takes away what the machine has",
}
NEVER_NO = {
    *("games", "rules", "new", "bots", "bots show", "event", "event list", "event show"),
    *("leaderboard", "replay", "replay export", "report"),
}


def test_every_command_that_can_say_no_does_so_in_a_test() -> None:
    assert {*NO, *NO_ELSEWHERE, *NEVER_NO} == set(BY_WORDS)


@pytest.mark.parametrize("words", NO)
def test_a_no_gets_exit_code_1(words: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with writing(Path("arena.db")):
        result = arena(*words.split(), *NO[words].split())
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    assert not Path("page.html").exists()


def test_the_help_says_what_exit_codes_mean_and_how_the_shell_completes() -> None:
    output = arena("--help").output
    assert "0 done, 1 no, 2 you asked wrong" in output
    assert '\n    eval "$(_ARENA_COMPLETE=bash_source arena)"\n' in output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_given_its_script_for_completion(shell: str) -> None:
    variables = {"_ARENA_COMPLETE": f"{shell}_source"}
    result = CliRunner().invoke(main, env=variables, prog_name="arena")
    assert result.exit_code == 0
    assert f"_ARENA_COMPLETE={shell}_complete" in result.stdout


@pytest.mark.parametrize(
    ("line", "word", "completions"),
    [
        ("", "", list(COMMANDS)),
        ("", "re", ["replay", "reproduce", "report"]),
        ("", "--v", ["--version"]),
        ("event", "r", ["resume", "run"]),
        ("play meow random", "--se", ["--seed", "--secret"]),
    ],
)
def test_commands_and_options_are_completed(line: str, word: str, completions: list[str]) -> None:
    shell = ShellComplete(main, {}, "arena", "_ARENA_COMPLETE")
    assert [item.value for item in shell.get_completions(line.split(), word)] == completions


@pytest.mark.parametrize(
    "what",
    [
        "main(['--help'], standalone_mode=False)",
        "ShellComplete(main, {}, 'arena', '').get_completions([], '')",
    ],
)
def test_help_and_completion_import_no_command(what: str) -> None:
    code = "import sys; from click.shell_completion import ShellComplete; "
    code += f"from arena.cli import main; {what}; "
    code += "sys.exit(bool({'grpc', 'sqlite3', 'asyncio'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0

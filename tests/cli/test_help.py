"""Every command has help with an example, and the right exit codes."""

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
from arena.cli import COMMANDS, SECTIONS, main
from arena.cli.docs import FOLDER
from arena.cli.options.league import now, writing
from arena.tournament.setup import enter_event
from arena.tournament.spec import Kind, Spec
from tests.builders.bots import ROGUE, bot_folder
from tests.builders.leagues import league_with_stopped_event
from tests.cli.runner import arena, refused

PAGES_OF_USERS = [path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")]

NOT_RUN = {
    "improve": "it plays events of a program that exists: test_improve.py has one",
    "demo": "it takes a minute: test_demo.py runs it with fewer deals",
    "event watch": "it needs a running event: test_watch_event.py has one",
    "serve": "it runs until it is stopped: tests/serve has some",
    "season close": "no season is open before a league is served: tests/serve has one",
    "login": "it needs a league that is served: tests/serve has some",
    "worker": "it runs until it is stopped: tournament/test_cluster.py has some",
    "scheduler": "it runs until it is stopped: tournament/test_cluster.py has one",
}


def all_commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command with the words that call it, subcommands after their group."""
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command
        yield name, command
        if isinstance(command, click.Group):
            for word, inner in command.commands.items():
                yield f"{name} {word}", inner


COMMANDS_BY_WORDS = dict(all_commands())


def help_of(command: click.Command) -> str:
    """Return the help text of a command, unwrapped."""
    assert command.help
    return cleandoc(command.help)


def example_of(command: click.Command) -> list[str]:
    """Return the words of a command's example."""
    (example,) = re.findall(r"\n\nExample: arena (.+)\Z", help_of(command))
    return shlex.split(example)


@pytest.mark.parametrize("words", COMMANDS_BY_WORDS)
def test_help_is_a_one_line_summary_then_details_then_one_example(words: str) -> None:
    first, blank, *_ = help_of(COMMANDS_BY_WORDS[words]).splitlines()
    assert re.fullmatch(r"[A-Z].{10,64}\.", first)
    assert blank == ""
    assert example_of(COMMANDS_BY_WORDS[words])[: len(words.split())] == words.split()
    assert first in arena(*words.split(), "--help").output


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_shows_the_first_line_of_each_help(name: str) -> None:
    _, summary = COMMANDS[name]
    assert help_of(COMMANDS_BY_WORDS[name]).splitlines()[0] == summary


def test_every_command_is_in_one_section_of_the_list() -> None:
    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(COMMANDS)
    shown = arena("--help").output
    assert all(f"\n{title}:\n" in shown for title in SECTIONS)


@pytest.mark.parametrize("words", COMMANDS_BY_WORDS)
def test_every_option_is_explained(words: str) -> None:
    options = [each for each in COMMANDS_BY_WORDS[words].params if isinstance(each, click.Option)]
    assert [option.name for option in options if not option.help] == []


@pytest.mark.parametrize("words", COMMANDS_BY_WORDS)
def test_a_page_mentions_every_command(words: str) -> None:
    mention = re.compile(rf"\barena\s{words}\b")
    assert any(mention.search(page) for page in PAGES_OF_USERS)


@pytest.mark.slow
def test_the_examples_run_one_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert arena(*example_of(main)).exit_code == 0
    can_run = [words for words in COMMANDS_BY_WORDS if words not in NOT_RUN]
    # A retired bot plays in no later example.
    for words in sorted(can_run, key="bots retire".__eq__):
        if words == "event resume":
            with writing(Path("arena.db"), create=False) as writer:
                spec = Spec(Kind.SWISS, "meow", bots=("kitten", "random"), seats=2, deals=1)
                enter_event(writer, spec, now=now())
        result = arena(*example_of(COMMANDS_BY_WORDS[words]))
        # Whether there is a full cage depends on the machine.
        assert result.exit_code in ((0, 1) if words == "doctor" else (0,)), result.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a league and a bot that cannot play."""
    folder = tmp_path_factory.mktemp("folder")
    league_with_stopped_event(folder)
    with closing(sqlite3.connect(folder / "arena.db")) as connection, connection:
        connection.execute("UPDATE ratings SET mu = mu + 1")
    bot_folder(folder, "broken", ROGUE, "never starts")
    return folder


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        ("chekc", "'check'"),
        ("event shwo", "'show'"),
        ("play meow random random --sed 1", "'--seed'"),
        ("play moew random random", "did you mean meow?"),
        ("play meow random random --variant exprt", "did you mean expert?"),
        ("rules moew", "did you mean meow?"),
        ("docs bot", "did you mean bots?"),
        ("leaderboard moew", "did you mean meow?"),
        ("collusion moew", "did you mean meow?"),
        ("new kitten --game moew", "did you mean meow?"),
        ("check greedy-mew", "did you mean greedy-meow?"),
        ("bots show greedy-mew", "did you mean greedy-meow?"),
        ("bots retire annn", "did you mean ann?"),
        ("event run swis --game meow --all", "did you mean swiss?"),
        ("event show cpu", "did you mean cup?"),
        ("event watch cpu", "did you mean cup?"),
        ("event resume opne", "did you mean open?"),
        ("verify cpu", "did you mean cup?"),
        ("bots export annn new", "did you mean ann?"),
        ("replay show cpu/0", "did you mean cup?"),
        ("replay export cpu", "did you mean cup?"),
        ("replay verify cpu/0", "did you mean cup?"),
        ("reproduce cpu/0", "did you mean cup?"),
        ("play meow greedy-mew random", "did you mean greedy-meow?"),
        ("compare greedy-mew random --game meow", "did you mean greedy-meow?"),
        ("event run swiss --game meow --bots randm,first", "did you mean random?"),
        ("play meow first first --limit memory_mb=9", "did you mean memory_mib?"),
    ],
)
def test_a_misspelt_word_suggests_the_right_one(
    words: str, suggestion: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    result = arena(*words.split())
    assert (result.exit_code, suggestion in result.stderr) == (2, True), result.output


def test_the_version_is_printed() -> None:
    assert arena("--version").output == f"arena {__version__}\n"


USAGE_ERRORS = {
    "demo": "--deals 0",
    "games": "trio",
    "rules": "chess",
    "docs": "chess",
    "play": "meow random random --limit x=1",
    "new": "kitten --game chess",
    "check": "nobody",
    "compare": "nobody random --game meow",
    "improve": "duel --game meow --with kitten",
    "submit": "nowhere",
    "bots": "--db .",
    "bots show": "nobody",
    "bots retire": "nobody",
    "bots return": "nobody",
    "bots export": "nobody nowhere",
    "event": "",
    "event run": "knockout",
    "event resume": "nobody",
    "event list": "--db .",
    "event show": "nothing",
    "event watch": "nothing",
    "event extend": "nothing --deals 1",
    "event delete": "nothing --yes",
    "leaderboard": "chess",
    "collusion": "chess",
    "verify": "nothing",
    "rerate": "nothing",
    "replay": "",
    "replay show": "nowhere",
    "replay verify": "nowhere",
    "replay export": "nowhere",
    "replay html": "nowhere -o page.html",
    "replay picture": "nowhere",
    "replay analyse": "nowhere",
    "reproduce": "nowhere",
    "report": "",
    "serve": "nowhere.toml",
    "author": "--db .",
    "author add": "x --role boss",
    "author token": "nobody",
    "author revoke": "nobody",
    "author rename": "nobody x",
    "author invite": "--days 0",
    "season": "--db .",
    "season close": "x --db .",
    "backup": "x.db --db .",
    "login": "nowhere",
    "worker": "nowhere",
    "scheduler": "--port 99999",
    "certificates": "cluster ca",
    "mcp": "--port 0",
    "doctor": "who",
}
"""Arguments that make each command a usage error."""


def test_every_command_has_a_usage_error_in_this_table() -> None:
    assert list(USAGE_ERRORS) == list(COMMANDS_BY_WORDS)


@pytest.mark.parametrize("words", USAGE_ERRORS)
def test_a_usage_error_gets_exit_code_2_and_a_message(
    words: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    *_, last_line = refused(arena(*words.split(), *USAGE_ERRORS[words].split())).splitlines()
    # A group without a subcommand prints its help.
    assert last_line.startswith("Error: " if USAGE_ERRORS[words] or words == "report" else "  ")


FAILURES = {
    "demo": "--db arena.db",
    "play": "meow human random",
    "check": "broken",
    "submit": "broken",
    "event run": "swiss --game meow --bots random,first --seats 2",
    "event resume": "open",
    "event watch": "open",
    "event extend": "cup --deals 1",
    "event delete": "cup --yes",
    "verify": "",
    "rerate": "",
    "replay verify": "broken/bot.py",
}
"""Arguments with which commands fail while another process writes the league."""


@pytest.mark.parametrize("words", FAILURES)
def test_a_failure_gets_exit_code_1(
    words: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    with writing(Path("arena.db")):
        result = arena(*words.split(), *FAILURES[words].split())
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    assert not Path("page.html").exists()


def test_the_help_explains_exit_codes_and_shell_completion() -> None:
    output = arena("--help").output
    assert "0 success, 1 failure, 2 usage error" in output
    assert '\n    bash  eval "$(_ARENA_COMPLETE=bash_source arena)"\n' in output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_completion_script(shell: str) -> None:
    variables = {"_ARENA_COMPLETE": f"{shell}_source"}
    result = CliRunner().invoke(main, env=variables, prog_name="arena")
    assert result.exit_code == 0
    assert f"_ARENA_COMPLETE={shell}_complete" in result.stdout


@pytest.mark.parametrize(
    ("line", "word", "completions"),
    [
        ("", "", list(COMMANDS)),
        ("", "re", ["rerate", "replay", "reproduce", "report"]),
        ("", "--v", ["--version"]),
        ("event", "r", ["resume", "run"]),
        ("play meow random", "--se", ["--seed", "--secret"]),
        ("rules", "m", ["meow"]),
        ("play", "t", ["trio"]),
        ("play trio --variant", "spicy", ["spicy", "spicy-teams"]),
        ("event run swiss --game trio --variant", "spicy-", ["spicy-teams"]),
        ("event run swiss --bots", "first,rand", ["first,random"]),
        ("event show", "c", ["cup"]),
        ("event delete", "", ["cup", "open"]),
        ("verify", "o", ["open"]),
        ("bots show", "a", ["ann"]),
        ("bots retire", "e", ["eve"]),
    ],
)
def test_commands_options_and_values_are_completed(
    line: str,
    word: str,
    completions: list[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    shell = ShellComplete(main, {}, "arena", "_ARENA_COMPLETE")
    assert [item.value for item in shell.get_completions(line.split(), word)] == completions


@pytest.mark.parametrize(
    "statement",
    [
        "main(['--help'], standalone_mode=False)",
        "ShellComplete(main, {}, 'arena', '').get_completions([], '')",
    ],
)
def test_help_and_completion_import_no_command(statement: str) -> None:
    code = "import sys; from click.shell_completion import ShellComplete; "
    code += f"from arena.cli import main; {statement}; "
    code += "sys.exit(bool({'grpc', 'sqlite3', 'asyncio'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0

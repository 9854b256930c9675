"""Is every command explained?"""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from arena.cli import COMMANDS, main


def arena(*words: str) -> str:
    """Run a command, and return all that it prints."""
    return CliRunner().invoke(main, words).output


@pytest.mark.parametrize("words", [(), *((name,) for name in COMMANDS)], ids=" ".join)
def test_every_command_has_help_with_an_example(words: tuple[str, ...]) -> None:
    assert "Example: arena " in arena(*words, "--help")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(name: str) -> None:
    _, what = COMMANDS[name]
    assert what in " ".join(arena(name, "--help").split())


def test_a_wrong_word_suggests_the_right_one() -> None:
    assert "'check'" in arena("chekc")


def test_the_help_imports_no_command() -> None:
    code = "import sys; from arena.cli import main; main(['--help'], standalone_mode=False); "
    code += "sys.exit(bool({'grpc', 'sqlite3', 'asyncio'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0

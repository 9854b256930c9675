"""The page on the SDK describes everything, and its examples run."""

from __future__ import annotations

import re
import subprocess
import sys
from doctest import DocTestParser, DocTestRunner
from pathlib import Path

import pytest

from arena.sdk import Bot, Match, Result
from tests.cli.runner import arena
from tests.commands import sessions
from tests.test_readme import blocks

PAGE = (Path(__file__).parents[2] / "arena/sdk/README.md").read_text(encoding="utf-8")
(PROGRAM,) = blocks("python", PAGE)


def public_names(cls: type) -> set[str]:
    """Return the attributes and methods that a class documents."""
    names = {*vars(cls), *cls.__annotations__, *getattr(cls, "_fields", ())}
    return {name for name in names if not name.startswith("_")}


def test_every_example_gives_the_output_shown() -> None:
    text = "\n".join(blocks("pycon", PAGE))
    test = DocTestParser().get_doctest(text, {}, "page", "arena/sdk/README.md", 0)
    assert len(test.examples) > 40
    assert DocTestRunner().run(test).failed == 0


def test_the_program_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("counter.py").write_text(PROGRAM, encoding="utf-8")
    commands = [session for block in blocks("console", PAGE) for session in sessions(block)]
    (play, _), (by_hand, hint) = commands
    result = arena(*play.split()[1:])
    assert result.exit_code == 0, result.output
    assert "counter-0" in result.stdout
    assert "fault" not in result.output
    words = [sys.executable, *by_hand.split()[1:]]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, hint.rstrip("\n") + "\n")


@pytest.mark.parametrize("cls", [Bot, Match, Result])
def test_every_method_and_field_is_described(cls: type) -> None:
    rows = set(re.findall(r"^(?:\| |### )`(\w+)[`(]", PAGE, re.MULTILINE))
    assert public_names(cls) - rows == set()


@pytest.mark.parametrize("cls", [Bot, Match, Result])
def test_every_method_and_field_is_used_in_an_example(cls: type) -> None:
    examples = "\n".join([*blocks("pycon", PAGE), PROGRAM])
    assert {name for name in public_names(cls) if not re.search(rf"\b{name}\b", examples)} == set()

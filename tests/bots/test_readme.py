"""Everything on the page about bots is true."""

from __future__ import annotations

import re
from doctest import DocTestParser, DocTestRunner
from pathlib import Path

import pytest

from tests.commands import FENCED, agrees, follow

BOTS = Path(__file__).parents[2] / "bots"
PAGE = (BOTS / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_following_the_page_gives_the_output_it_shows(tmp_path: Path) -> None:
    for command, shown, done in follow(PAGE, tmp_path):
        assert done.returncode == 0, f"{command}: {done.stdout[-500:]}{done.stderr}"
        assert agrees(shown, done.stdout), f"{command}: {done.stdout}"


def test_the_positions_are_as_shown() -> None:
    text = "\n".join(block for language, block in FENCED.findall(PAGE) if language == "pycon")
    examples = DocTestParser().get_doctest(text, {}, "positions", "bots/README.md", 0)
    assert len(examples.examples) > 15
    assert DocTestRunner().run(examples).failed == 0


def test_every_house_bot_is_listed() -> None:
    listed = re.findall(r"^\| \[([\w-]+)\]\([\w-]+/\w+\.\w+\) \|", PAGE, re.MULTILINE)
    assert sorted(listed) == sorted(path.parent.name for path in BOTS.glob("*/bot.toml"))

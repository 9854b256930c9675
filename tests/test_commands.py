"""What pages tell users to do works, and prints what they say."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from arena.cli import main
from tests.commands import FENCED, ROOT, agrees, follow, renewed, sessions

PAGES = sorted(
    path
    for folder in ("arena", "bots", "leaderboard", "protos", "README.md", "CONTRIBUTING.md")
    for path in ((ROOT / folder).rglob("*.md") if "." not in folder else [ROOT / folder])
    if not {"node_modules", "templates", "house_bots"} & set(path.relative_to(ROOT).parts)
    and not path.is_symlink()
)
FOLLOWED = ("arena/docs/first-bot.md", "arena/docs/events.md", "arena/docs/install.md")


def text_of(page: Path) -> str:
    """Read a page."""
    return page.read_text(encoding="utf-8")


def arguments(page: Path) -> list[list[str]]:
    """Return the arguments of every `arena` command that a page shows, also in a sentence."""
    blocks = [block for language, block in FENCED.findall(text_of(page)) if language == "console"]
    # A command may go on after a backslash.
    joined = [block.replace("\\\n", " ") for block in blocks]
    commands = [command for block in joined for command, _ in sessions(block)]
    commands += re.findall(r"`(arena\s[^`]+)`", FENCED.sub("", text_of(page)))
    return [shlex.split(command)[1:] for command in commands if re.match(r"arena\s", command)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_on_a_page_has_options_that_exist(page: Path) -> None:
    for words in arguments(page):
        command: click.Command = main
        context, rest = click.Context(main), words
        while isinstance(command, click.Group) and rest:
            found = command.get_command(context, rest[0])
            if found is None:
                break
            command, rest = found, rest[1:]
            context = click.Context(command, parent=context)
        known = {name for each in command.get_params(context) for name in each.opts}
        used = {word.partition("=")[0] for word in rest if re.match(r"--\w|-\w$", word)}
        assert used - known == set(), f"arena {shlex.join(words)}"


@pytest.mark.slow  # events, a comparison and checks: half a minute
@pytest.mark.parametrize("page", FOLLOWED)
def test_following_a_page_gives_the_output_it_shows(page: str, tmp_path: Path) -> None:
    for command, shown, done in follow(text_of(ROOT / page), tmp_path):
        # `arena doctor` may find that something is missing here.
        assert done.returncode == 0 or "doctor" in command, f"{command}: {done.stderr}"
        assert agrees(shown, done.stdout), f"{command}: {done.stdout}"


def test_the_tutorial_shows_the_bot_that_it_makes() -> None:
    (shown,) = [
        block for name, block in FENCED.findall(text_of(ROOT / FOLLOWED[0])) if name == "py"
    ]
    template = text_of(ROOT / "arena/templates/games/meow.py")
    assert re.sub(r"^", "    ", shown, flags=re.MULTILINE).rstrip() in template


def test_the_messages_of_the_page_on_troubleshooting_exist() -> None:
    rows = re.findall(r"^\| (`.*?) \| ", text_of(ROOT / "arena/docs/troubleshooting.md"), re.M)
    messages = [message for row in rows for message in re.findall("`(.*?)`", row)]
    assert len(messages) > 30
    sources = "".join(
        re.sub(r'"\s*\n\s*f?"', "", path.read_text(encoding="utf-8"))
        for path in (ROOT / "arena").rglob("*.py")
    )
    parts = {part.strip(" :") for message in messages for part in message.split("…")}
    # Python and the kernel say these.
    others = {"ModuleNotFoundError: No module named", "Address family not supported by protocol"}
    others |= {"Operation not permitted", "Read-only file system", "fork", "subprocess"}
    assert {part for part in parts if part not in sources} - others == set()


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        ("a\n...\nd\n", "a\nb\nc\nd\n", "a\n...\nd\n"),
        ("a\n...\nd\n", "A\nb\nc\nD\n", "A\n...\nD\n"),
        ("a ... c\n", "a b c\n", "a ... c\n"),
        ("a\nb\n", "a\nB\nc\n", "a\nB\nc\n"),
    ],
)
def test_outputs_are_renewed_where_they_have_changed(
    shown: str, printed: str, expected: str
) -> None:
    assert renewed(shown, printed) == expected

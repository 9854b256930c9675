"""The command `arena docs`: the pages that belong to the installed version.

`arena/docs` has each of them: some are written there, others are links to pages that lie beside
what they describe. In a wheel they are all files.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

import click

import arena
from arena.cli.terminal.output import columns_of, is_full_terminal, say
from arena.errors import BadInput, did_you_mean

FOLDER = Path(arena.__file__).parent / "docs"
WAYS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "Players": {
            "readme": "What it is, and where to go next.",
            "install": "Install it, and see what the machine lacks.",
            "first-bot": "Your first bot, from nothing to the leaderboard in ten steps.",
            "bots": "Make a bot stronger: views, debugging, search, many tables.",
            "stronger": "Search, beliefs, learning: what each step brought, measured.",
            "sdk": "The Python SDK: every method and field, with examples.",
            "troubleshooting": "What a message means, and what to do about it.",
            "method": "How sure a comparison is, and what it costs.",
            "protocol": "Write a bot in another language.",
            "learn": "Train a bot: PettingZoo, Gymnasium, numpy.",
            "training": "From random weights to the leaderboard: a bot that learns.",
            "models": "Let a language model take a seat.",
            "mcp": "Let a program with a language model play and write bots.",
            "replays": "Read or check a replay yourself.",
            "recipes": "VS Code, a gate for pull requests, pre-commit, Docker.",
        },
        "Organisers": {
            "events": "Run events: schedules, seats, clocks, secrets, results.",
            "host": "Host a league that others submit to.",
            "league": "The league's file, ratings and strengths.",
            "security": "Who is trusted with what.",
            "scheduling": "How tables and rounds are balanced.",
            "cage": "What a bot may use, and what is blocked.",
            "workers": "Play events on many machines.",
            "json": "Use the commands from a program.",
            "compared": "Other tools, and what each does better.",
        },
        "Developers": {
            "games": "Use the game engines in Python.",
            "adding": "Add a game, in your own package or to the project.",
            "python": "Use all of it from Python and in notebooks.",
            "changes": "What is new in each version.",
        },
    }
)
"""The three ways through the pages, with a sentence for each page."""
PAGES = {name: what for pages in WAYS.values() for name, what in pages.items()}
WIDEST = 100
"""Longer lines are hard to read."""


@click.command()
@click.argument("page", required=False)
def docs(page: str | None) -> None:
    """List the pages of documentation, or show one of them.

    They belong to the installed version. A pipe gets the Markdown itself. `arena rules` shows the
    rules of a game.

    Example: arena docs sdk
    """
    if page is None:
        say(_contents())
        return
    if page not in PAGES:
        raise BadInput(f"no such page: {page!r}; {did_you_mean(page, PAGES)}")
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    click.echo_via_pager(_rendered(text) if is_full_terminal(sys.stdout) else text)


def _contents() -> str:
    width = max(map(len, PAGES))
    ways = (
        "\n".join([way, *(f"  {name:<{width}}  {what}" for name, what in pages.items())])
        for way, pages in WAYS.items()
    )
    return "\n\n".join(ways)


def _rendered(text: str) -> str:
    # Imported late: no other command draws Markdown.
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.markdown import CodeBlock, Markdown
    from rich.syntax import Syntax

    class Code(CodeBlock):
        """Code without a margin, so that a table of 80 columns fits."""

        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            code = str(self.text).rstrip()
            yield Syntax(code, self.lexer_name, theme=self.theme, word_wrap=True)

    class Page(Markdown):
        """A page with such code."""

        elements: ClassVar = {**Markdown.elements, "fence": Code, "code_block": Code}

    console = Console(width=min(columns_of(sys.stdout) or WIDEST, WIDEST))
    with console.capture() as drawn:
        # A link to a file of the project leads nowhere here, so only its text remains.
        text = re.sub(r"!?\[([^]]*)\]\((?!https?:)[^)]*\)", r"\1", text)
        console.print(Page(text, hyperlinks=False, code_theme="ansi_dark"))
    return drawn.get()

"""Write a match as one HTML file for any browser, without a network.

Names and the output of bots are untrusted. The page's script turns them only into text nodes,
and a content policy in the file allows no other script.
"""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, NamedTuple

from arena.analysis.assessment import Analysis
from arena.games.registry import GAME_IDS, AnyGame, game_named
from arena.pages.content_policy import hash_of, policy_of
from arena.pages.match_data import match_data
from arena.records import Record
from arena.replays.transcript import player_names

_SCRIPTS = (
    "match.js",
    "moment.js",
    "log.js",
    "address.js",
    "controls.js",
    "end.js",
    "course.js",
    "page.js",
)
"""What steps through a match, after the drawings."""
# Characters that could end the script element, or begin another one within it.
_UNSAFE = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&"}


class Surroundings(NamedTuple):
    """What a page links to when it is part of a site."""

    navigation: str
    """HTML for the top of the page: the way to the league and the event, and the matches beside."""
    rotations: str
    """HTML that compares the matches of the same deal; empty if there are no others."""
    bots: list[str]
    """The address of the page of the bot in each seat."""


_ALONE = Surroundings("", "", [])


def replay_page(
    record: Record,
    *,
    seat: int | None = None,
    analysis: Analysis | None = None,
    surroundings: Surroundings = _ALONE,
) -> str:
    """Return a page for stepping through a match; with `seat`, it has only what that seat knew.

    The record is not verified.
    """
    game = game_named(record.game_id)
    drawing = drawing_name(game)
    style = _read("page.css") + _read(f"{drawing}.css")
    pieces = "\n".join(_read(name) for name in ("drawing.js", f"{drawing}.js", *_SCRIPTS))
    script = f'(() => {{\n"use strict";\n{pieces}}})();\n'
    return Template(_read("page.html")).substitute(
        title=escape(f"{game.title}: {', '.join(player_names(record))}"),
        policy=policy_of(style, f"script-src {hash_of(script)}"),
        style=style,
        script=script,
        data=as_script_data(
            match_data(record, seat, analysis)
            | ({"bots": surroundings.bots} if surroundings.bots else {})
        ),
        navigation=surroundings.navigation,
        rotations=surroundings.rotations,
    )


def drawing_name(game: AnyGame) -> str:
    """Return the name of the files that draw a game; those of other packages are not drawn."""
    return game.id if game.id in GAME_IDS else "notation"


def as_script_data(value: Any) -> str:
    """Write JSON that cannot end its script element, whatever texts it contains."""
    # json.dumps also escapes everything beyond ASCII, including JavaScript's line separators.
    return json.dumps(value, separators=(",", ":")).translate(_UNSAFE)


def _read(name: str) -> str:
    """Read one of our files, without its indentation and its lines of comments: pages are small."""
    text = files("arena.pages").joinpath("files", name).read_text(encoding="utf-8")
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"

"""How does a match become one file that any browser shows, without a network?

Names and what bots print are untrusted. They are data for the page's script, which only ever makes
text of them; and a policy in the file lets the browser run that one script and no other.
"""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from arena.games.registry import game_named
from arena.pages.match_data import match_data
from arena.pages.policy import hash_of, policy_of
from arena.records import Record
from arena.replays.story import Teller, names_in

# Letters that could end the script element, or begin something else within it.
_UNSAFE = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&"}


def replay_page(record: Record, teller: Teller, *, seat: int | None = None) -> str:
    """Return a page on which a match is stepped through; with `seat`, it has that seat's eyes.

    The record should be a true one.
    """
    game = game_named(record.game_id)
    style = _read("page.css") + _read(f"{game.id}.css")
    pieces = "\n".join(_read(name) for name in ("drawing.js", f"{game.id}.js", "page.js"))
    script = f'(() => {{\n"use strict";\n{pieces}}})();\n'
    return Template(_read("page.html")).substitute(
        title=escape(f"{game.title}: {', '.join(names_in(record))}"),
        policy=policy_of(style, f"script-src {hash_of(script)}"),
        style=style,
        script=script,
        data=as_script_data(match_data(record, teller, seat)),
    )


def as_script_data(value: Any) -> str:
    """Write JSON that cannot leave the script element it stands in, whatever its texts are."""
    # Everything beyond ASCII is escaped, too, and with it the line ends that JavaScript has.
    return json.dumps(value, separators=(",", ":")).translate(_UNSAFE)


def _read(name: str) -> str:
    return files("arena.pages").joinpath("files", name).read_text(encoding="utf-8")

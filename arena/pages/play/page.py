"""The page of one seat: one file with its style and scripts; the match comes later, in updates."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, NamedTuple

from arena.games.registry import AnyGame, variant_words
from arena.indices import Seat
from arena.pages.content_policy import hash_of, policy_of
from arena.pages.replay_page import as_script_data, drawing_name

_SCRIPTS = ("choosing.js", "choose_{}.js", "table.js", "connection.js")


class SeatPage(NamedTuple):
    """A page, and its content policy."""

    content: bytes
    policy: str


def seat_page(
    game: AnyGame, parameters: Any, names: Sequence[str], seat: Seat, *, clock: str = ""
) -> SeatPage:
    """Return the page of a seat, without anything of its match."""
    drawing = drawing_name(game)
    drawings = [_read("arena.pages", name) for name in ("drawing.js", f"{drawing}.js")]
    styles = [_read("arena.pages", name) for name in ("page.css", f"{drawing}.css")]
    own = [_read(__package__, name.format(drawing)) for name in _SCRIPTS]
    style = "".join(styles) + _read(__package__, "play.css")
    script = '(() => {\n"use strict";\n' + "\n".join([*drawings, *own]) + "})();\n"
    data = {
        "title": game.title,
        "variant": variant_words(game, parameters),
        "names": list(names),
        "sides": game.sides(len(names), parameters),
        "viewpoint": seat,
        "clock": clock,
    }
    content = Template(_read(__package__, "play.html")).substitute(
        title=escape(f"{game.title}: {names[seat]}"),
        style=style,
        script=script,
        data=as_script_data(data),
    )
    allowed = (
        f"script-src {hash_of(script)}",
        "connect-src 'self'",
        "img-src data:",
        "frame-ancestors 'none'",
    )
    return SeatPage(content.encode(), policy_of(style, *allowed))


def _read(package: str, name: str) -> str:
    return files(package).joinpath("files", name).read_text(encoding="utf-8")

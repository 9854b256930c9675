"""The page of one seat: one file with its style and scripts; the match comes later, in updates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from arena.games.registry import AnyGame, variant_words
from arena.indices import Seat
from arena.pages.template import (
    hash_of,
    match_script,
    match_style,
    policy_of,
    read_files,
    templates,
)

_SCRIPTS = ("choosing.js", "choose_{}.js", "table.js", "connection.js")


class SeatPage(NamedTuple):
    """A page, and its content policy."""

    content: bytes
    policy: str


def seat_page(
    game: AnyGame, parameters: Any, names: Sequence[str], seat: Seat, *, clock: str = ""
) -> SeatPage:
    """Return the page of a seat, without anything of its match."""
    style = match_style(game) + Markup(read_files(__package__, ["play.css"]))
    script = match_script(game, __package__, _SCRIPTS)
    data = {
        "title": game.title,
        "variant": variant_words(game, parameters),
        "names": list(names),
        "sides": game.sides(len(names), parameters),
        "viewpoint": seat,
        "clock": clock,
    }
    page = templates(__package__).get_template("play.html")
    content = page.render(
        title=f"{game.title}: {names[seat]}", style=style, script=script, data=data
    )
    allowed = (
        f"script-src {hash_of(script)}",
        "connect-src 'self'",
        "img-src data:",
        "frame-ancestors 'none'",
    )
    return SeatPage(content.encode(), policy_of(style, *allowed))

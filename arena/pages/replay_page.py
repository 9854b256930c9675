"""Write a match as one HTML file for any browser, without a network.

Names and the output of bots are untrusted. The page's script turns them only into text nodes,
and a content policy in the file allows no other script.
"""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from arena.analysis.assessment import Analysis
from arena.games.registry import game_named
from arena.pages.match_data import match_data
from arena.pages.template import hash_of, match_script, match_style, policy_of, templates
from arena.records import Record
from arena.replays.transcript import player_names

_SCRIPTS = (
    "match.js",
    "moment.js",
    "log.js",
    "address.js",
    "controls.js",
    "course.js",
    "page.js",
)
"""What steps through a match, after the drawings."""


class Surroundings(NamedTuple):
    """What a page links to when it is part of a site."""

    navigation: Markup
    """HTML for the top of the page: the way to the league and the event, and the matches beside."""
    rotations: Markup
    """HTML that compares the matches of the same deal; empty if there are no others."""
    bots: list[str]
    """The address of the page of the bot in each seat."""


_ALONE = Surroundings(Markup(), Markup(), [])


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
    style = match_style(game)
    script = match_script(game, "arena.pages", _SCRIPTS)
    data = match_data(record, seat, analysis)
    page = templates("arena.pages").get_template("page.html")
    return page.render(
        title=f"{game.title}: {', '.join(player_names(record))}",
        policy=policy_of(style, f"script-src {hash_of(script)}"),
        style=style,
        script=script,
        data=data | ({"bots": surroundings.bots} if surroundings.bots else {}),
        navigation=surroundings.navigation,
        rotations=surroundings.rotations,
    )

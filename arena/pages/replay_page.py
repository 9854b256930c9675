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
from arena.pages.sharing import ICON, share_of_match
from arena.pages.template import (
    hash_of,
    match_look,
    pieces_of,
    policy_of,
    templates,
)
from arena.records import Record

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
    rules: str = ""
    """The address of the rules."""
    picture: str = ""
    address: str = ""
    """Of a picture of the match, and of its page itself, for those who share it."""


_ALONE = Surroundings(Markup(), Markup(), [])


def replay_page(
    record: Record,
    *,
    seat: int | None = None,
    analysis: Analysis | None = None,
    surroundings: Surroundings = _ALONE,
    hides_result: bool = False,
) -> str:
    """Return a page for stepping through a match; with `seat`, it has only what that seat knew.

    With `hides_result`, what messengers show of it does not say who wins. The record is not
    verified.
    """
    game = game_named(record.game_id)
    style, script = match_look(game, "arena.pages", _SCRIPTS)
    parameters = game.parameters_form.read(record.parameters)
    pieces, drawn = pieces_of(game, parameters)
    data = {"pieces": pieces} | match_data(record, seat, analysis)
    share = share_of_match(
        record,
        data["explanation"]["sentence"],
        picture=surroundings.picture,
        address=surroundings.address,
        hides_result=hides_result,
    )
    data |= {"heading": share.title, "rules": surroundings.rules}
    page = templates("arena.pages").get_template("page.html")
    return page.render(
        share=share,
        icon=ICON,
        policy=policy_of(style, f"script-src {hash_of(script)}", "img-src data:"),
        style=style,
        script=script,
        symbols=drawn,
        data=data | ({"bots": surroundings.bots} if surroundings.bots else {}),
        navigation=surroundings.navigation,
        rotations=surroundings.rotations,
    )

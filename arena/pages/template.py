"""The template engine, and what surrounds a page: its style, its script and its content policy.

The templates escape all text: names are untrusted. The policy lists the hash of every allowed style
and script, and forbids all others.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from functools import cache, lru_cache
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arena.games.picture import Art, symbols
from arena.games.registry import GAME_IDS, AnyGame
from arena.text import plain


@cache
def templates(package: str, folder: str = "files") -> Environment:
    """Return the templates in a folder of a package, each compiled once."""
    environment = Environment(
        # What all pages begin with is beside the page of a match.
        loader=ChoiceLoader(
            [PackageLoader(package, folder), PackageLoader("arena.pages", "files")]
        ),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    # `tojson` writes JSON that cannot end its script element, whatever texts it contains.
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return environment


# A template prints values of any type, hence Any.
def _printable(value: Any) -> Any:
    """Replace characters that are invisible or change the direction of text."""
    return plain(value) if type(value) is str and not value.isprintable() else value


def hash_of(text: str) -> str:
    """Return the source expression that allows a style or a script, given its text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def policy_of(style: str, *more: str) -> Markup:
    """Return the policy of a page with this style; `more` lists what else it allows."""
    allowed = ("default-src 'none'", f"style-src {hash_of(style)}", *more)
    return Markup("; ".join([*allowed, "base-uri 'none'", "form-action 'none'"]))


@cache
def match_look(
    game: AnyGame, package: str, scripts: tuple[str, ...], styles: tuple[str, ...] = ()
) -> tuple[Markup, Markup]:
    """Return style and script of a page that draws a game, with these files of a package.

    In the names of scripts, `{}` stands for the drawing.
    """
    drawing = drawing_of(game)
    shared = read_files("arena.pages", ["drawing.js", "end.js", f"{drawing}.js"])
    own = read_files(package, [name.format(drawing) for name in scripts])
    style = read_files("arena.pages", ["page.css", f"{drawing}.css"]) + read_files(package, styles)
    return Markup(style), Markup(f'(() => {{\n"use strict";\n{shared}{own}}})();\n')


def art_of(game: AnyGame, parameters: Any) -> Art:
    """Return what the pieces of a game look like; nothing if it has no pictures."""
    name = f"{type(game).__module__}.picture"
    if drawing_of(game) == "notation":
        return Art({})
    art: Art = import_module(name).art(parameters)
    return art


@lru_cache(maxsize=64)
def pieces_of(game: AnyGame, parameters: Any) -> tuple[dict[str, Any], Markup]:
    """Return what a page knows of pieces (sizes and texts by name), and their drawings."""
    art = art_of(game, parameters)
    texts = {
        name: [each.width, each.height, each.label, each.tip] for name, each in art.pieces.items()
    }
    drawn = f'<svg hidden aria-hidden="true">{symbols(art.pieces, art.shared)}</svg>\n'
    return texts, Markup(drawn if texts else "")


@cache
def drawing_of(game: AnyGame) -> str:
    """Return the name of the files that draw a game; without such files, its notation is shown."""
    script = files("arena.pages").joinpath("files", f"{game.id}.js")
    return game.id if game.id in GAME_IDS and script.is_file() else "notation"


def read_files(package: str, names: Iterable[str]) -> str:
    """Read some of our files, without indentation and lines of comments: pages are small."""
    texts = [files(package).joinpath("files", name).read_text(encoding="utf-8") for name in names]
    lines = (line.strip() for text in texts for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"

"""Pictures of matches, and what a messenger shows of a link to a page."""

from __future__ import annotations

import math
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from html import escape
from importlib import import_module
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from arena.errors import BadInput, PlatformError
from arena.games.picture import (
    INK,
    PAPER,
    SOFT,
    SURFACE,
    WIDTH,
    DrawnTable,
    PictureTitle,
    Zone,
    document,
    draw,
    words,
)
from arena.games.registry import AnyGame, game_named, variant_words
from arena.pages.template import art_of, drawing_of
from arena.records import Record, replay_record
from arena.replays.transcript import player_names
from arena.text import plain

PREVIEW = (1200, 630)
"""The size that messengers show."""
DEAL = -1
"""Stands before the first decision, which is decision 0."""
_PNG_S = 60.0
_ROWS = 7
_NARROW = 900


class Position(NamedTuple):
    """A moment of a match; states, views and events are of the game's own types, hence Any."""

    number: int
    state: Any
    events: Sequence[Any]


def picture_of(
    record: Record,
    decision: int | None = None,
    *,
    seat: int | None = None,
    last: int = 1,
    size: tuple[int, int] | None = None,
) -> str:
    """Draw a match after a decision, or the `DEAL`, as SVG, as one seat sees it or with all cards.

    Without a decision, it is a moment late in the match that does not give away the end. With
    `last`, that many moments are shown one after another, up to this one. The record is not
    verified.
    """
    game = game_named(record.game_id)
    count = len(record.decisions)
    decision = count * 2 // 3 if decision is None else decision
    if not DEAL <= decision < count:
        raise BadInput(f"there is no decision {decision}: the match has decisions 0 to {count - 1}")
    art = art_of(game, game.parameters_form.read(record.parameters))
    end = decision + 2
    moments = islice(_positions(record), max(0, end - last), end)
    # In a message, pictures are small: their pieces have to be large.
    width = WIDTH if size is None else _NARROW
    pictures = [_draw(game, record, each, seat, width, size) for each in moments]
    label = f"{game.title}, {_when(decision, count)}: {', '.join(player_names(record))}"
    return document(pictures, art, label=plain(label), size=size)


def _positions(record: Record) -> Iterator[Position]:
    seen = 0
    for number, (_, state) in enumerate(replay_record(record), start=DEAL):
        # The same state again and again: whoever needs it later copies it.
        yield Position(number, state, state.events[seen:])
        seen = len(state.events)


def _when(decision: int, count: int) -> str:
    return "the deal" if decision == DEAL else f"decision {decision} of {count - 1}"


def _draw(
    game: AnyGame,
    record: Record,
    position: Position,
    seat: int | None,
    width: int,
    size: tuple[int, int] | None,
) -> DrawnTable:
    names = [plain(name) for name in player_names(record)]
    number, state, events = position
    view = game.view_of(state, max(state.to_act, 0) if seat is None else seat)
    variant = " ".join(variant_words(game, state.parameters))
    head = PictureTitle(
        f"{game.title}, {variant}",
        _when(number, len(record.decisions)),
        " ".join(game.narrate(event, names) for event in events[:2]),
    )
    art = art_of(game, state.parameters)
    zones = zones_of(game, state, view, seat)
    drawn = draw(zones, art, head, names, width=width)
    if size and drawn.height * size[0] > width * size[1]:
        # Too tall for its frame: in a wider one it appears larger.
        width = round(math.sqrt(width * drawn.height * size[0] / size[1]))
        drawn = draw(zones, art, head, names, width=width)
    return drawn


def zones_of(game: AnyGame, state: Any, view: Any, seat: int | None = None) -> list[Zone]:
    """Say where the pieces lie; a game without pictures has scores only."""
    if drawing_of(game) == "notation":
        scores = enumerate(state.scores())
        return [Zone(f"{score} {game.score_word}", [], seat=seat) for seat, score in scores]
    module = import_module(f"{type(game).__module__}.picture")
    hidden = game.hidden_cards(state) if seat is None else None
    zones: list[Zone] = module.picture(view, hidden=hidden)
    return zones


class Row(NamedTuple):
    """A line of a preview: a bot, a number, and a bar for it."""

    name: str
    text: str
    share: float
    """The length of the bar, from 0 to 1."""


def preview_of(title: str, about: str, rows: Sequence[Row]) -> str:
    """Draw what a link to an event or a bot looks like: a title, and bars."""
    width, height = PREVIEW
    parts = [
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        _line(title, 60, 92, 52, INK, bold=True, most=38),
        _line(about, 60, 142, 28, SOFT, most=72),
    ]
    for at, row in enumerate(rows[:_ROWS]):
        top = 186 + at * 60
        bar = max(4.0, 430 * min(1.0, max(0.0, row.share)))
        parts += [
            f'<rect x="60" y="{top}" width="1080" height="50" rx="8" fill="{SURFACE}"/>',
            words(at + 1, 88, top + 34, 24, fill=SOFT),
            _line(row.name, 120, top + 34, 26, INK, bold=not at, most=28),
            f'<rect x="540" y="{top + 14}" width="{bar:.0f}" height="22" rx="4" '
            f'fill="{"#2458c9" if not at else "#9fb6e4"}"/>',
            _line(row.text, 1124, top + 34, 24, INK, most=16, more='text-anchor="end"'),
        ]
    label = escape(f"{title}. {about}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{label}" '
        f"font-family=\"system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\">"
        f"<title>{label}</title>{''.join(parts)}</svg>\n"
    )


def _line(
    text: str,
    x: int,
    y: int,
    size: int,
    fill: str,
    *,
    most: int,
    bold: bool = False,
    more: str = "",
) -> str:
    text = plain(text)
    text = text if len(text) <= most else f"{text[: most - 1]}…"
    weight = ' font-weight="700"' if bold else ""
    place = f'x="{x}" y="{y}" font-size="{size}" fill="{fill}"'
    return f"<text {place}{weight} {more}>{escape(text)}</text>"


_RENDERERS = (
    ("resvg", "{svg}", "{png}"),
    ("rsvg-convert", "-o", "{png}", "{svg}"),
    ("inkscape", "--export-filename={png}", "{svg}"),
    (
        "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
        "--screenshot={png}", "--window-size={width},{height}", "file://{svg}",
    ),
)  # fmt: skip
"""Programs that turn SVG into PNG, the fastest first."""


def can_make_png(*, quickly: bool = False) -> bool:
    """Tell whether a program for PNG is installed; `quickly` leaves out browsers."""
    known = _RENDERERS[:-1] if quickly else _RENDERERS
    return any(shutil.which(command[0]) for command in known)


def png_of(svg: str, size: tuple[int, int] = PREVIEW) -> bytes:
    """Turn a picture into PNG with a program that is installed."""
    for command in _RENDERERS:
        if program := shutil.which(command[0]):
            return _run(program, command[1:], svg, size)
    names = ", ".join(command[0] for command in _RENDERERS)
    raise PlatformError(f"no program for PNG is installed ({names}): write .svg instead")


def _run(program: str, words: Sequence[str], svg: str, size: tuple[int, int]) -> bytes:
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "picture.svg"), Path(folder, "picture.png")
        source.write_text(svg, encoding="utf-8")
        values = {"svg": source, "png": target, "width": size[0], "height": size[1]}
        command = [program, *(word.format(**values) for word in words)]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=_PNG_S)
            return target.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise PlatformError(f"{program} cannot make a PNG: {plain(str(error))}") from None

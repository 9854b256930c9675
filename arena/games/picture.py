"""Pictures of a table: what cards, tokens and dice look like, and how a position is laid out.

Each game has a module `picture`, which draws its pieces and says which of them lie where. Pages
show the same pieces. A picture is SVG without scripts, fonts or links: any program can show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

WIDTH = 1200
SEAT_COLOURS = ("#2a66d9", "#b34e07", "#1c7a4c", "#a3359a", "#0c7286", "#a33030")
"""The colours of the seats, as on pages: white text can be read on them."""
INK, SOFT, PAPER, FELT, SURFACE = "#1c232b", "#5a6572", "#f3f1ec", "#e4ece0", "#ffffff"
_FONT = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
_GAP = 16
_PADDING = 14
_HEAD = 30
"""Height of the title of a zone."""
_UNDER = 20
"""Height of the words below a piece."""


class Piece(NamedTuple):
    """What a card, a token or a die looks like."""

    width: int
    height: int
    markup: str
    label: str
    """For readers who do not see it."""
    tip: str = ""
    """What it does in the game."""


class Placed(NamedTuple):
    """A piece in a picture."""

    piece: str
    under: str = ""
    """A word or two below it."""
    is_lit: bool = False
    """Whether it has just been played, taken or turned up."""
    seat: int = -1
    """Whose colour it has; -1 for a piece of nobody."""


class Zone(NamedTuple):
    """A part of the table, or what lies in front of a seat."""

    title: str
    rows: Sequence[Sequence[Placed]]
    note: str = ""
    seat: int = -1
    """-1 for the middle of the table."""


class PictureTitle(NamedTuple):
    """The words of a picture."""

    title: str
    about: str
    """At the right of the title."""
    caption: str = ""
    """Below the table: what has just happened."""


def card(markup: str, label: str, tip: str = "", *, edge: str = "#b9b3a4") -> Piece:
    """Draw a card with something on it, in a square of 60 by 84."""
    frame = f'<rect x="1" y="1" width="58" height="82" rx="7" fill="#fffdf7" stroke="{edge}" \
stroke-width="2"/>'
    return Piece(60, 84, frame + markup, label, tip)


def card_back(motif: str, colour: str = "#6c7f9c") -> Piece:
    """Draw the back of a card; the motif is drawn around the origin, 20 units wide."""
    spots = "".join(
        f'<g transform="translate({x} {y}) scale(.62)" opacity=".55">{motif}</g>'
        for x, y in ((17, 20), (43, 20), (30, 42), (17, 64), (43, 64))
    )
    frame = f'<rect x="1" y="1" width="58" height="82" rx="7" fill="{colour}" stroke="#fff" \
stroke-width="2"/><rect x="5" y="5" width="50" height="74" rx="4" fill="none" stroke="#fff" \
stroke-opacity=".5"/>'
    return Piece(60, 84, f'{frame}<g fill="#fff">{spots}</g>', "face down")


def no_card(label: str, tip: str = "") -> Piece:
    """Draw the place of a card that is not there."""
    outline = (
        '<rect x="2" y="2" width="56" height="80" rx="7" fill="none" stroke="#9aa6b3" '
        'stroke-width="2" stroke-dasharray="5 4"/>'
    )
    return Piece(60, 84, outline, label, tip)


def words(text: object, x: float, y: float, size: float, *, fill: str = INK, more: str = "") -> str:
    """Write a word around a point, in bold."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-weight="700" text-anchor="middle" '
        f'fill="{fill}" {more}>{escape(str(text))}</text>'
    )


def symbol_id(name: str) -> str:
    """Return the id of a piece's drawing in a document."""
    return f"piece-{name.replace(' ', '-')}"


def symbols(pieces: Mapping[str, Piece], shared: str = "") -> str:
    """Write the drawings of pieces, to be used by their ids; `shared` is what they use."""
    drawn = "".join(
        f'<symbol id="{escape(symbol_id(name))}" viewBox="0 0 {each.width} {each.height}">'
        f"{each.markup}</symbol>"
        for name, each in pieces.items()
    )
    return f"{shared}{drawn}"


class Art(NamedTuple):
    """All that the pictures of a game are drawn with."""

    pieces: Mapping[str, Piece]
    shared: str = ""
    """SVG definitions that the pieces use."""


class DrawnTable(NamedTuple):
    """A drawn table."""

    markup: str
    """Without the drawings of the pieces."""
    width: int
    height: int
    used: frozenset[str]
    """The names of its pieces."""


def draw(
    zones: Sequence[Zone], art: Art, head: PictureTitle, names: Sequence[str], *, width: int = WIDTH
) -> DrawnTable:
    """Lay out a table: the middle above, the seats below. The narrower, the larger it appears."""
    pen = _Pen(art, names, width)
    middle = [zone for zone in zones if zone.seat < 0 and any(zone.rows)]
    seats = [zone for zone in zones if zone.seat >= 0]
    top = pen.head(head)
    top = pen.row(middle, top, 1.0, _shares(middle, art))
    columns = 3 if len(seats) in (3, 5, 6) else 2
    for at in range(0, len(seats), columns):
        top = pen.row(seats[at : at + columns], top, 0.72, [1] * columns)
    if head.caption:
        pen.text(_cut(head.caption, width // 12), _GAP + 8, top + 22, 21, SOFT)
        top += 36
    return DrawnTable("".join(pen.parts), width, round(top) + _GAP // 2, frozenset(pen.used))


def _shares(zones: Sequence[Zone], art: Art) -> list[float]:
    """Return how wide zones want to be, compared with each other."""
    return [
        max(120.0, max(sum(art.pieces[each.piece].width + 8 for each in row) for row in zone.rows))
        for zone in zones
    ]


class _Pen:
    """Writes SVG, and remembers which pieces it used."""

    def __init__(self, art: Art, names: Sequence[str], width: int) -> None:
        self._width = width
        self.parts: list[str] = []
        self.used: set[str] = set()
        self._art = art
        self._names = names

    def text(self, text: str, x: float, y: float, size: float, fill: str, more: str = "") -> None:
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" {more}>{escape(text)}'
            "</text>"
        )

    def head(self, head: PictureTitle) -> float:
        """Write the words above the table; return where it begins."""
        self.text(_cut(head.title, self._width // 26), _GAP + 8, 46, 32, INK, 'font-weight="700"')
        end = self._width - _GAP - 8
        self.text(_cut(head.about, 26), end, 45, 20, SOFT, 'text-anchor="end"')
        return 66.0

    def row(
        self, zones: Sequence[Zone], top: float, scale: float, shares: Sequence[float]
    ) -> float:
        """Draw zones side by side; return where the next row begins."""
        if not zones:
            return top
        room = self._width - _GAP * (len(shares) + 1)
        widths = [room * share / sum(shares) for share in shares]
        heights = [
            self._height(zone, width, scale) for zone, width in zip(zones, widths, strict=False)
        ]
        left = float(_GAP)
        for zone, width in zip(zones, widths, strict=False):
            self._zone(zone, left, top, width, max(heights), scale)
            left += width + _GAP
        return top + max(heights) + _GAP

    def _lines(self, row: Sequence[Placed], width: float, scale: float) -> list[list[Placed]]:
        """Break a row of pieces where the zone ends."""
        lines: list[list[Placed]] = [[]]
        used = 0.0
        for placed in row:
            size = self._art.pieces[placed.piece].width * scale + 6
            if used + size > width - 2 * _PADDING and lines[-1]:
                lines.append([])
                used = 0.0
            lines[-1].append(placed)
            used += size
        return lines

    def _line_height(self, line: Sequence[Placed], scale: float) -> float:
        height = max((self._art.pieces[each.piece].height for each in line), default=0) * scale
        return height + (_UNDER if any(each.under for each in line) else 0) + 8

    def _height(self, zone: Zone, width: float, scale: float) -> float:
        lines = [line for row in zone.rows if row for line in self._lines(row, width, scale)]
        height = sum(self._line_height(line, scale) for line in lines)
        return _HEAD + height + (24 if zone.note else 0) + _PADDING

    def _zone(
        self, zone: Zone, left: float, top: float, width: float, height: float, scale: float
    ) -> None:
        is_seat = zone.seat >= 0
        fill, edge = (SURFACE, "#d5d2ca") if is_seat else (FELT, FELT)
        self.parts.append(
            f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="10" '
            f'fill="{fill}" stroke="{edge}"/>'
        )
        x, y = left + _PADDING, top + 24
        if is_seat:
            colour = SEAT_COLOURS[zone.seat]
            self.parts.append(
                f'<circle cx="{x + 10:g}" cy="{y - 6:g}" r="11" fill="{colour}"/>'
                + words(zone.seat, x + 10, y - 1, 15, fill="#fff")
            )
            self.text(
                _cut(self._names[zone.seat], round(width / 18)),
                x + 28,
                y,
                18,
                INK,
                'font-weight="700"',
            )
            right = left + width - _PADDING
            self.text(zone.title, right, y, 17, INK, 'font-weight="600" text-anchor="end"')
        else:
            self.text(zone.title, x, y, 16, SOFT, 'font-weight="600"')
        line_top = top + _HEAD + 6
        for row in zone.rows:
            for line in self._lines(row, width, scale) if row else ():
                self._pieces(line, x, line_top, scale)
                line_top += self._line_height(line, scale)
        if zone.note:
            self.text(_cut(zone.note, round(width / 8)), x, line_top + 14, 15, SOFT)

    def _pieces(self, line: Sequence[Placed], left: float, top: float, scale: float) -> None:
        tallest = max(self._art.pieces[each.piece].height for each in line) * scale
        for placed in line:
            piece = self._art.pieces[placed.piece]
            width, height = piece.width * scale, piece.height * scale
            y = top + tallest - height
            self.used.add(placed.piece)
            colour = f' color="{SEAT_COLOURS[placed.seat]}"' if placed.seat >= 0 else ""
            if placed.is_lit:
                self.parts.append(
                    f'<rect x="{left - 3:g}" y="{y - 3:g}" width="{width + 6:g}" '
                    f'height="{height + 6:g}" rx="9" fill="#e0a100"/>'
                )
            self.parts.append(
                f'<use href="#{escape(symbol_id(placed.piece))}" x="{left:g}" y="{y:g}" '
                f'width="{width:g}" height="{height:g}"{colour}/>'
            )
            if placed.under:
                below = top + tallest + 17
                self.text(placed.under, left + width / 2, below, 14, SOFT, 'text-anchor="middle"')
            left += width + 6


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def document(
    pictures: Sequence[DrawnTable],
    art: Art,
    *,
    label: str,
    size: tuple[int, int] | None = None,
    seconds: float = 1.5,
) -> str:
    """Write a picture as a file; several are shown one after another.

    With a size, the picture is fitted into it. Who asked their system for less motion sees the last
    one only.
    """
    used = {name: art.pieces[name] for picture in pictures for name in sorted(picture.used)}
    width = max(picture.width for picture in pictures)
    height = max(picture.height for picture in pictures)
    box = f"0 0 {width} {height}"
    if size:
        # Room is added at the sides or below, never cut.
        wanted = size[1] / size[0]
        if height / width < wanted:
            box = f"0 {-(width * wanted - height) / 2:g} {width} {width * wanted:g}"
        else:
            box = f"{-(height / wanted - width) / 2:g} 0 {height / wanted:g} {height}"
    shown_width, shown_height = size or (width, height)
    left, top, *extent = (float(number) for number in box.split())
    background = (
        f'<rect x="{left:g}" y="{top:g}" width="{extent[0]:g}" height="{extent[1]:g}" '
        f'fill="{PAPER}"/>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{shown_width}" '
        f'height="{shown_height}" role="img" aria-label="{escape(label)}" font-family="{_FONT}">'
        f"<title>{escape(label)}</title>{_motion(len(pictures), seconds)}"
        f"<defs>{symbols(used, art.shared)}</defs>{background}{''.join(_frames(pictures))}</svg>\n"
    )


def _frames(pictures: Sequence[DrawnTable]) -> Iterable[str]:
    if len(pictures) == 1:
        yield pictures[0].markup
        return
    for number, picture in enumerate(pictures):
        yield f'<g class="frame" id="frame-{number}">{picture.markup}</g>'


def _motion(count: int, seconds: float) -> str:
    """Return the style that shows frames in turn; the last one stays three times as long."""
    if count == 1:
        return ""
    parts = count + 2
    last = f"#frame-{count - 1}"
    rules = [
        f".frame{{visibility:hidden;animation:show {parts * seconds:g}s steps(1) infinite}}",
        f"@keyframes show{{0%{{visibility:visible}}{100 / parts:g}%{{visibility:hidden}}}}",
        f"{last}{{animation-name:stay}}",
        f"@keyframes stay{{0%{{visibility:visible}}{300 / parts:g}%{{visibility:hidden}}}}",
        *(f"#frame-{n}{{animation-delay:{n * seconds:g}s}}" for n in range(count)),
        f"@media(prefers-reduced-motion:reduce){{.frame{{animation:none}}{last}"
        "{visibility:visible}}",
    ]
    return f"<style>{''.join(rules)}</style>"

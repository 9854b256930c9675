"""The curve of a training as a picture: share of the points against greedy, by matches played."""

from __future__ import annotations

from collections.abc import Sequence

_WIDTH, _HEIGHT, _MARGIN = 640, 320, 48


def curve_svg(curve: Sequence[tuple[int, float, float]], *, title: str) -> str:
    """Draw measurements with their 95 % intervals; a line marks equal strength."""
    most = max((matches for matches, _, _ in curve), default=1) or 1
    points = [(_x(matches / most), _y(share)) for matches, share, _ in curve]
    band = [(_x(matches / most), _y(share + 1.96 * error)) for matches, share, error in curve]
    band += [
        (_x(matches / most), _y(share - 1.96 * error)) for matches, share, error in reversed(curve)
    ]
    levels = "".join(_level(share) for share in (0.0, 0.25, 0.5, 0.75, 1.0))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'font-family="sans-serif" font-size="12" role="img" aria-label="{title}">\n'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>\n'
        f'<text x="{_MARGIN}" y="20" font-size="14">{title}</text>\n{levels}'
        f'<polygon points="{_path(band)}" fill="#c6dbef"/>\n'
        f'<polyline points="{_path(points)}" fill="none" stroke="#08519c" stroke-width="2"/>\n'
        f'<text x="{_WIDTH - _MARGIN}" y="{_HEIGHT - 12}" text-anchor="end">'
        f"{most:,} matches against itself</text>\n</svg>\n"
    )


def _x(share: float) -> float:
    return _MARGIN + share * (_WIDTH - 2 * _MARGIN)


def _y(share: float) -> float:
    return _HEIGHT - _MARGIN - min(max(share, 0), 1) * (_HEIGHT - 2 * _MARGIN)


def _level(share: float) -> str:
    y = _y(share)
    style = "#444" if share == 0.5 else "#ddd"
    return (
        f'<line x1="{_MARGIN}" x2="{_WIDTH - _MARGIN}" y1="{y:.1f}" y2="{y:.1f}" stroke="{style}"/>'
        f'<text x="{_MARGIN - 6}" y="{y + 4:.1f}" text-anchor="end">{share:g}</text>\n'
    )


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)

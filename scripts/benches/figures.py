"""Print the figures of a bench, indented under their names or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping


def print_figures(figures: Mapping[str, object]) -> None:
    """Print figures by name; as JSON if the command line has `--json`."""
    if "--json" in sys.argv[1:]:
        print(json.dumps(figures, indent=2))
    else:
        print("\n".join(_lines(figures, "")))


def _lines(figures: Mapping[str, object], indent: str) -> Iterator[str]:
    for name, figure in figures.items():
        if isinstance(figure, Mapping):
            yield f"{indent}{name}"
            yield from _lines(figure, indent + "  ")
        else:
            shown = f"{figure:,}" if isinstance(figure, int | float) else figure
            yield f"{indent + str(name):36} {shown:>12}"

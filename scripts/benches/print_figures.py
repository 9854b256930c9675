"""Print the figures of a bench, as a table or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping


def print_figures(figures: Mapping[str, object]) -> None:
    """Print figures by name; as JSON if the command line has `--json`."""
    if "--json" in sys.argv[1:]:
        print(json.dumps(figures, indent=2))
    else:
        for name, figure in figures.items():
            print(f"{name:24} {figure}")

"""Which attack is held by which cage? Prints a table: attack × way of starting."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from tests.escapes.attack import Attack, verdict
from tests.escapes.attacks import ATTACKS
from tests.escapes.ways import (
    OUTSIDE,
    OUTSIDE_AS_ROOT,
    Way,
    is_root,
    is_tried,
    outside_of,
    results_of,
    ways_here,
)

_NOT_RUN = "-"


def main() -> None:
    """Run all attacks in all ways and print what came of them."""
    ways = ways_here()
    results = {way: _tried(way, [each for each in ATTACKS if is_tried(way, each)]) for way in ways}
    for outside in (OUTSIDE, *([OUTSIDE_AS_ROOT] if is_root() else [])):
        results[outside] = _tried(
            outside, [each for each in ATTACKS if outside_of(each) == outside]
        )
    heads = ["attack", "outside", *(way.name for way in ways)]
    rows = [[attack.title, *_row(attack, ways, results)] for attack in ATTACKS]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, ["-" * width for width in widths], *rows):
        line = " | ".join(word.ljust(width) for word, width in zip(row, widths, strict=True))
        print(f"| {line} |")
    _print_notes(results, ways)


def _tried(way: Way, attacks: Sequence[Attack]) -> dict[str, Any]:
    print(f"{way.name}: {len(attacks)} attacks, which take a minute", file=sys.stderr)
    return results_of(way, attacks)


def _row(attack: Attack, ways: list[Way], results: dict[Way, dict[str, Any]]) -> list[str]:
    outside = outside_of(attack)
    return [
        _cell(attack, outside, results[outside]) if outside else _NOT_RUN,
        *(_cell(attack, way, results[way]) for way in ways),
    ]


def _cell(attack: Attack, way: Way, result: dict[str, Any]) -> str:
    if "cannot" in result or not is_tried(way, attack):
        return _NOT_RUN
    found = result["results"][attack.title]
    judged = verdict(attack, found, kind=way.kind).value
    return f"{judged}: {found['over']}" if found["over"] else judged


def _print_notes(results: dict[Way, dict[str, Any]], ways: list[Way]) -> None:
    for attack in ATTACKS:
        reason = attack.untried_outside(is_root=is_root())
        if reason:
            print(f"{attack.title}: not tried outside, because {reason}")
        for name, why in attack.open_in.items():
            print(f"{attack.title}: open in {name}, because {why}")
    for way in ways:
        if "cannot" in results[way]:
            print(f"{way.name}: cannot be tried: {results[way]['cannot']}")


if __name__ == "__main__":
    main()

"""Print a table of all attacks: which cage holds which attack."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from tests.escapes.attack import Attack, verdict
from tests.escapes.attacks import ATTACKS
from tests.escapes.setups import (
    OUTSIDE,
    OUTSIDE_AS_ROOT,
    Setup,
    available_setups,
    is_root,
    outside_setup,
    results_of,
)

_NOT_RUN = "-"


def main() -> None:
    """Run all attacks in all setups and print the results."""
    setups = available_setups()
    results = {setup: _run(setup, ATTACKS) for setup in setups}
    for outside in (OUTSIDE, *([OUTSIDE_AS_ROOT] if is_root() else [])):
        results[outside] = _run(
            outside, [each for each in ATTACKS if outside_setup(each) == outside]
        )
    heads = ["attack", "outside", *(setup.name for setup in setups)]
    rows = [[attack.title, *_row(attack, setups, results)] for attack in ATTACKS]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, ["-" * width for width in widths], *rows):
        line = " | ".join(word.ljust(width) for word, width in zip(row, widths, strict=True))
        print(f"| {line} |")
    _print_notes(results, setups)


def _run(setup: Setup, attacks: Sequence[Attack]) -> dict[str, Any]:
    print(f"{setup.name}: {len(attacks)} attacks, about a minute", file=sys.stderr)
    return results_of(setup, attacks)


def _row(attack: Attack, setups: list[Setup], results: dict[Setup, dict[str, Any]]) -> list[str]:
    outside = outside_setup(attack)
    return [
        _cell(attack, outside, results[outside]) if outside else _NOT_RUN,
        *(_cell(attack, setup, results[setup]) for setup in setups),
    ]


def _cell(attack: Attack, setup: Setup, result: dict[str, Any]) -> str:
    if "cannot" in result:
        return _NOT_RUN
    found = result["results"][attack.title]
    judged = verdict(attack, found, kind=setup.kind).value
    return f"{judged}: {found['over']}" if found["over"] else judged


def _print_notes(results: dict[Setup, dict[str, Any]], setups: list[Setup]) -> None:
    for attack in ATTACKS:
        reason = attack.untried_outside(is_root=is_root())
        if reason:
            print(f"{attack.title}: not tried outside: {reason}")
        for name, why in attack.open_in.items():
            print(f"{attack.title}: open in {name}: {why}")
    for setup in setups:
        if "cannot" in results[setup]:
            print(f"{setup.name}: not available: {results[setup]['cannot']}")


if __name__ == "__main__":
    main()

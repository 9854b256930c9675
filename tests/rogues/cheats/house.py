"""Load the programs of house bots, whose evaluation the cheats reuse."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent


def house_program(name: str) -> Path:
    """Return the path of a house bot's program, next to this file or in the checkout."""
    beside = HERE / f"{name}.py"
    return beside if beside.exists() else HERE.parents[2] / "bots" / name / "bot.py"


def house_bot(name: str) -> Any:
    """Load a house bot's program as a module; its content is not typed, hence Any."""
    spec = spec_from_file_location(f"house {name}", house_program(name))
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _Legal(NamedTuple):
    """The attributes that a greedy bot uses."""

    actions: Sequence[int]

    def legal_actions(self, view: Any) -> Sequence[int]:
        return self.actions


def greedy_choice(bot: Any, view: Any, legal: Sequence[int]) -> int:
    """Return what a greedy bot would choose; views have different types in each game, hence Any."""
    return int(bot.choose(_Legal(legal), view))

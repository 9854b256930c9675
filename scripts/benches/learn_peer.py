"""Play random matches in PettingZoo's own card games, and in RLCard's environments.

Runs in a separate environment, where they are installed. Reads lines of `library game seconds` and
answers each with the number of decisions made and the seconds they took.
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from typing import Any

from learn_loops import pettingzoo_steps, rlcard_steps

_environments: dict[str, Any] = {}


def environment(library: str, name: str) -> Any:
    """Make an environment of RLCard, or one of PettingZoo's classic games without wrappers."""
    if name not in _environments:
        if library == "rlcard":
            _environments[name] = import_module("rlcard").make(name)
        else:
            _environments[name] = import_module(f"pettingzoo.classic.{name}").raw_env()
    return _environments[name]


def main() -> None:
    """Answer until the input ends."""
    # The libraries print to stdout, which must contain only the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    # PettingZoo will rename what makes its environments, and Gymnasium rounds their bounds.
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        library, name, seconds = line.split()
        play = rlcard_steps if library == "rlcard" else pettingzoo_steps
        steps, took = play(environment(library, name), float(seconds))
        print(steps, took, file=answers, flush=True)


if __name__ == "__main__":
    main()

"""What came of one attack: `python -m probes GROUP.NAME` makes it and prints a line of JSON.

An attack is a function that says what it got. One that is refused raises an error.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module

from .kit import Contained

group, _, name = sys.argv[1].partition(".")
attack = getattr(import_module(f".{group}", __package__), name)
try:
    verdict = {"escaped": True, "detail": attack()}
except (Contained, OSError, MemoryError) as error:
    verdict = {"escaped": False, "detail": str(error) or type(error).__name__}
print(json.dumps(verdict), flush=True)
# Threads and what is left of the attack are not waited for.
os._exit(0)

"""Run one attack: `python -m probes GROUP.NAME` prints its result as a line of JSON.

An attack is a function that returns what it achieved; if it is refused, it raises an error. Or it
is a channel between two bots.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module

from .common import Contained
from .pairs import take_part

group, _, name = sys.argv[1].partition(".")
attack = getattr(import_module(f".{group}", __package__), name)
try:
    detail = take_part(attack()) if isinstance(attack, type) else attack()
    verdict = {"escaped": True, "detail": detail}
except (Contained, OSError, MemoryError) as error:
    verdict = {"escaped": False, "detail": str(error) or type(error).__name__}
print(json.dumps(verdict), flush=True)
# Do not wait for threads and other remains of the attack.
os._exit(0)

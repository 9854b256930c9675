"""Make the training and the modules of the bot importable, as scripts/train does."""

from __future__ import annotations

import sys

from tests.bots.inprocess import BOTS

sys.path += [str(BOTS / "learned-meow"), str(BOTS.parent / "scripts")]

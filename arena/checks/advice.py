"""Advice about a failed step: what its author can do, for the most frequent causes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arena.submission.manifest import MANIFEST, Manifest

_NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '([^']+)'")
_NO_NODE_MODULE = re.compile(r"Error: Cannot find module '([^./][^']*)'")
_NETWORK = re.compile(
    r"name resolution|getaddrinfo|EAI_AGAIN|ENETUNREACH|Network is unreachable|URLError"
    r"|Name or service not known|ConnectionRefusedError|nodename nor servname"
)
_STACK = re.compile(r'File "/?(?:[^"]*/)?([^"/]+)", line (\d+) in (\S+)')
_STACK_TITLE = "(most recent call first)"
"""What the SDK prints above the stack of a bot that has overrun its clock."""
NOT_DETERMINISTIC = (
    "the usual causes are random numbers of its own (use self.rng), what it keeps from one "
    "match to the next (keep it in self.match.memory), and a search until a time is up, which may "
    "be what you want"
)


def advice_on(sentence: str, printed: bytes, bot: Manifest | None = None) -> str:
    """Return what to do about a failure, given what the bot printed; empty if that is not known."""
    text = f"{sentence}\n{printed.decode(errors='replace')}"
    if missing := _NO_NODE_MODULE.search(text):
        folder = bot.folder.name if bot else "its folder"
        return f"{missing[1]} is not installed: run `npm install` in {folder}"
    if missing := _NO_MODULE.search(text):
        return _about_module(missing[1].partition(".")[0], bot)
    if _NETWORK.search(text):
        return "a bot in a cage has no network: keep what it needs in its own folder"
    if sentence.startswith("it was too slow") or _STACK_TITLE in text:
        where = _STACK.findall(text)
        hung = f"it was in {where[0][2]}, line {where[0][1]} of {where[0][0]}; " if where else ""
        return (
            f"{hung}to see it in a debugger, save a match (`arena play --save`) and run `arena "
            "reproduce --pdb`"
        )
    return ""


def hides_output(sentence: str, printed: bytes) -> bool:
    """Tell whether the advice says all that matters, so that a long traceback need not be shown."""
    text = f"{sentence}\n{printed.decode(errors='replace')}"
    return any(pattern.search(text) for pattern in (_NETWORK, _NO_NODE_MODULE))


def without_sdk(lines: Sequence[str]) -> list[str]:
    """Leave out the lines of a stack that are in the SDK: its author can do nothing there."""
    return [line for line in lines if "site-packages/arena/sdk/" not in line]


def _about_module(name: str, bot: Manifest | None) -> str:
    if bot and bot.only:
        return (
            f"a single file plays without {name}: make a folder with a {MANIFEST} that lists it in "
            "requirements, or with the module itself"
        )
    return f'add it to {MANIFEST}: requirements = ["{name}"]'

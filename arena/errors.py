"""What kinds of errors can this package raise, and what exit code does each deserve?

ArenaError                   it cannot be done: exit code 1
├── BadInput                 someone asked wrong: exit code 2
│   ├── UnknownGame          no game of that name
│   ├── BadParameter         a match parameter outside what the rules allow
│   ├── BadSeed              a seed that is not a seed
│   ├── BadText              text that is not the notation it should be
│   ├── BadReplay            a replay that is damaged, or not one at all
│   ├── BadLeague            a league's file that is damaged, newer, or none at all
│   ├── BadPackage           a bot's folder that cannot be packed or unpacked
│   └── UnknownName          no bot, version or event of that name
├── LeagueInUse              another process writes the league's file
├── LeagueNotWritten         the disk refuses: full, read-only, or failing
├── PlatformError            this machine cannot run bots now, and no bot is to blame
├── IllegalAction            the rules forbid this action here
└── BrokenGame               a game breaks the contract that every game keeps

An error that only one module knows is declared there, below one of the first two: `BadManifest` in
`arena.manifest`. A bot's misbehaviour is never an exception: it is an ending, recorded with its
match.
"""

from __future__ import annotations

from collections.abc import Iterable


class ArenaError(Exception):
    """Whatever this package raises on purpose."""

    exit_code = 1


class BadInput(ArenaError):
    """The caller asked for something that does not exist or makes no sense."""

    exit_code = 2


class UnknownGame(BadInput):
    """No game has this id."""


class BadParameter(BadInput):
    """A match parameter, or the number of seats, is outside what the rules allow."""


class BadSeed(BadInput):
    """A seed is not the bytes or the number it has to be."""


class BadText(BadInput):
    """A piece of text does not parse as what it claims to be."""


class BadReplay(BadInput):
    """Some bytes are not a replay, or no longer the one that was written."""


class BadLeague(BadInput):
    """A file is not a league, or not one that this arena can read; it has not been changed."""


class BadPackage(BadInput):
    """A bot's folder cannot be packed, or its package not unpacked."""


class UnknownName(BadInput):
    """No bot, version or event has this name."""


class LeagueInUse(ArenaError):
    """Another process writes the league's file; nothing of this one's has been written."""


class LeagueNotWritten(ArenaError):
    """The disk did not take a change; the league's file is as it was before it."""


class PlatformError(ArenaError):
    """This machine cannot run bots now, and no bot is to blame: a full disk, a lost cache."""


class IllegalAction(ArenaError):
    """The rules forbid this action in this position; the state has not moved."""


class BrokenGame(ArenaError):
    """A game breaks the contract of `arena.games.core`."""


_LISTED = 20
"""A league may have thousands of names; this many are enough to see what they look like."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """End a sentence about a word that does not exist with the one that was probably meant."""
    # Imported here, because every bot imports this module and few ever misspell a name.
    from difflib import get_close_matches

    words = {each.lower(): each for each in known}
    near = get_close_matches(word.lower(), words, n=1)
    if near:
        return f"did you mean {words[near[0]]}?"
    some = ", ".join(list(words.values())[:_LISTED])
    more = f" and {len(words) - _LISTED} more" if len(words) > _LISTED else ""
    return f"there are {some}{more}"

"""The errors of this package, with their exit codes.

ArenaError                   failure: exit code 1
├── BadInput                 usage error: exit code 2
│   ├── UnknownGame          unknown game
│   ├── BadParameter         a match parameter that the rules do not allow
│   ├── BadSeed              an invalid seed
│   ├── BadText              text that cannot be parsed
│   ├── BadReplay            a file that is damaged or not a replay
│   ├── BadLeague            a file that is damaged, too new or not a league
│   ├── BadPackage           a bot that cannot be packed or unpacked
│   └── UnknownName          unknown bot, version or event
├── LeagueInUse              another process is writing to the league
├── LeagueNotWritten         the disk is full, read-only or failing
│   └── LeagueMoved          it is no longer at its path
├── PlatformError            this machine cannot run bots; no bot is at fault
├── IllegalAction            the rules forbid this action here
└── BrokenGame               a game violates the contract of all games

An error that only one module raises is defined there, as a subclass of one of the first two: for
example `BadManifest` in `arena.submission.manifest`. The fault of a bot is never an exception: it
is an ending, recorded with its match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

from collections.abc import Iterable


class ArenaError(Exception):
    """Base class of all errors that this package raises on purpose."""

    exit_code = 1


class BadInput(ArenaError):
    """The caller asked for something that does not exist or makes no sense."""

    exit_code = 2


class UnknownGame(BadInput):
    """No game has this id."""


class BadParameter(BadInput):
    """A match parameter, or the number of seats, is outside what the rules allow."""


class BadSeed(BadInput):
    """A seed has the wrong type, size or value."""


class BadText(BadInput):
    """A text cannot be parsed."""


class BadReplay(BadInput):
    """Data is not a replay, or has been changed since it was written."""


class BadLeague(BadInput):
    """A file is not a league that this version can read; the file is unchanged."""


class BadPackage(BadInput):
    """A bot's folder cannot be packed, or its package cannot be unpacked."""


class UnknownName(BadInput):
    """No bot, version or event has this name."""


class LeagueInUse(ArenaError):
    """Another process is writing to the league; nothing was written."""


class LeagueNotWritten(ArenaError):
    """A change could not be written to disk; the league is unchanged."""


class LeagueMoved(LeagueNotWritten):
    """The league is no longer at its path; what was stored before is somewhere else."""

    def __init__(self, message: str, path: Path) -> None:
        """Say so; `path` is where the league is now, as far as that is known."""
        super().__init__(message)
        self.path = path


class PlatformError(ArenaError):
    """This machine cannot run bots, for example because its disk is full; no bot is at fault."""


class IllegalAction(ArenaError):
    """The rules forbid this action in this position; the state is unchanged."""


class BrokenGame(ArenaError):
    """A game violates the contract of `arena.games.core`."""


_LISTED = 20
"""Maximum number of names to list."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the closest known word as a question, or a list of known words."""
    # Imported here: every bot imports this module, and few need it.
    from difflib import get_close_matches

    words = {each.lower(): each for each in known}
    near = get_close_matches(word.lower(), words, n=1)
    if near:
        return f"did you mean {words[near[0]]}?"
    some = ", ".join(list(words.values())[:_LISTED])
    more = f" and {len(words) - _LISTED} more" if len(words) > _LISTED else ""
    return f"choose from {some}{more}"

"""The payload of a cage: a bot with everything needed to start it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.environments import Environment
from arena.submission.limits import Limits
from arena.submission.manifest import Manifest


@dataclass(frozen=True, slots=True)
class Payload:
    """A bot with everything needed to start it in a cage."""

    command: Sequence[str]
    """The command, with paths as they are in the cage."""
    folder: Path
    """A copy of the bot's folder."""
    environment: Environment
    bot_variables: Mapping[str, str]
    """Environment variables from the bot's manifest."""
    limits: Limits
    image: Path | None = None
    """The root folder of its cage, if that is not this machine's."""
    prefixes: Sequence[Path] = ()
    """Folders of programs that are installed outside the system folders."""


def command_inside(
    bot: Manifest, program: Path | None, *, folder: str, environment: str
) -> tuple[str, ...]:
    """Return a bot's command as it is in a cage, where these are its folder and environment.

    `program` is the installed program that runs it, if any.
    """
    rest = bot.command[1:]
    if bot.runs_python:
        return (f"{environment}/bin/python", *rest)
    local = bot.local_program()
    return (f"{folder}/{local}" if local else str(program), *rest)

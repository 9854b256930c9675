"""Commands on a league whose matches were played by pretended workers, in no time."""

from __future__ import annotations

from pathlib import Path

from click.testing import Result

from arena.events.spec import Kind, Spec
from tests.cli.commands import arena as typed
from tests.events.leagues import PretendedWorkers, begun, gone_on, league

NAMES = ["ann", "ben", "cat", "dan", "eve"]


def arena(db: Path, *words: str) -> Result:
    """Run a command on a league as a user would type it."""
    return typed(*words, "--db", db)


def crasher(name: str, number: int) -> bool:
    """Let one bot crash in every second match."""
    return name == "cat" and number % 2 == 0


def small_league(folder: Path) -> Path:
    """Make a league with a finished round-robin at MEOW and a Swiss event that was stopped."""
    with league(folder, NAMES) as writer:
        cup = Spec(
            Kind.ROUND_ROBIN, "meow", name="cup", bots=tuple(NAMES), seats=3, deals=2, seed=0
        )
        begun(writer, cup)
        gone_on(writer, "cup", PretendedWorkers(crasher))
        begun(writer, Spec(Kind.SWISS, "trio", name="open", bots=tuple(NAMES), deals=2, seed=0))
        gone_on(writer, "open", PretendedWorkers(), stop_after=5)
    return folder / "arena.db"

"""Move, replace and delete the league's file while an event is played."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.faults.event import Trial


def _disturb(trial: Trial, move: Callable[[Path], object]) -> str:
    """Move the league during the event; return what the event said."""
    with trial.start() as command:
        trial.wait_for_matches(command)
        move(trial.workspace.db)
        _, said = command.output()
    assert command.returncode == 1, said
    return said.splitlines()[-1]


def league_is_renamed(trial: Trial) -> str:
    """Rename the file, and give it its name back."""
    other = trial.workspace.folder / "other.db"
    error = _disturb(trial, lambda db: db.rename(other))
    assert f"was moved to {other}" in error, error
    other.rename(trial.workspace.db)
    trial.finish()
    return "exit 1 with the new path; nothing was lost"


def league_is_deleted(trial: Trial) -> str:
    """Delete the file; what was stored is in another one."""
    error = _disturb(trial, lambda db: db.unlink())
    return _restore(trial, error)


def league_is_replaced(trial: Trial) -> str:
    """Put another file in its place; what was stored is in another one."""

    def replace(db: Path) -> None:
        other = db.with_name("other.db")
        other.write_bytes(trial.league.file)
        other.replace(db)

    return _restore(trial, _disturb(trial, replace))


def _restore(trial: Trial, error: str) -> str:
    saved = trial.workspace.folder / "arena.db-saved"
    assert f"what was stored is in {saved.name}" in error, error
    for log in trial.workspace.folder.glob("arena.db-*m"):
        log.unlink()
    saved.replace(trial.workspace.db)
    trial.finish()
    return "exit 1; what was stored was saved, and went on"


TRIALS = (league_is_renamed, league_is_deleted, league_is_replaced)

"""A league that is moved while it is written is noticed, and nothing that was stored is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import LeagueMoved
from leaderboard.ledger import Ledger
from leaderboard.store import Store
from tests.builders.made_up import (
    NOW,
    make_plan,
    make_results,
    new_event,
    new_league,
    stored_numbers,
)


def rename(db: Path) -> tuple[Path, str]:
    """Rename the file; return where it is, and what is said about it."""
    return db.rename(db.with_name("other.db")), f"{db} was moved to {db.with_name('other.db')}"


def move_folder(db: Path) -> tuple[Path, str]:
    """Move the folder."""
    folder = db.parent.rename(db.parent.with_name("elsewhere"))
    return folder / db.name, f"{db} was moved to {folder / db.name}"


def replace(db: Path) -> tuple[Path, str]:
    """Put another league in its place."""
    other = db.with_name("new.db")
    with Store.open(other, create=True):
        pass
    other.replace(db)
    saved = db.with_name("arena.db-saved")
    return (
        saved,
        f"{db} was deleted or replaced while it was written; what was stored is in {saved}",
    )


def delete(db: Path) -> tuple[Path, str]:
    """Delete the file."""
    db.unlink()
    saved = db.with_name("arena.db-saved")
    return (
        saved,
        f"{db} was deleted or replaced while it was written; what was stored is in {saved}",
    )


Move = Callable[[Path], tuple[Path, str]]


def move_while_writing(db: Path, move: Callable[[Path], object], *, after: int) -> None:
    """Play an event whose league is moved after some matches."""
    with new_league(db) as store, store.writing() as writer:
        event = new_event(writer, make_plan())
        results = make_results(writer, event)
        ledger = Ledger(writer, event.id)
        ledger.finish(results[:after], now=NOW)
        move(db)
        if results[after:]:
            ledger.finish(results[after:], now=NOW)


@pytest.mark.parametrize("after", [4, 12], ids=["during the event", "after the last match"])
@pytest.mark.parametrize("move", [rename, move_folder, replace, delete])
def test_a_league_that_is_moved_is_noticed_and_keeps_what_was_stored(
    tmp_path: Path, move: Move, after: int
) -> None:
    (tmp_path / "folder").mkdir()
    db = tmp_path / "folder" / "arena.db"
    moved: list[tuple[Path, str]] = []

    with pytest.raises(LeagueMoved) as raised:
        move_while_writing(db, lambda path: moved.append(move(path)), after=after)
    place, sentence = moved[0]
    assert str(raised.value).startswith(sentence)
    assert raised.value.path == place
    with Store.open(place) as store:
        assert stored_numbers(store, 1) == set(range(after))
    # No log is left, so that the league is complete wherever it is copied.
    assert not [log for log in tmp_path.rglob("*-wal") if log.stat().st_size]
    assert move is not rename or not list(tmp_path.rglob("*-wal"))

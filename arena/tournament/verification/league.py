"""Check a whole league: its matches, ratings, bots, secrets and journal."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from arena.errors import BadLeague
from arena.tournament.verification.bots import bot_differences
from arena.tournament.verification.events import first_complaint
from arena.tournament.verification.journal import journal_differences, secret_differences
from arena.tournament.verification.ratings import first_difference
from leaderboard.events import all_events, find_event
from leaderboard.file.journal import Head, head_of
from leaderboard.store import Reader


class LeagueCheck(NamedTuple):
    """What was checked, and what was found."""

    head: Head
    events: int
    matches: int
    """How many were replayed."""
    wrong: list[str]
    """A sentence for everything that is wrong."""


def check_league(
    reader: Reader, name: str | None = None, *, published: str | None = None
) -> LeagueCheck:
    """Run all checks, with the matches of one event or of all.

    A check that cannot read the file does not stop the others. `published` is a hash that the
    journal must have.
    """
    head = head_of(reader)
    events = [find_event(reader, name)] if name else all_events(reader)
    replayed: list[int] = []
    checks: list[Callable[[], str | list[str] | None]] = [
        *(partial(first_complaint, reader, each, on_progress=replayed.append) for each in events),
        partial(first_difference, reader),
        partial(bot_differences, reader),
        partial(secret_differences, reader),
        partial(journal_differences, reader),
    ]
    wrong: list[str] = []
    for check in checks:
        try:
            found = check() or []
        except BadLeague as error:
            found = str(error)
        sentences = [found] if isinstance(found, str) else found
        wrong += [sentence for sentence in sentences if sentence not in wrong]
    if published and not reader.row(
        "SELECT 1 FROM journal WHERE hash = ?", [published.strip().lower()]
    ):
        wrong.append(
            f"no entry of the journal has the hash {published}: what was stored until then "
            "was changed, or it is the hash of another league"
        )
    return LeagueCheck(head, len(events), len(replayed), wrong)

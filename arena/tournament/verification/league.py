"""Check a whole league: its matches, ratings, bots, secrets and journal."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from arena.errors import BadLeague
from arena.tournament.verification.bots import bot_differences
from arena.tournament.verification.events import first_complaint
from arena.tournament.verification.journal import journal_differences
from arena.tournament.verification.ratings import first_difference
from arena.tournament.verification.secrets import secret_differences
from leaderboard.events import Event, all_events, find_event
from leaderboard.file.journal import head_of
from leaderboard.store import Reader


class LeagueCheck:
    """Everything that is checked, and what was found."""

    def __init__(self, reader: Reader, name: str | None) -> None:
        self._reader = reader
        self.head = head_of(reader)
        self.events: list[Event] = [find_event(reader, name)] if name else all_events(reader)
        self.matches = 0
        self.wrong: list[str] = []

    def run(self) -> None:
        """Run all checks; one that cannot read the file does not stop the others."""
        for event in self.events:
            self._add(partial(self._event_differences, event))
        self._add(self._rating_differences)
        for check in (bot_differences, secret_differences, journal_differences):
            self._add(partial(check, self._reader))

    def find_published(self, published: str) -> None:
        """Check that an entry of the journal has this hash."""
        row = self._reader.row("SELECT 1 FROM journal WHERE hash = ?", [published.strip().lower()])
        if not row:
            self.wrong.append(
                f"no entry of the journal has the hash {published}: what was stored until then "
                "was changed, or it is the hash of another league"
            )

    def _add(self, check: Callable[[], list[str]]) -> None:
        try:
            self.wrong += check()
        except BadLeague as error:
            if str(error) not in self.wrong:
                self.wrong.append(str(error))

    def _event_differences(self, event: Event) -> list[str]:
        complaint = first_complaint(self._reader, event, on_progress=self._count)
        return [complaint] if complaint else []

    def _rating_differences(self) -> list[str]:
        difference = first_difference(self._reader)
        return [str(difference)] if difference else []

    def _count(self, done: int) -> None:
        self.matches += 1


def differences_in(reader: Reader) -> list[str]:
    """Return everything that is wrong with a league, in sentences."""
    check = LeagueCheck(reader, None)
    check.run()
    return check.wrong

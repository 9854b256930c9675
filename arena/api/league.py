"""A league: the file with bots, events, matches, replays and ratings."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.api.replay import Replay, StoredReplay
from arena.api.rows import Ranking, Rows
from arena.errors import ArenaError, BadInput, UnknownName
from arena.games.registry import game_named
from arena.referee.clock import CORES, EVENT_CLOCK, Clock, limited, read_clock
from leaderboard.bots import Version, all_versions, version_with_content
from leaderboard.events import Event, all_events, find_event
from leaderboard.matches import last_match, numbered_replays, replay_of
from leaderboard.queries.leaderboards import LeaderboardRow, leaderboard
from leaderboard.store import Store, Writer

if TYPE_CHECKING:
    from arena.api.checks import CheckReport
    from arena.checks.steps import StepLog
    from arena.tournament.progress import EventProgress
    from arena.tournament.spec import Spec

# Where bots play, modules are imported late: others only read a league.

LEAGUE = "arena.db"
"""The league whose bots can be named, unless another one is given; it need not exist."""


class NoSuchMatch(UnknownName):
    """The league has no such match."""


class CheckFailed(ArenaError):
    """A bot was not submitted, because it does not pass the check."""

    def __init__(self, bot: str, report: CheckReport) -> None:
        """Keep the report, which has all steps."""
        super().__init__(f"{bot} was not submitted: fix the failed steps and try again")
        self.report = report


class Submitted(NamedTuple):
    """The result of submitting a bot."""

    version: Version
    is_new: bool
    """Whether a version was added; otherwise `version` has the same content."""
    check: CheckReport | None = None
    """The check that was run; None if it was known that the content passes."""

    def __repr__(self) -> str:
        """Name the version."""
        return f"<{'Submitted' if self.is_new else 'Unchanged'}: {self.version}>"


class League:
    """A league's file. It is opened for each call, so that others may use it at the same time."""

    def __init__(self, path: str | Path) -> None:
        """Use a file that exists; `open_league` also creates one."""
        self.path = Path(path)

    def __repr__(self) -> str:
        """Name the file."""
        return f"<League {self.path}>"

    def leaderboard(self, game: str | None = None) -> Ranking[LeaderboardRow]:
        """Return the ratings and strengths of all bots, best first, variant by variant."""
        if game is not None:
            game_named(game)
        with Store.open(self.path) as store:
            return Ranking(leaderboard(store, game))

    def events(self) -> Rows[Event]:
        """Return all events, oldest first."""
        with Store.open(self.path) as store:
            return Rows(all_events(store))

    def bots(self) -> Rows[Version]:
        """Return all versions of bots that were submitted or have played."""
        with Store.open(self.path) as store:
            return Rows(all_versions(store))

    def standings(self, event: str) -> Ranking[dict[str, Any]]:
        """Return the standings of an event from the matches that were played so far."""
        from arena.tournament.standing import standing_of

        with Store.open(self.path) as store:
            return Ranking(standing_of(store, find_event(store, event)).rows())

    def matches(self, event: str) -> Rows[dict[str, Any]]:
        """Return the matches of an event, a row for each seat."""
        with Store.open(self.path) as store:
            find_event(store, event)
        return self.query("SELECT * FROM seat_results WHERE event = ?", [event])

    def replay(self, event: str, match: int) -> Replay:
        """Return the verified replay of a match, by the number of the match in its event."""
        return self.stored_replay(event, match).verified()

    def replays(self, event: str) -> Iterator[Replay]:
        """Yield the verified replays of an event, in the order of its schedule."""
        return (stored.verified() for stored in self.stored_replays(event))

    def query(self, sql: str, values: Sequence[Any] = ()) -> Rows[dict[str, Any]]:
        """Return the rows of a query; `arena docs league` describes the views of the file."""
        with Store.open(self.path) as store:
            return Rows(store.records(sql, values))

    def stored_replay(self, event: str, match: int) -> StoredReplay:
        """Return the replay of a match as it is stored."""
        with Store.open(self.path) as store:
            found = find_event(store, event)
            data = replay_of(store, found.id, match)
            last = last_match(store, found.id)
        if data is None:
            yet = "" if found.status == "finished" else " yet"
            known = "" if last is None else f": its last one is {event}/{last}"
            raise NoSuchMatch(f"event {event} has no match {match}{yet}{known}")
        return StoredReplay(f"{event}/{match}", match, data)

    def stored_replays(self, event: str) -> Iterator[StoredReplay]:
        """Yield the replays of an event as they are stored."""
        with Store.open(self.path) as store:
            for number, data in numbered_replays(store, find_event(store, event).id):
                yield StoredReplay(f"{event}/{number}", number, data)

    def limits(self, event: str) -> dict[str, int]:
        """Return the limits of the bots of an event."""
        from arena.tournament.setup import spec_of

        with Store.open(self.path) as store:
            return dict(spec_of(find_event(store, event)).limits)

    def run(
        self,
        spec: Spec,
        *,
        jobs: int = CORES,
        on_progress: Callable[[EventProgress], None] = lambda progress: None,
    ) -> Ranking[dict[str, Any]]:
        """Play an event to its end and return its standings.

        After an interrupt, `resume` continues it. `jobs`, the number of processes, changes no
        result.
        """
        from arena.tournament.setup import enter_event

        with Store.open(self.path, create=True) as store, store.writing() as writer:
            event = enter_event(writer, spec, now=datetime.now(UTC))
            return _play(writer, event, jobs, on_progress)

    def resume(
        self,
        event: str,
        *,
        jobs: int = CORES,
        on_progress: Callable[[EventProgress], None] = lambda progress: None,
    ) -> Ranking[dict[str, Any]]:
        """Continue an interrupted event, without repeating stored matches."""
        with Store.open(self.path) as store, store.writing() as writer:
            return _play(writer, find_event(writer, event), jobs, on_progress)

    def submit(
        self,
        folder: str | Path,
        *,
        clock: str | Clock = EVENT_CLOCK,
        cage: str = "auto",
        limits: Mapping[str, int] | None = None,
        again: bool = False,
        log: StepLog | None = None,
        on_warning: Callable[[str], object] = warnings.warn,
    ) -> Submitted:
        """Check the folder of a bot and add it to the league; raise `CheckFailed` if it fails.

        Nothing is run if the league has this content, or if a check has passed with the same
        content, clock, limits and cage, unless `again` is true.
        """
        from arena.api.checks import check
        from arena.api.players import Cages
        from arena.checks.verdicts import Terms, content_hash, has_passed, remember_passed
        from arena.submission.lookup import house_bots, why_not_a_folder
        from arena.submission.manifest import MANIFEST, read_manifest
        from arena.tournament.entrants import submit_folder

        folder = Path(folder)
        if not folder.is_dir():
            raise BadInput(why_not_a_folder(str(folder)))
        bot = read_manifest(folder)
        if bot.name in house_bots():
            raise BadInput(f"{bot.name} is the name of a house bot: change the name in {MANIFEST}")
        content = content_hash(bot)
        if self.path.exists():
            with Store.open(self.path) as store:
                known = version_with_content(store, bot.name, content)
            if known:
                return Submitted(known, False)
        time = limited(read_clock(clock))
        chosen = Cages(cage, limits, on_warning).choose()
        terms, report = Terms(time, limits or {}, chosen.name), None
        if again or not has_passed(bot, content, terms):
            # The warning is known by now.
            report = check(
                folder, clock=time, cage=cage, limits=limits, log=log, on_warning=lambda _: None
            )
            if not report.passed:
                raise CheckFailed(bot.name, report)
            remember_passed(bot, content, terms)
        if content_hash(bot) != content:
            raise BadInput(f"{folder} changed while it was checked: submit it again")
        with Store.open(self.path, create=True) as store, store.writing_bots() as writer:
            version, is_new = submit_folder(writer, bot, now=datetime.now(UTC))
        return Submitted(version, is_new, report)


def _play(
    writer: Writer, event: Event, jobs: int, on_progress: Callable[[EventProgress], None]
) -> Ranking[dict[str, Any]]:
    from arena.tournament.playing import run_event
    from arena.tournament.standing import standing_of

    run_event(writer, event, jobs=jobs, on_progress=on_progress, say=warnings.warn)
    return Ranking(standing_of(writer, event).rows())


def open_league(path: str | Path = LEAGUE) -> League:
    """Return the league in a file; one that does not exist is created."""
    Store.open(Path(path), create=True).close()
    return League(path)

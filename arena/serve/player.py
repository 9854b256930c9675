"""The process that plays a served league: scheduled events, and ladders in turn.

It is the league's only writer of matches, for as long as the league is served. The process that
serves the league starts it again if it dies; everything that it needs is in the league's file.

Whenever no deal is left to be played again, it says so and waits for a moment, so that what is
shown to others can be brought up to date: see `arena.serve.snapshot`.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Event as Flag
from threading import Thread

from arena.errors import ArenaError, BadInput, LeagueInUse, LeagueNotWritten
from arena.serve.config import ServeConfig, ladder_name, named, read_config
from arena.serve.snapshot import has_open_deals
from arena.submission.lookup import house_bots
from arena.submission.manifest import read_manifest
from arena.tournament.certainty import CLOSED
from arena.tournament.entrants import submit_folder
from arena.tournament.playing import run_event
from arena.tournament.progress import EventProgress
from arena.tournament.setup import enter_event
from arena.tournament.spec import Spec
from arena.tournament.standing import standing_of
from arena.workers.cluster.addresses import ClusterOptions, read_access
from arena.workers.cluster.hello import DEFAULT_SPEED_BAND
from arena.workers.pool import WorkerPool
from leaderboard.bots import all_versions, retire
from leaderboard.events import Event, all_events, end_event, stop_event
from leaderboard.seasons import Season, close_season, open_season
from leaderboard.store import Store, Writer, moment
from leaderboard.uploads import requeue_waiting

COMPLETE = "complete"
"""The message that no deal is left to be played again."""
WAITING = "waiting"
"""The message that an event is impossible for the moment, such as for want of bots."""
_ANSWER_S = 5.0
_IDLE_S = 1.0
_RETRY_S = 10.0
_LAST_ROUND_S = 20.0
"""A season that is closed waits this long for the end of a ladder's round."""
_SHORTEST_S = 1.0
"""Rounds that follow faster are announced together."""


class LeaguePlayer:
    """Plays a league until it is told to stop."""

    def __init__(self, config: ServeConfig, say: Callable[[str, str], None]) -> None:
        """Play by this config; `say` is called with the kind of a message and a sentence."""
        self._config = config
        self._say = say
        self.stopping = Flag()
        self.answered = Flag()
        self._announced_at = 0.0
        self._waits: dict[str, str] = {}

    def play(self, db: Path) -> None:
        """Hold the league's lock and play; after a failure of the machine, try again."""
        while not self.stopping.is_set():
            try:
                with Store.open(db, create=True) as store, store.writing() as writer:
                    self._retire_house_bots(writer)
                    while not self.stopping.is_set():
                        if not self._play_next(writer):
                            self._announce()
                            self.stopping.wait(_IDLE_S)
            except LeagueInUse:
                self.stopping.wait(_IDLE_S)
            except ArenaError as error:
                self._say("failure", str(error))
                self.stopping.wait(_RETRY_S)

    def _retire_house_bots(self, writer: Writer) -> None:
        """Retire the house bots that do not play; the league must know them for that."""
        known, house = {version.bot for version in all_versions(writer)}, house_bots()
        for name in self._config.play.without:
            if name in house and name not in known:
                submit_folder(writer, read_manifest(house[name]), now=_now())
                retire(writer, name, now=_now())

    def _play_next(self, writer: Writer) -> bool:
        """Play what is due, then each ladder for a turn; return whether anything was played."""
        season = open_season(writer, self._config.season, now=_now())
        if season.next:
            self._close(writer, season)
            return True
        if self._play_due(writer, season):
            return True
        turns = [self._play_ladder(writer, season, spec) for spec in self._config.ladders()]
        return any(turns)

    def _play_due(self, writer: Writer, season: Season) -> bool:
        """Play the scheduled events that are due; return whether there were any."""
        played = False
        for spec in self._due(writer, season):
            played |= self._finish(writer, spec)
        return played

    def _due(self, writer: Writer, season: Season) -> list[Spec]:
        """List the scheduled events that have to be played now, or to be resumed."""
        finished = {event.name for event in all_events(writer) if event.status == "finished"}
        due = []
        for table, spec in self._config.scheduled():
            start = table.due(_now(), since=moment(season.opened))
            name = table.event_name(start) if start else ""
            if start and name not in finished and self._waits.get(name, "") != "given up":
                due.append(named(spec, name))
        return due

    def _finish(self, writer: Writer, spec: Spec) -> bool:
        """Play an event from its start, or from where it was interrupted, to its end."""
        event = _find(writer, spec.name) or self._enter(writer, spec)
        if event is None:
            # It cannot be played at its time.
            self._waits[spec.name] = "given up"
            return False
        self._run(writer, event, self._watch, self.stopping.is_set)
        self._announce()
        return True

    def _play_ladder(self, writer: Writer, season: Season, spec: Spec) -> bool:
        """Play a ladder until its turn is over, at the end of a round."""
        if self.stopping.is_set():
            return False
        base = ladder_name(season.name, spec)
        event = _open_ladder(writer, base) or self._enter(
            writer, named(spec, _free_name(writer, base))
        )
        if event is None:
            return False
        until = time.monotonic() + self._config.play.turn_s

        full = self._config.play.renew_after
        counted = 0
        over = Flag()

        def watch(progress: EventProgress) -> None:
            nonlocal counted
            self._watch(progress)
            if not _is_complete(progress):
                return
            counted = progress.counted
            is_up = time.monotonic() >= until and len(self._config.ladder) > 1
            if is_up or counted >= full or self._is_needed(writer):
                over.set()

        self._run(writer, event, watch, lambda: over.is_set() or self.stopping.is_set())
        if counted >= full:
            close_ladder(writer, event)
        return True

    def _is_needed(self, writer: Writer) -> bool:
        """Return whether something waits for the end of a round, whose ladder it may be."""
        season = open_season(writer, self._config.season, now=_now())
        return season.next is not None or bool(self._due(writer, season))

    def _run(
        self,
        writer: Writer,
        event: Event,
        on_progress: Callable[[EventProgress], None],
        should_stop: Callable[[], bool],
    ) -> None:
        """Play an event with the workers of this machine, or of the cluster."""
        play = self._config.play
        with self._cluster(event.cage) as cluster:
            run_event(
                writer,
                event,
                jobs=play.jobs,
                on_progress=on_progress,
                should_stop=should_stop,
                workers=cluster,
            )

    @contextmanager
    def _cluster(self, cage: str) -> Iterator[WorkerPool | None]:
        play = self._config.play
        if not play.workers:
            yield None
            return
        # Imported late: Dask is an extra.
        from arena.workers.cluster.dask_pool import cluster_pool

        access = read_access(play.workers, play.certificates, insecure=False)
        options = ClusterOptions(access, DEFAULT_SPEED_BAND, False)
        with cluster_pool(options, cage=cage, say=partial(self._say, "cluster")) as pool:
            yield pool

    def _close(self, writer: Writer, season: Season) -> None:
        """End the ladders of a season, play its finals, and open the next season."""
        board = []
        for spec, final in zip(self._config.ladders(), self._config.finals(), strict=True):
            base = ladder_name(season.name, spec)
            ladder = _open_ladder(writer, base)
            if ladder:
                if not self._finish_round(writer, ladder):
                    return
                close_ladder(writer, ladder)
            last = named(final, ladder_name(f"{season.name}-final", spec))
            if self._finish(writer, last):
                if self.stopping.is_set():
                    return
                event = _find(writer, last.name)
                assert event
                rows = standing_of(writer, event).rows()
                board.append({"event": event.name, "game": event.game, "standings": rows})
        close_season(writer, season, board, now=_now())
        requeue_waiting(writer)
        self._waits.clear()
        self._announce()

    def _finish_round(self, writer: Writer, ladder: Event) -> bool:
        """Play a ladder to the end of the round that has begun, but not for long.

        Return whether it may be closed.
        """
        until = time.monotonic() + _LAST_ROUND_S
        over = Flag()

        def watch(progress: EventProgress) -> None:
            if _is_complete(progress) or time.monotonic() >= until:
                over.set()

        if has_open_deals(writer, ladder):
            self._run(writer, ladder, watch, lambda: over.is_set() or self.stopping.is_set())
        return not self.stopping.is_set()

    def _enter(self, writer: Writer, spec: Spec) -> Event | None:
        """Add an event; say once why it is impossible, such as too few bots."""
        specs = [spec, replace(spec, keep_authors_apart=False)] if spec.keep_authors_apart else []
        for each in specs or [spec]:
            try:
                event = enter_event(writer, each, now=_now())
            except LeagueNotWritten:
                raise
            except BadInput as error:
                sentence = str(error)
            else:
                self._waits.pop(spec.game, None)
                return event
        if self._waits.get(spec.game) != sentence:
            self._waits[spec.game] = sentence
            self._say(WAITING, f"{spec.name}: {sentence}")
        return None

    def _watch(self, progress: EventProgress) -> None:
        """Announce the end of a round."""
        if _is_complete(progress) and time.monotonic() - self._announced_at >= _SHORTEST_S:
            self._announce()

    def _announce(self) -> None:
        """Say that no deal is left to be played again, and wait until that has been used."""
        self._announced_at = time.monotonic()
        self.answered.clear()
        self._say(COMPLETE, "")
        if not self.stopping.is_set():
            self.answered.wait(_ANSWER_S)


def _is_complete(progress: EventProgress) -> bool:
    return progress.counted == progress.planned > 0


def _find(writer: Writer, name: str) -> Event | None:
    return next((event for event in all_events(writer) if event.name == name), None)


def _open_ladder(writer: Writer, base: str) -> Event | None:
    """Return the ladder of this name, or the last one that continues it, if it is not over."""
    events = (event for event in all_events(writer) if _continues(event.name, base))
    return next((event for event in events if event.status != "finished"), None)


def _continues(name: str, base: str) -> bool:
    return name == base or (name.startswith(f"{base}.") and name[len(base) + 1 :].isdecimal())


def _free_name(writer: Writer, base: str) -> str:
    number = sum(_continues(event.name, base) for event in all_events(writer))
    return f"{base}.{number + 1}" if number else base


def close_ladder(writer: Writer, event: Event) -> None:
    """End a ladder after the last round of which anything was played, and reveal its secret."""
    ((rounds,),) = writer.rows(
        """
        SELECT coalesce(max(round), 0) FROM matches
        JOIN pairings ON pairings.event = matches.event AND pairings.number = matches.pairing
        WHERE matches.event = ?
        """,
        [event.id],
    )
    stop_event(writer, event.id, reason=CLOSED, rounds=rounds)
    end_event(writer, event.id, finished=True, now=_now())


def is_own(config: ServeConfig, seasons: list[Season], event: str) -> bool:
    """Return whether the player will resume an event that was interrupted."""
    names = [*(season.name for season in seasons), config.season]
    bases = [
        ladder_name(f"{name}{part}", spec)
        for name in names
        for part in ("", "-final")
        for spec in config.ladders()
    ]
    scheduled = [table.name for table in config.event]
    return any(_continues(event, base) for base in bases) or event.startswith(tuple(scheduled))


def _now() -> datetime:
    return datetime.now(UTC)


def main() -> None:
    """Play the league of a config file; the end of standard input means that the server died."""
    config, db = read_config(Path(sys.argv[1]))

    def say(kind: str, sentence: str) -> None:
        print(json.dumps({"kind": kind, "sentence": sentence}), flush=True)

    player = LeaguePlayer(config, say)

    def listen() -> None:
        for _ in sys.stdin:
            player.answered.set()
        player.stopping.set()
        player.answered.set()

    signal.signal(signal.SIGTERM, lambda *_: player.stopping.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the server, which asks it to stop
    Thread(target=listen, daemon=True).start()
    player.play(db)


if __name__ == "__main__":
    main()

"""Leagues, and fake workers that play their matches in this process."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from arena.games.registry import game_named
from arena.records import Entrant, Fault, SeatEnding, ServiceUse, Usage, hash_prefix
from arena.referee.clock import read_clock
from arena.referee.players.local import random_chooser
from arena.referee.table import Answer, DecisionRequest, table
from arena.secret import Secret
from arena.submission.manifest import read_manifest
from arena.submission.package import pack_folder
from arena.tournament.entrants import submit_folder
from arena.tournament.progress import EventProgress
from arena.tournament.runner import EventRunner
from arena.tournament.setup import enter_event
from arena.tournament.spec import Kind, Spec
from arena.workers.block import Block, Report, result_of
from leaderboard.bots import submit
from leaderboard.events import Event, end_event, find_event
from leaderboard.result import Machine, MatchResult
from leaderboard.store import BotsWriter, Store, Writer
from tests.bots.inprocess import bot_class, new_chooser
from tests.builders.records import drive

NAMES = ("ann", "ben", "cat", "dan", "eve")
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
Faulty = Callable[[str, int], bool]
"""Whether the bot of this name faults in the match of this number."""


def no_faults(name: str, number: int) -> bool:
    """Return False: no bot faults."""
    return False


@contextmanager
def open_league(path: Path, names: Sequence[str]) -> Iterator[Writer]:
    """Open a league for writing, with bots of these names."""
    with Store.open(path / "arena.db", create=True) as store, store.writing() as writer:
        for name in names:
            submit_named(writer, path, name)
        yield writer


def submit_named(writer: BotsWriter, path: Path, name: str, more: str = "") -> None:
    """Submit a bot of this name, whose folder is in `path`, with more lines in its bot.toml."""
    folder = path / name
    folder.mkdir(exist_ok=True)
    manifest = f'name = "{name}"\ngames = ["trio", "meow"]\n{more}'
    (folder / "bot.toml").write_text(manifest)
    submit(
        writer,
        name=name,
        games=("trio", "meow"),
        manifest=manifest,
        lock="",
        packed=pack_folder(folder),
        now=NOON,
    )


def submit_folders(db: Path, *folders: Path) -> None:
    """Submit bots to a league without checking them; create the league if it does not exist."""
    with Store.open(db, create=True) as store, store.writing() as writer:
        for folder in folders:
            submit_folder(writer, read_manifest(folder), now=NOON)


class FakeWorkers:
    """Workers that play blocks in this process, at random, and report results out of order."""

    def __init__(
        self,
        faulty: Faulty = no_faults,
        *,
        seed: int = 0,
        share: float = 1.0,
        strong: Collection[str] = (),
        machine: Machine | None = None,
        models: tuple[tuple[int, ServiceUse], ...] = (),
    ) -> None:
        """Play with these faults; `seed` determines the order of the results.

        Only this share of each block is played; the rest is handed back. The bots named `strong`
        play MEOW like a house bot and not at random. The matches are said to be played on
        `machine`, and to have been played by these `models`.
        """
        self._models = models
        self._machine = machine
        self._strong = strong
        self._share = share
        self.played: list[int] = []
        """The numbers of the matches played so far."""
        self._faulty = faulty
        self._rng = Random(seed)
        self.waiting: list[tuple[Block, Callable[[Report], None]]] = []
        """The blocks that are not finished, and where to report them."""

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        """Queue a block, and finish some of the waiting ones."""
        self.waiting.append((block, report))
        self._rng.shuffle(self.waiting)
        while len(self.waiting) > 1 or (self.waiting and self._rng.random() < 0.5):
            self.finish_one()

    is_turn_over = False

    def end_bots(self) -> None:
        """Do nothing: no process plays."""
        assert not self.waiting

    def finish_one(self) -> None:
        """Finish one of the waiting blocks."""
        block, report = self.waiting.pop()
        matches = range(len(block.matches))
        taken = self._rng.sample(matches, max(1, round(self._share * len(matches))))
        results = [self._result(block, n) for n in taken]
        # A real worker also reports before its block is over.
        early = self._rng.randrange(len(results) + 1)
        report(Report(block, results[:early]))
        report(Report(block, results[early:], is_over=True))

    def _result(self, block: Block, index: int) -> MatchResult:
        match = block.matches[index]
        self.played.append(match.number)
        bots = block.seated(match)
        game = game_named(block.terms.game)
        entrants = [Entrant(each.name, str(each.number), hash_prefix(each.hash)) for each in bots]
        parameters = game.parameters_form.read(block.terms.parameters)
        clock = str(read_clock(block.terms.clock))
        match_table = table(
            game, match.seed, parameters, entrants, clock=clock, cage="none", salt=match.salt
        )
        at_random = random_chooser(game, match.seed)
        greedily = {
            seat: new_chooser(bot_class("greedy-meow"), game, parameters, len(bots), seat)
            for seat, entrant in enumerate(entrants)
            if entrant.name in self._strong
        }

        def answer(request: DecisionRequest) -> Answer | Fault:
            choose = greedily.get(request.seat, at_random)
            if self._faulty(entrants[request.seat].name, match.number):
                return Fault(request.seat, SeatEnding.CRASHED, "it crashed")
            return Answer(choose(request), time_us=1000 + request.number)

        finished, _ = drive(match_table, answer)
        usage = tuple(Usage(500 * seat, 30_000 + seat) for seat in range(len(bots)))
        record = replace(finished.record, usage=usage)
        result = result_of(match, record, [each.version for each in bots])
        return result._replace(machine=self._machine, models=self._models)


def enter(writer: Writer, spec: Spec, *, secret: Secret | None = None) -> Event:
    """Enter an event; a given secret makes it repeatable, and is stored as if it were drawn."""
    return enter_event(writer, spec, now=NOON, secret=secret)


def play_event(
    writer: Writer,
    name: str,
    workers: FakeWorkers,
    *,
    stop_after: int | None = None,
    on_progress: Callable[[EventProgress], None] = lambda progress: None,
    now: Callable[[], datetime] = lambda: NOON,
) -> EventRunner:
    """Play an event to its end, or until this many matches are counted."""
    run = EventRunner(writer, find_event(writer, name), now=now)

    def should_stop() -> bool:
        if workers.waiting:
            workers.finish_one()
        return stop_after is not None and run.course.counted >= stop_after

    # With so few tables, the number of matches handed out does not depend on speed.
    finished = run.play(workers, jobs=2, tables=4, on_progress=on_progress, should_stop=should_stop)
    end_event(writer, find_event(writer, name).id, finished=finished, now=now())
    return run


def all_rows(writer: Writer) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of the league, table by table, without its journal.

    The journal shows in which transactions the rows were written.
    """
    tables = [
        name for (name,) in writer.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    return {
        table: sorted(writer.rows(f"SELECT * FROM {table}"), key=repr)
        for table in tables
        if not table.startswith(("sqlite_", "_sqlite")) and table != "journal"
    }


def cat_crashes(name: str, number: int) -> bool:
    """Return whether a bot crashes: `cat` does, in every second match."""
    return name == "cat" and number % 2 == 0


def league_with_stopped_event(folder: Path) -> Path:
    """Make a league with a finished round-robin at MEOW and an interrupted Swiss event."""
    return _copy(folder, _play_stopped_event)


def _play_stopped_event(writer: Writer) -> None:
    _play_cup(writer, replace(_CUP, deals=2))
    enter(writer, Spec(Kind.SWISS, "trio", name="open", bots=NAMES, deals=2, seed=0))
    play_event(writer, "open", FakeWorkers(), stop_after=5)


def league_with_byes(folder: Path) -> Path:
    """Make a league with faults and a suspension in a round-robin, and byes in a Swiss event."""
    return _copy(folder, _play_byes)


def _play_byes(writer: Writer) -> None:
    _play_cup(writer, replace(_CUP, matches=30))
    enter(writer, Spec(Kind.SWISS, "meow", name="open", bots=NAMES, seats=2, rounds=2, seed=0))
    play_event(writer, "open", FakeWorkers())


_CUP = Spec(Kind.ROUND_ROBIN, "meow", name="cup", bots=NAMES, seats=3, seed=0)


def _play_cup(writer: Writer, spec: Spec) -> None:
    enter(writer, spec)
    play_event(writer, "cup", FakeWorkers(cat_crashes))


def _copy(folder: Path, play: Callable[[Writer], None]) -> Path:
    """Write a league to a folder; its events are played once for all tests of a process."""
    path = folder / "arena.db"
    path.write_bytes(_league_after(play))
    return path


@cache
def _league_after(play: Callable[[Writer], None]) -> bytes:
    with TemporaryDirectory() as name:
        with open_league(Path(name), NAMES) as writer:
            play(writer)
        return Path(name, "arena.db").read_bytes()


def play_another_event(path: Path, name: str = "more", *, seats: int = 2) -> None:
    """Play one more event in the league, a single Swiss round."""
    bots = NAMES[:seats]
    with Store.open(path) as store, store.writing() as writer:
        enter(writer, Spec(Kind.SWISS, "meow", name=name, bots=bots, seats=seats, rounds=1, seed=0))
        play_event(writer, name, FakeWorkers())

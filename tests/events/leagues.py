"""Leagues with pretended workers, for tests that need no bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from arena.events.holding import run_of, start
from arena.events.runner import EventRun
from arena.events.spec import Spec
from arena.events.work import Block, result_of
from arena.events.workers import Report
from arena.games.registry import game_named
from arena.records import Entrant, Fault, SeatEnding
from arena.referee.clock import read_clock
from arena.referee.players.local import at_random
from arena.referee.table import Answer, Request, table
from arena.secret import Secret
from leaderboard.bots import submit
from leaderboard.events import Event, end_event, event_named
from leaderboard.packing import pack_folder
from leaderboard.results import Result
from leaderboard.store import Store, Writer
from tests.referee.driving import driven

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
Faulty = Callable[[str, int], bool]
"""Tells whether a bot, by name, faults in a match, by number."""


def nobody(name: str, number: int) -> bool:
    """Let nobody fault."""
    return False


@contextmanager
def league(path: Path, names: Sequence[str]) -> Iterator[Writer]:
    """Open a league to write, with bots of these names."""
    with Store.open(path / "arena.db", create=True) as store, store.writing() as writer:
        for name in names:
            folder = path / name
            folder.mkdir(exist_ok=True)
            (folder / "bot.toml").write_text(f'name = "{name}"')
            submit(
                writer,
                name=name,
                games=("trio", "meow"),
                manifest="",
                lock="",
                packed=pack_folder(folder),
                now=NOON,
            )
        yield writer


class PretendedWorkers:
    """Plays blocks in this process, at random by the seeds, and brings them back shuffled."""

    def __init__(self, faulty: Faulty = nobody, *, seed: int = 0, played: float = 1.0) -> None:
        """Say who faults where, in which disorder results come, and how much of a block is played.

        The rest is handed back.
        """
        self._share = played
        self.played: list[int] = []
        """The numbers of the matches that were handed out."""
        self._faulty = faulty
        self._rng = Random(seed)
        self._waiting: list[tuple[Block, Callable[[Report], None]]] = []

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        """Take a block; some other one that waits is finished."""
        self._waiting.append((block, report))
        self._rng.shuffle(self._waiting)
        while len(self._waiting) > 1 or (self._waiting and self._rng.random() < 0.5):
            self.finish_one()

    def finish_one(self) -> None:
        """Finish a block that waits."""
        block, report = self._waiting.pop()
        matches = range(len(block.matches))
        taken = self._rng.sample(matches, max(1, round(self._share * len(matches))))
        results = [self._result(block, n) for n in taken]
        # Some come before the others, as they do from workers.
        early = self._rng.randrange(len(results) + 1)
        report(Report(block, results[:early]))
        report(Report(block, results[early:], is_over=True))

    def _result(self, block: Block, place: int) -> Result:
        match, seed, salt = block.matches[place]
        self.played.append(match.number)
        contenders = [block.contenders[index] for index in match.seating]
        game = game_named(block.terms.game)
        entrants = [Entrant(each.name, str(each.number)) for each in contenders]
        parameters = game.parameters_form.read(block.terms.parameters)
        clock = str(read_clock(block.terms.clock))
        table_ = table(game, seed, parameters, entrants, clock=clock, cage="none", salt=salt)
        choose = at_random(game, seed)

        def answer(request: Request) -> Answer | Fault:
            if self._faulty(entrants[request.seat].name, match.number):
                return Fault(request.seat, SeatEnding.CRASHED, "it crashed")
            return Answer(choose(request))

        finished, _ = driven(table_, answer)
        return result_of(match, finished.record, [each.version for each in contenders])


def begun(writer: Writer, spec: Spec, *, secret: Secret | None = None) -> Event:
    """Enter an event; with a secret it is the same every time, and still passes for a drawn one."""
    return start(writer, spec, now=NOON, secret=secret)


def gone_on(
    writer: Writer, name: str, workers: PretendedWorkers, *, stop_after: int | None = None
) -> EventRun:
    """Play an event to its end, or until so many matches are entered."""
    run = run_of(writer, event_named(writer, name), now=lambda: NOON)

    def stops() -> bool:
        if workers._waiting:
            workers.finish_one()
        return stop_after is not None and run.course.counted >= stop_after

    # With so few tables it does not depend on their speed how much is handed out.
    finished = run.play(workers, jobs=2, tables=4, tell=lambda course: None, stops=stops)
    end_event(writer, event_named(writer, name).id, finished=finished, now=NOON)
    return run


def contents(writer: Writer) -> dict[str, list[tuple[Any, ...]]]:
    """Return all that the league says, table by table."""
    tables = [
        name for (name,) in writer.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    return {
        table: sorted(writer.rows(f"SELECT * FROM {table}"), key=repr)
        for table in tables
        if not table.startswith(("sqlite_", "_sqlite"))
    }

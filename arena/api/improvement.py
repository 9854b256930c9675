"""Let programs improve bots between the rounds of a contest.

In each round, the program of every author edits the folder of its bot; it finds the standings, its
faults and its replays of the round before as files. Then the new versions are checked, submitted
and play an event. Bots play in the cage; the programs run as the user does, because the user has
named them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from arena.api.league import CheckFailed, League
from arena.api.replay import Replay
from arena.api.rows import Rows
from arena.errors import ArenaError, BadInput
from arena.games.drawn import draw_view
from arena.referee.clock import CORES
from arena.replays.transcript import seat_transcript
from arena.submission.manifest import read_manifest
from arena.tournament.spec import Kind, Spec

FEEDBACK = "ARENA_FEEDBACK"
"""The variable with the folder of files about the round before; it is empty in the first round."""
ROUND = "ARENA_ROUND"
_MOST_REPLAYS = 6
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,40}")


class Author(NamedTuple):
    """A bot and the program that edits it."""

    folder: Path
    command: str
    """For the shell; it runs in the folder of the bot."""


class RoundRow(NamedTuple):
    """How one bot of an author did in one round."""

    round: int
    bot: str
    version: int
    changed: bool
    """Whether the round began with a new version."""
    rank: int
    points: float
    strength: float | None
    """In the league, as it is known now."""
    strength_low: float | None
    """The lower end of its 95 % interval; None if the results leave it open."""
    strength_high: float | None
    faults: int
    problem: str
    """Why there is no new version, if there should be one; empty otherwise."""


@dataclass(frozen=True)
class Improvement:
    """A contest of some rounds in a league."""

    league: League
    name: str
    """Its events are called NAME-1, NAME-2 and so on."""
    game: str
    authors: Sequence[Author]
    opponents: Sequence[str] = ()
    rounds: int = 5
    deals: int = 10
    seats: int | None = None
    time_s: float = 1800.0
    """How long a program may take in one round."""
    cage: str = "auto"
    jobs: int = CORES
    say: Callable[[str], object] = lambda sentence: None

    def play(self) -> Rows[RoundRow]:
        """Play the rounds that the league does not have yet, and return the rows of all."""
        self._check()
        names = [read_manifest(author.folder).name for author in self.authors]
        done = {event.name: event for event in self.league.events()}
        for number in range(1, self.rounds + 1):
            event = f"{self.name}-{number}"
            if event not in done:
                self._begin(number, names)
            elif done[event].status != "finished":
                self.say(f"round {number}: resuming {event}")
                self.league.resume(event, jobs=self.jobs)
        return Rows(self._rows(names))

    def _check(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise BadInput(f"invalid name {self.name!r}: use up to 41 letters, digits and dashes")
        folders = [author.folder.resolve() for author in self.authors]
        if len(set(folders)) < len(folders):
            raise BadInput("two programs cannot edit the same folder")

    def _begin(self, number: int, names: Sequence[str]) -> None:
        """Let everyone edit, submit what has changed, and play."""
        for author, name in zip(self.authors, names, strict=True):
            problems = self._edit(number, author, name), self._submit(author, name)
            problem = "\n".join(filter(None, problems))
            if problem:
                self.say(f"round {number}: {name}: {problem}")
            (self._folder(author, number) / "problem.txt").write_text(problem, encoding="utf-8")
        bots = (*names, *self.opponents)
        self.say(f"round {number}: {', '.join(bots)} play {self.name}-{number}")
        spec = Spec(
            kind=Kind.ROUND_ROBIN,
            game=self.game,
            name=f"{self.name}-{number}",
            bots=bots,
            seats=self.seats,
            deals=self.deals,
            cage=self.cage,
        )
        self.league.run(spec, jobs=self.jobs)

    def _folder(self, author: Author, number: int) -> Path:
        """Return the folder for what an author finds in a round; it is beside that of the bot."""
        folder = author.folder.resolve()
        path = folder.with_name(f"{folder.name}.rounds") / f"{self.name}-{number}"
        path.mkdir(parents=True, exist_ok=True)
        return path

    def _edit(self, number: int, author: Author, name: str) -> str:
        """Run the program of an author; return what went wrong, if anything did."""
        folder = self._folder(author, number)
        if number > 1:
            before = self._folder(author, number - 1) / "problem.txt"
            problem = before.read_text(encoding="utf-8") if before.is_file() else ""
            write_feedback(folder, self.league, f"{self.name}-{number - 1}", name, problem)
        variables = {FEEDBACK: str(folder), ROUND: str(number)}
        self.say(f"round {number}: {author.command!r} edits {author.folder}")
        return _run_program(
            author.command, author.folder, variables, folder / "program.txt", self.time_s
        )

    def _submit(self, author: Author, name: str) -> str:
        """Submit a bot if it passes the check; return why not, otherwise."""
        try:
            if read_manifest(author.folder).name != name:
                return "its name in bot.toml has changed"
            # The caller has given the warning about a weaker cage.
            self.league.submit(author.folder, cage=self.cage, on_warning=lambda sentence: None)
        except CheckFailed as error:
            problem = str(error.report)
        except ArenaError as error:
            problem = str(error)
        else:
            return ""
        if name not in {version.bot for version in self.league.bots()}:
            raise BadInput(f"{name} cannot play: {problem}")
        return problem

    def _rows(self, names: Sequence[str]) -> Iterator[RoundRow]:
        strengths = {(row.bot, row.version): row for row in self.league.leaderboard(self.game)}
        versions: dict[str, int] = {}
        for number in range(1, self.rounds + 1):
            standings = {row["bot"]: row for row in self.league.standings(f"{self.name}-{number}")}
            for author, name in zip(self.authors, names, strict=True):
                row = standings[name]
                known = strengths.get((name, row["version"]))
                problem = self._folder(author, number) / "problem.txt"
                yield RoundRow(
                    round=number,
                    bot=name,
                    version=row["version"],
                    changed=versions.get(name) != row["version"],
                    rank=row["rank"],
                    points=row["points"],
                    strength=known and known.strength,
                    strength_low=known and known.strength_low,
                    strength_high=known and known.strength_high,
                    faults=row["faults"],
                    problem=problem.read_text(encoding="utf-8") if problem.is_file() else "",
                )
                versions[name] = row["version"]


def _run_program(
    command: str, folder: Path, variables: Mapping[str, str], output: Path, time_s: float
) -> str:
    """Run a program with all that it starts; return what went wrong, if anything did."""
    with output.open("wb") as file:
        process = subprocess.Popen(
            command,
            shell=True,
            cwd=folder,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(timeout=time_s)
        except subprocess.TimeoutExpired:
            return f"its program took longer than {time_s:g} s"
        finally:
            # What it left running must not edit during the event.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return f"its program ended with exit code {code}; {output} has its output" if code else ""


def write_feedback(folder: Path, league: League, event: str, name: str, problem: str) -> None:
    """Write what the author of a bot may learn from an event, as files."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = league.standings(event)
    (folder / "standings.json").write_text(json.dumps(list(rows), indent=1), encoding="utf-8")
    (folder / "standings.txt").write_text(f"{rows!r}\n", encoding="utf-8")
    (folder / "problem.txt").write_text(problem, encoding="utf-8")
    faults: list[str] = []
    shown = 0
    shutil.rmtree(folder / "matches", ignore_errors=True)
    (folder / "matches").mkdir()
    own = (stored for stored in league.stored_replays(event))
    # The worst results first: what went wrong teaches most.
    played = [(stored.number, Replay(stored.decode())) for stored in own]
    seats = [
        (replay.places[seat], number, seat, replay)
        for number, replay in played
        for seat, entrant in enumerate(replay.record.entrants)
        if entrant.name == name
    ]
    for place, number, seat, replay in sorted(seats, key=lambda each: (-each[0], each[1] or 0)):
        faults += [
            f"match {event}/{number}, seat {seat}: {fault.ending.value}: {fault.sentence}\n"
            + fault.printed.decode(errors="replace")
            for fault in replay.faults
            if fault.seat == seat
        ]
        if shown < _MOST_REPLAYS:
            text = "\n".join(
                seat_transcript(replay.record, seat, lambda view, names: draw_view(view))
            )
            path = folder / "matches" / f"{number:04}-place-{place}-seat-{seat}.txt"
            path.write_text(f"{text}\n", encoding="utf-8")
            shown += 1
    (folder / "faults.txt").write_text("\n".join(faults), encoding="utf-8")

"""Blocks of matches, which workers play, and the results that come back.

A block is complete: it contains the bots as they were submitted. A worker needs no database and no
schedule, so it may run on this machine or on another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from arena.games.registry import game_named
from arena.indices import EntrantIndex, VersionId
from arena.records import Fault, How, Record, parameters_of
from arena.replays.format import write_replay
from arena.scheduling.pairing import PlannedMatch
from arena.scheduling.points import points_of
from arena.workers.pace import Work
from leaderboard.result import FORFEIT, MatchResult, SeatResult

NO_VERSION = VersionId(0)
"""The id of a bot that is in no league; real ids start at 1."""


@dataclass(frozen=True, slots=True)
class PackedBot:
    """A version of a bot, with everything that a worker needs to run it."""

    entrant: EntrantIndex
    """Its index in the field of its event or comparison; no two entrants share a process."""
    version: VersionId
    """Its id in the league, or `NO_VERSION`."""
    name: str
    number: int
    hash: str
    package: bytes
    lock: str


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """Settings that all matches of an event share."""

    game: str
    parameters: str
    """As the game writes them."""
    clock: str
    cage: str
    sealed: bool = False
    """Whether no process that was alive during a match of a deal may be alive during another."""
    freeze: bool = False
    limits: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Block:
    """Matches between a few bots, to be played by one worker."""

    terms: MatchTerms
    bots: tuple[PackedBot, ...]
    """The entrants of its matches, and no others."""
    matches: tuple[PlannedMatch, ...]
    tables: int
    """Maximum number of matches in play at once."""
    return_unplayed: bool = False
    """Whether matches of a bot that overruns its clock repeatedly may be returned unplayed."""
    worker: str = ""
    """The worker that should play it, because it knows why these matches were void."""

    def seated(self, match: PlannedMatch) -> list[PackedBot]:
        """Return the bots of a match by seat."""
        bots = {bot.entrant: bot for bot in self.bots}
        return [bots[entrant] for entrant in match.seating]

    def part(self, matches: Sequence[PlannedMatch]) -> Block:
        """Return some of its matches as a block, with only the bots that they need."""
        needed = {entrant for match in matches for entrant in match.seating}
        bots = tuple(bot for bot in self.bots if bot.entrant in needed)
        return replace(self, bots=bots, matches=tuple(matches))

    def without_files(
        self, known: dict[EntrantIndex, PackedBot]
    ) -> tuple[Block, tuple[PackedBot, ...]]:
        """Return it without the files of bots, and its bots that are not `known`, which are added.

        So a worker gets the files of a bot once; `with_files` puts them back.
        """
        new = tuple(bot for bot in self.bots if known.get(bot.entrant) != bot)
        known.update({bot.entrant: bot for bot in new})
        bots = tuple(replace(bot, package=b"", lock="") for bot in self.bots)
        return replace(self, bots=bots), new

    def with_files(self, known: Mapping[EntrantIndex, PackedBot]) -> Block:
        """Return it with the files of the bots that are known by now."""
        return replace(self, bots=tuple(known[bot.entrant] for bot in self.bots))


class VoidMatch(NamedTuple):
    """A match with sealed deals that is to be played again, alone, after all bots have ended."""

    number: int


def split_results(
    played: Sequence[MatchResult | VoidMatch],
) -> tuple[list[MatchResult], list[int]]:
    """Return the results, and the numbers of void matches."""
    results = [each for each in played if isinstance(each, MatchResult)]
    return results, [each.number for each in played if isinstance(each, VoidMatch)]


class Report(NamedTuple):
    """The report of a worker on a block."""

    block: Block
    results: Sequence[MatchResult] = ()
    """Results of matches that ended since the last report."""
    void: Sequence[int] = ()
    """The numbers of matches that have been voided since then."""
    is_over: bool = False
    """Whether this is the last report; matches that no report mentioned were returned unplayed."""
    error: Exception | None = None
    """Why the block cannot be played."""
    worker: str = ""
    """The worker that reports."""
    work: Work | None = None
    """What this worker has done so far; None if that is not known."""


def result_of(
    match: PlannedMatch,
    record: Record,
    versions: Sequence[VersionId],
    *,
    replay: bytes | None = None,
) -> MatchResult:
    """Return the result of a match as the league stores it; `versions` are listed by seat.

    `replay` is the record as bytes, if the caller has them.
    """
    game = game_named(record.game_id)
    parameters = parameters_of(record.game_id, record.parameters)
    sides = game.sides(len(record.entrants), parameters)
    points = points_of(record.places, sides)
    faults: dict[int, Fault] = {fault.seat: fault for fault in record.faults}
    times: list[list[int]] = [[] for _ in versions]
    for by, _, how, time_us in record.decisions:
        if how is How.CHOSEN:
            times[by].append(time_us)
    teams = _teams(sides)
    seats = []
    for seat, version in enumerate(versions):
        result = SeatResult(
            version,
            record.places[seat],
            record.outcome.scores[seat],
            float(points[seat]),
            team=teams[seat],
            answers=len(times[seat]),
            time_us=sum(times[seat]),
            slowest_us=max(times[seat], default=0),
        )
        if record.usage:
            used = record.usage[seat]
            result = result._replace(cpu_us=used.cpu_us, memory_kib=used.memory_kib)
        broke = sum(each.seat == seat for each in record.breaks)
        if broke:
            result = result._replace(breaks=broke)
        if seat in faults:
            fault = faults[seat]
            result = result._replace(
                ending=fault.ending.code,
                sentence=fault.sentence,
                printed=fault.printed.decode(errors="replace"),
            )
        seats.append(result)
    return MatchResult(
        number=match.number,
        pairing=match.pairing,
        deal=match.deal,
        rotation=match.rotation,
        seed=record.seed,
        ending=record.outcome.ending.code,
        seats=tuple(seats),
        decisions=len(record.decisions),
        time_ms=sum(decision.time_us for decision in record.decisions) // 1000,
        cage=record.cage,
        replay=write_replay(record) if replay is None else replay,
        models=tuple(
            (seat, used.service) for seat, used in enumerate(record.usage) if used.service
        ),
    )


def _teams(sides: Sequence[int]) -> list[int | None]:
    """Return the team of each seat; None if every seat plays for itself."""
    return [side if len(set(sides)) < len(sides) else None for side in sides]


def forfeit(
    match: PlannedMatch,
    sides: Sequence[int],
    versions: Sequence[VersionId],
    suspended: Mapping[EntrantIndex, str],
) -> MatchResult:
    """Return the result of a match that is not played because entrants are suspended.

    `suspended` has a reason for each of them. Their sides are placed last; all others share first
    place.
    """
    lost = {sides[seat] for seat, entrant in enumerate(match.seating) if entrant in suspended}
    last = 1 + len(set(sides) - lost)
    places = [last if side in lost else 1 for side in sides]
    points = points_of(places, sides)
    seats = [
        SeatResult(versions[entrant], place, 0, float(gained), team=team)
        for entrant, place, gained, team in zip(
            match.seating, places, points, _teams(sides), strict=True
        )
    ]
    for seat, entrant in enumerate(match.seating):
        if entrant in suspended:
            seats[seat] = seats[seat]._replace(ending=FORFEIT, sentence=suspended[entrant])
    return MatchResult(
        number=match.number,
        pairing=match.pairing,
        deal=match.deal,
        rotation=match.rotation,
        seed=match.seed,
        ending=FORFEIT,
        seats=tuple(seats),
        decisions=0,
        time_ms=0,
        cage="",
        replay=b"",
        rated=False,
    )


def blocks_of(
    terms: MatchTerms,
    matches: Sequence[PlannedMatch],
    bots: Sequence[PackedBot],
    *,
    tables: int,
    max_bots: int,
    return_unplayed: bool = False,
) -> Iterator[Block]:
    """Cut matches into blocks, in their order, of at most `max_bots` bots each."""
    taken: list[PlannedMatch] = []
    seated: dict[EntrantIndex, PackedBot] = {}
    for match in (*matches, None):
        more = {entrant: bots[entrant] for entrant in match.seating} if match else {}
        if taken and (match is None or len(seated | more) > max(max_bots, len(seated))):
            needed = tuple(seated.values())
            yield Block(terms, needed, tuple(taken), tables, return_unplayed=return_unplayed)
            taken, seated = [], {}
        if match:
            taken.append(match)
            seated |= more

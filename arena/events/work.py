"""What does a worker get, and what does it bring back?

A block of matches between some bots is complete in itself: the bots come along as they were
submitted, and what comes back are results. A worker knows no database and no schedule, so it may be
a process of this machine or one far away.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from arena.games.randomness import Seed
from arena.games.registry import game_named
from arena.records import Record
from arena.replays.format import write_replay
from arena.scheduling.pairing import PlannedMatch
from arena.scheduling.points import points_of
from leaderboard.results import FORFEIT, Result, SeatResult


class DealtMatch(NamedTuple):
    """A match that is planned, and what it is dealt from."""

    match: PlannedMatch
    seed: Seed
    """Of its deal: the same for all rotations."""
    salt: bytes
    """Of this match alone."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A bot's version as a worker needs it."""

    version: int
    """The league's id of it."""
    name: str
    number: int
    hash: str
    package: bytes
    lock: str


@dataclass(frozen=True, slots=True)
class Terms:
    """What is the same for all matches of an event."""

    game: str
    parameters: str
    """As the game writes them."""
    clock: str
    cage: str
    freeze: bool = False
    limits: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Block:
    """Some matches between the same few bots."""

    terms: Terms
    contenders: tuple[Contender, ...]
    matches: tuple[DealtMatch, ...]
    """Their seatings are indices of the contenders."""
    tables: int
    """How many are played at once."""
    cores: int
    """How many bots may think at once."""
    hands_back: bool = False
    """Whether matches of a bot that lets its time run out again and again may come back unplayed.
    """
    lane: int = 0
    """Blocks with other matches of the same deals have other lanes, and other workers if they can.
    """

    @property
    def shifts(self) -> int:
        """How many matches of one deal there are: each needs processes that have not met it."""
        return max(Counter(dealt.seed for dealt in self.matches).values())


def result_of(match: PlannedMatch, record: Record, versions: Sequence[int]) -> Result:
    """Return what the league keeps of a match; `versions` are by seat."""
    game = game_named(record.game_id)
    sides = game.sides(len(record.entrants), game.parameters_form.read(record.parameters))
    points = points_of(record.places, sides)
    faults = {fault.seat: fault for fault in record.faults}
    seats = []
    for seat, version in enumerate(versions):
        result = SeatResult(
            version,
            record.places[seat],
            record.outcome.scores[seat],
            float(points[seat]),
        )
        broke = sum(each.seat == seat for each in record.breaks)
        if broke:
            result = result._replace(breaks=broke)
        if seat in faults:
            fault = faults[seat]
            result = result._replace(
                ending=fault.ending.value,
                sentence=fault.sentence,
                printed=fault.stderr.decode(errors="replace"),
            )
        seats.append(result)
    return Result(
        number=match.number,
        pairing=match.pairing,
        deal=match.deal,
        rotation=match.rotation,
        seed=record.seed,
        ending=record.outcome.ending.value,
        seats=tuple(seats),
        decisions=len(record.decisions),
        time_ms=sum(decision.time_us for decision in record.decisions) // 1000,
        cage=record.cage,
        replay=write_replay(record),
    )


def forfeit(
    match: PlannedMatch,
    seed: Seed,
    sides: Sequence[int],
    versions: Sequence[int],
    out: dict[int, str],
) -> Result:
    """Return a match that is not played because some entrants are suspended, each with a reason.

    Their sides are last, and all others share the first place.
    """
    lost = {sides[seat] for seat, entrant in enumerate(match.seating) if entrant in out}
    last = 1 + len(set(sides) - lost)
    places = [last if side in lost else 1 for side in sides]
    points = points_of(places, sides)
    seats = [
        SeatResult(versions[entrant], place, 0, float(gained))
        for entrant, place, gained in zip(match.seating, places, points, strict=True)
    ]
    for seat, entrant in enumerate(match.seating):
        if entrant in out:
            seats[seat] = seats[seat]._replace(ending=FORFEIT, sentence=out[entrant])
    return Result(
        number=match.number,
        pairing=match.pairing,
        deal=match.deal,
        rotation=match.rotation,
        seed=seed,
        ending=FORFEIT,
        seats=tuple(seats),
        decisions=0,
        time_ms=0,
        cage="",
        replay=b"",
        rated=False,
    )


def blocks_of(
    terms: Terms,
    matches: Sequence[DealtMatch],
    contenders: Sequence[Contender],
    *,
    tables: int,
    cores: int,
    jobs: int,
    most_bots: int,
    hands_back: bool = False,
    backwards: bool = False,
) -> Iterator[Block]:
    """Cut matches into blocks, in their order, of at most so many bots each.

    The matches of a deal go to different blocks, as far as there are jobs: a worker that plays all
    rotations needs as many processes of each bot. Those of one block are ordered by shift, the
    first match of every deal before the second of any, so that each process has much to do at once.
    With `backwards` it is the other way round: if every other cut is, the processes that end one
    block begin the next.
    """
    for few in _with_few_bots(matches, most_bots):
        by_shift: defaultdict[int, list[DealtMatch]] = defaultdict(list)
        seen: Counter[Seed] = Counter()
        for dealt in few:
            by_shift[seen[dealt.seed]].append(dealt)
            seen[dealt.seed] += 1
        for job in range(min(jobs, len(by_shift))):
            mine = range(job, len(by_shift), jobs)
            shifts = reversed(mine) if backwards else mine
            taken = [each for shift in shifts for each in by_shift[shift]]
            block = _block(terms, taken, contenders, tables=tables, cores=cores)
            yield replace(block, hands_back=hands_back, lane=job)


def _with_few_bots(matches: Sequence[DealtMatch], most_bots: int) -> Iterator[list[DealtMatch]]:
    taken: list[DealtMatch] = []
    bots: set[int] = set()
    for dealt in matches:
        seating = dealt.match.seating
        if taken and len(bots.union(seating)) > max(most_bots, len(bots)):
            yield taken
            taken, bots = [], set()
        bots.update(seating)
        taken.append(dealt)
    if taken:
        yield taken


def _block(
    terms: Terms,
    taken: Sequence[DealtMatch],
    contenders: Sequence[Contender],
    *,
    tables: int,
    cores: int,
) -> Block:
    entrants = dict.fromkeys(entrant for dealt in taken for entrant in dealt.match.seating)
    places = {entrant: place for place, entrant in enumerate(entrants)}
    return Block(
        terms,
        tuple(contenders[entrant] for entrant in entrants),
        tuple(
            DealtMatch(
                match._replace(seating=tuple(places[entrant] for entrant in match.seating)),
                seed,
                salt,
            )
            for match, seed, salt in taken
        ),
        tables,
        cores,
    )

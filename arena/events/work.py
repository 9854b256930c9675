"""What does a worker get, and what does it bring back?

A block of matches between some bots is complete in itself: the bots come along as they were
submitted, and what comes back are results. A worker knows no database and no schedule, so it may be
a process of this machine or one far away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from arena.games.randomness import Seed
from arena.games.registry import game_named
from arena.records import Record
from arena.replays.format import write_replay
from arena.scheduling.pairing import PlannedMatch
from arena.scheduling.points import points_of
from leaderboard.results import FORFEIT, Result, SeatResult


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
    matches: tuple[PlannedMatch, ...]
    """Their seatings are indices of the contenders."""
    seeds: tuple[Seed, ...]
    """One for each match."""
    tables: int
    """How many are played at once."""
    cores: int
    """How many bots may think at once."""


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
    matches: Sequence[tuple[PlannedMatch, Seed]],
    contenders: Sequence[Contender],
    *,
    tables: int,
    cores: int,
    most_bots: int,
) -> Iterator[Block]:
    """Cut matches into blocks, in their order, of at most so many bots each."""
    taken: list[tuple[PlannedMatch, Seed]] = []
    bots: dict[int, int] = {}

    def block() -> Block:
        return Block(
            terms,
            tuple(contenders[entrant] for entrant in bots),
            tuple(
                match._replace(seating=tuple(bots[entrant] for entrant in match.seating))
                for match, _ in taken
            ),
            tuple(seed for _, seed in taken),
            tables,
            cores,
        )

    for match, seed in matches:
        new = [entrant for entrant in match.seating if entrant not in bots]
        if taken and new and len(bots) + len(new) > most_bots:
            yield block()
            taken, bots = [], {}
            new = list(match.seating)
        for entrant in new:
            bots[entrant] = len(bots)
        taken.append((match, seed))
    if taken:
        yield block()

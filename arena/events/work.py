"""What does a worker get, and what does it bring back?

A block of matches between some bots is complete in itself: the bots come along as they were
submitted, and what comes back are results. A worker knows no database and no schedule, so it may be
a process of this machine or one far away.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from arena.errors import BadInput
from arena.games.randomness import Seed
from arena.games.registry import game_named
from arena.manifest import read_manifest
from arena.records import Entrant, Record, SeatEnding
from arena.referee.clock import read_clock
from arena.referee.desk import Breakage, Desk, Fixture, Player
from arena.referee.floor import Floor
from arena.referee.players.remote import RemotePlayer
from arena.replays.format import write_replay
from arena.sandbox.cages import Cage, cage_named
from arena.sandbox.locks import Lock
from arena.sandbox.places import fresh
from arena.scheduling.pairing import PlannedMatch
from arena.scheduling.points import points_of
from leaderboard.packing import unpack
from leaderboard.results import FORFEIT, Result, SeatResult

BLOCK = "block"
"""The name of the task that plays one; to cancel it is to break the block off in good order."""


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


def play_block(block: Block) -> list[Result]:
    """Play a block to its end; a bot that cannot be started forfeits its matches."""
    cage = cage_named(block.terms.cage)
    with ExitStack() as stack:
        folder = stack.enter_context(fresh())
        players: list[Player] = []
        for place, contender in enumerate(block.contenders):
            home = folder / str(place)
            unpack(contender.package, home, expected=contender.hash)
            entrant = Entrant(contender.name, str(contender.number))
            try:
                lock = Lock.read(contender.lock) if contender.lock else None
                launch = cage.launcher(read_manifest(home), block.terms.limits, lock)
                players.append(RemotePlayer(entrant, launch))
            except BadInput as error:
                # The folder is another one every time, and nobody else's business.
                players.append(_Absent(entrant, str(error).replace(f"{home}/", "")))
        return asyncio.run(_named(block, players, cage))


async def _named(block: Block, players: Sequence[Player], cage: Cage) -> list[Result]:
    return await asyncio.create_task(_played(block, players, cage), name=BLOCK)


async def _played(block: Block, players: Sequence[Player], cage: Cage) -> list[Result]:
    terms = block.terms
    game = game_named(terms.game)
    parameters = game.parameters_form.read(terms.parameters)
    floor = Floor(players, read_clock(terms.clock), freeze=terms.freeze, cage=cage.mark)
    fixtures = [
        Fixture(match.number, game, parameters, seed, match.seating)
        for match, seed in zip(block.matches, block.seeds, strict=True)
    ]
    planned = {match.number: match for match in block.matches}
    versions = [contender.version for contender in block.contenders]
    return [
        result_of(
            planned[fixture.number],
            record,
            [versions[contender] for contender in fixture.seating],
        )
        async for fixture, record in floor.play(fixtures, tables=block.tables)
    ]


class _Absent(Player):
    """A bot that cannot even be prepared on this machine."""

    def __init__(self, entrant: Entrant, sentence: str) -> None:
        self.entrant = entrant
        self._sentence = sentence

    async def play(self, desk: Desk) -> Breakage:
        return Breakage(SeatEnding.NO_HELLO, self._sentence)


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

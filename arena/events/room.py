"""How does a worker play block after block without starting the same bots again?

Bots play in a room. A worker that stays keeps its room open, and they stay in it from one block to
the next: frozen in between, because nobody watches over them then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import accumulate
from typing import ClassVar, NamedTuple

from arena.errors import BadInput
from arena.events.work import Block, Contender, Terms, result_of
from arena.games.registry import game_named
from arena.manifest import read_manifest
from arena.records import Entrant, SeatEnding
from arena.referee.clock import CORES, read_clock
from arena.referee.desk import Breakage, Desk, Fixture, Player
from arena.referee.floor import Floor
from arena.referee.players.remote import RemotePlayer
from arena.sandbox.cages import cage_named
from arena.sandbox.locks import Lock
from arena.sandbox.places import Place
from leaderboard.packing import unpack
from leaderboard.results import Result

BLOCK = "block"
"""The name of the task that plays one; to cancel it is to break the block off in good order."""
MOST_BOTS = 16
"""How many bots play in a block, unless a table needs more."""
_PROCESS_BYTES = 48 << 20
"""What a bot that waits takes of the memory, as a rule."""


_Key = tuple[int, str]
"""A bot by its version and its content."""


def _key(contender: Contender) -> _Key:
    return contender.version, contender.hash


class _Guest(NamedTuple):
    """A bot in a room."""

    place: int
    """On the floor."""
    player: Player
    home: Place
    """Where its folder is."""


class Room:
    """A floor for block after block on the same terms."""

    def __init__(self, terms: Terms, cores: int) -> None:
        """Open an empty room."""
        self.terms = terms
        self.cores = cores
        self._cage = cage_named(terms.cage)
        self._runner = asyncio.Runner()
        self._floor = Floor(
            (), read_clock(terms.clock), cores=cores, freeze=terms.freeze, cage=self._cage.mark
        )
        self._guests: dict[_Key, _Guest] = {}
        """Who played last is last."""

    def play(self, block: Block) -> list[Result]:
        """Play a block to its end; a bot that cannot be started forfeits its matches.

        What was handed back is missing among the results.
        """
        return self._runner.run(self._named(block))

    def close(self) -> None:
        """Let all go, and leave nothing behind."""
        # A frozen bot cannot take leave.
        self._wake()
        self._runner.run(self._let_go(list(self._guests)))
        self._runner.close()

    async def _named(self, block: Block) -> list[Result]:
        return await asyncio.create_task(self._play(block), name=BLOCK)

    async def _play(self, block: Block) -> list[Result]:
        try:
            self._wake()
            await self._make_room(block)
            guests = [self._welcome(contender) for contender in block.contenders]
            results = await self._results(block, [guest.place for guest in guests])
        except BaseException:
            await self._let_go(list(self._guests))
            raise
        self._rest()
        return results

    async def _make_room(self, block: Block) -> None:
        """Let those go who have not played for longest, if there would be too many processes."""
        wanted = set(map(_key, block.contenders))
        others = [key for key in self._guests if key not in wanted]
        running = sum(self._floor.processes(guest.place) for guest in self._guests.values())
        allowed = running + _room_in_memory() // max(1, CORES // self.cores)
        spare = allowed - len(wanted) * block.shifts
        kept = accumulate(self._floor.processes(self._guests[key].place) for key in others[::-1])
        staying = sum(processes <= spare for processes in kept)
        await self._let_go(others[: len(others) - staying])

    def _welcome(self, contender: Contender) -> _Guest:
        key = _key(contender)
        guest = self._guests.pop(key, None)
        if guest is None:
            home = Place()
            player = self._player(contender, home)
            guest = _Guest(self._floor.let_in(player), player, home)
        self._guests[key] = guest
        return guest

    def _player(self, contender: Contender, home: Place) -> Player:
        folder = home.path / "bot"
        unpack(contender.package, folder, expected=contender.hash)
        entrant = Entrant(contender.name, str(contender.number))
        try:
            lock = Lock.read(contender.lock) if contender.lock else None
            launch = self._cage.launcher(read_manifest(folder), self.terms.limits, lock)
        except BadInput as error:
            # The folder is another one every time, and nobody else's business.
            return _Absent(entrant, str(error).replace(f"{folder}/", ""))
        return RemotePlayer(entrant, launch)

    async def _results(self, block: Block, places: Sequence[int]) -> list[Result]:
        game = game_named(self.terms.game)
        parameters = game.parameters_form.read(self.terms.parameters)
        fixtures = [
            Fixture(
                match.number,
                game,
                parameters,
                seed,
                tuple(places[bot] for bot in match.seating),
                salt,
            )
            for match, seed, salt in block.matches
        ]
        planned = {dealt.match.number: dealt.match for dealt in block.matches}
        results = []
        played = self._floor.play_on(fixtures, tables=block.tables, hands_back=block.hands_back)
        async for fixture, record in played:
            match = planned[fixture.number]
            versions = [block.contenders[bot].version for bot in match.seating]
            results.append(result_of(match, record, versions))
        return results

    async def _let_go(self, leaving: Sequence[_Key]) -> None:
        guests = [self._guests.pop(key) for key in leaving]
        await self._floor.let_out(*(guest.place for guest in guests))
        for guest in guests:
            guest.home.remove()

    def _rest(self) -> None:
        for guest in self._guests.values():
            if isinstance(guest.player, RemotePlayer):
                guest.player.rest()

    def _wake(self) -> None:
        # With freezing, each runs when it is asked.
        for guest in self._guests.values():
            if isinstance(guest.player, RemotePlayer) and not self.terms.freeze:
                guest.player.rise()


def _room_in_memory() -> int:
    """Return for how many more processes half of the free memory has room."""
    with open("/proc/meminfo", encoding="ascii") as file:
        kib = next(line.split()[1] for line in file if line.startswith("MemAvailable:"))
    return (int(kib) << 10) // 2 // _PROCESS_BYTES


class _Absent(Player):
    """A bot that cannot even be prepared on this machine."""

    def __init__(self, entrant: Entrant, sentence: str) -> None:
        self.entrant = entrant
        self._sentence = sentence

    async def play(self, desk: Desk) -> Breakage:
        return Breakage(SeatEnding.NO_HELLO, self._sentence)


class _Worker:
    """This process."""

    stays: ClassVar[bool] = False
    """Whether it keeps its room open."""
    room: ClassVar[Room | None] = None


def play_block(block: Block) -> list[Result]:
    """Play a block to its end."""
    room = _Worker.room
    if room and (room.terms, room.cores) != (block.terms, block.cores):
        leave_room()
        room = None
    room = _Worker.room = room or Room(block.terms, block.cores)
    try:
        return room.play(block)
    finally:
        if not _Worker.stays:
            leave_room()


def stay() -> None:
    """Keep the room open after a block, until `leave_room`."""
    _Worker.stays = True


def leave_room() -> None:
    """Close the room, if one is open."""
    room, _Worker.room = _Worker.room, None
    if room:
        room.close()

"""How does a worker play block after block without starting the same bots again?

Bots play in a room, and stay in it from one block to the next: frozen in between, because nobody
watches over them then. A worker plays several blocks at once, so that its tables stay full: while
the last matches of one go on, those of the next have begun.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from itertools import accumulate
from typing import NamedTuple

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
    """A floor for block after block on the same terms, and for several at once."""

    def __init__(self, terms: Terms, cores: int) -> None:
        """Open an empty room."""
        self.terms = terms
        self.cores = cores
        self._cage = cage_named(terms.cage)
        self._floor = Floor(
            (), read_clock(terms.clock), cores=cores, freeze=terms.freeze, cage=self._cage.mark
        )
        self._guests: dict[_Key, _Guest] = {}
        """Who played last is last."""
        self._in_play: list[Block] = []
        self._door = asyncio.Lock()
        """Held while a block begins, or waits until it may."""
        self._ended = asyncio.Event()
        """Set when a block has ended."""

    async def play(self, block: Block) -> AsyncGenerator[Result, None]:
        """Play a block, and yield each result; a bot that cannot be started forfeits its matches.

        What is handed back has no result. When several blocks are played at once, each begins where
        the one before leaves tables empty, and waits for others to end if memory is short.
        """
        async with self._door:
            while self._in_play and self._spare(block) < 0:
                self._ended.clear()
                await self._ended.wait()
            self._in_play.append(block)
        try:
            self._wake()
            await self._make_room(block)
            guests = [self._welcome(contender) for contender in block.contenders]
            async with aclosing(self._results(block, [guest.place for guest in guests])) as results:
                async for result in results:
                    yield result
        except BaseException:
            if len(self._in_play) == 1:
                await self._let_go(list(self._guests))
            raise
        finally:
            self._in_play.remove(block)
            self._ended.set()
            if not self._in_play:
                self._rest()

    async def close(self) -> None:
        """Let all go, and leave nothing behind."""
        # A frozen bot cannot take leave.
        self._wake()
        await self._let_go(list(self._guests))

    async def _make_room(self, block: Block) -> None:
        """Let those go who have not played for longest, if there would be too many processes."""
        wanted = self._wanted(block)
        others = [key for key in self._guests if key not in wanted]
        spare = self._spare(block)
        kept = accumulate(self._floor.processes(self._guests[key].place) for key in others[::-1])
        staying = sum(processes <= spare for processes in kept)
        await self._let_go(others[: len(others) - staying])

    def _wanted(self, block: Block) -> set[_Key]:
        """Return who plays in a block, and in those that are in play."""
        blocks = [*self._in_play, block]
        return {_key(contender) for each in blocks for contender in each.contenders}

    def _spare(self, block: Block) -> int:
        """Return how many processes there may be beside those that this block and others need."""
        running = sum(self._floor.processes(guest.place) for guest in self._guests.values())
        allowed = running + _room_in_memory() // max(1, CORES // self.cores)
        return allowed - len(self._wanted(block)) * block.shifts

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

    async def _results(self, block: Block, places: Sequence[int]) -> AsyncGenerator[Result, None]:
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
        played = self._floor.play_on(fixtures, tables=block.tables, hands_back=block.hands_back)
        async with aclosing(played):
            async for fixture, record in played:
                match = planned[fixture.number]
                versions = [block.contenders[bot].version for bot in match.seating]
                yield result_of(match, record, versions)

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


class Worker:
    """Plays blocks, and keeps the bots of one for the next."""

    def __init__(self) -> None:
        """Begin with nobody there."""
        self._room: Room | None = None
        self._in_play = 0
        self._idle = asyncio.Event()
        self._idle.set()

    async def play(self, block: Block) -> AsyncGenerator[Result, None]:
        """Play a block and yield each result; other blocks may be in play beside it."""
        while self._room and (self._room.terms, self._room.cores) != (block.terms, block.cores):
            await self._idle.wait()
            await self.close()
        if self._room is None:
            self._room = Room(block.terms, block.cores)
        self._in_play += 1
        self._idle.clear()
        try:
            async with aclosing(self._room.play(block)) as results:
                async for result in results:
                    yield result
        finally:
            self._in_play -= 1
            if not self._in_play:
                self._idle.set()

    async def close(self) -> None:
        """Let all bots go, and leave nothing behind."""
        room, self._room = self._room, None
        if room:
            await room.close()


def play_block(block: Block) -> list[Result]:
    """Play one block to its end, and leave nothing behind."""

    async def play() -> list[Result]:
        worker = Worker()
        try:
            return [result async for result in worker.play(block)]
        finally:
            await worker.close()

    return asyncio.run(play())

"""Play blocks of matches, and keep the bots running from block to block.

Between two blocks the bots are frozen, because no referee watches them then. A worker plays several
blocks at once: while the last matches of one are in play, the next one fills the free tables.

With sealed deals, the blocks that come between two calls of `end_bots` have at most one match of
each deal, and the processes end in between.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import NamedTuple

from arena.errors import BadInput
from arena.games.registry import game_named
from arena.indices import EntrantIndex, PlayerIndex
from arena.models.config import check_own, is_model, read_packed_model
from arena.models.player import ModelPlayer
from arena.records import Entrant, SeatEnding, hash_prefix
from arena.referee.clock import CORES, read_clock
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage, Fixture
from arena.referee.players.player import Player
from arena.referee.players.remote import RemotePlayer
from arena.referee.referee import Referee
from arena.sandbox.cage import IsolatingCage
from arena.sandbox.packages.lockfile import Lockfile
from arena.sandbox.select import select_cage
from arena.sandbox.tempdir import TempDir
from arena.submission.manifest import read_manifest
from arena.submission.package import unpack
from arena.workers.block import Block, MatchTerms, PackedBot, VoidMatch, result_of
from arena.workers.capacity import max_processes, processes_that_fit
from arena.workers.pace import Work
from leaderboard.result import MatchResult

_Key = tuple[EntrantIndex, str]
"""An entrant and the hash of its bot."""


def _key(bot: PackedBot) -> _Key:
    return bot.entrant, bot.hash


class _PooledBot(NamedTuple):
    """A bot of the pool."""

    player_index: PlayerIndex
    player: Player
    home: TempDir
    """The directory that holds its folder."""


class BotPool:
    """Bots that stay running from block to block, and the referee that they play under.

    All blocks have the same terms. Several may be in play at once.
    """

    def __init__(
        self,
        terms: MatchTerms,
        cores: int,
        *,
        processes_that_fit: Callable[[], int] = processes_that_fit,
    ) -> None:
        """Start without bots; `processes_that_fit` tells how many more the machine has room for."""
        self.terms = terms
        self.cores = cores
        self._processes_that_fit = processes_that_fit
        self._is_frozen = False
        self._cage = select_cage(terms.cage)
        self._referee = Referee(
            (),
            read_clock(terms.clock),
            cores=cores,
            freeze=terms.freeze,
            sealed=terms.sealed,
            begins_with_few=True,
            cage=self._cage.mark,
        )
        self._pooled: dict[_Key, _PooledBot] = {}
        """In the order in which they last played."""
        self._in_play: list[Block] = []
        self._admission = asyncio.Lock()
        """Held while a block starts, or waits for memory."""
        self._ended = asyncio.Event()
        """Set when a block has ended."""

    async def play(self, block: Block) -> AsyncGenerator[MatchResult | VoidMatch, None]:
        """Play a block and yield its results; a bot that cannot be started loses its matches.

        Matches that are returned unplayed have no result. When several blocks are in play,
        each uses the tables that the one before it leaves free. If memory is short, it waits until
        another block ends.
        """
        async with self._admission:
            while self._in_play and self._spare_processes(block) < 0:
                self._ended.clear()
                await self._ended.wait()
            self._in_play.append(block)
        try:
            self._thaw()
            await self._evict_idle(block)
            players = {bot.entrant: self._get_or_add(bot).player_index for bot in block.bots}
            async with aclosing(self._play_matches(block, players)) as results:
                async for result in results:
                    yield result
        except BaseException:
            if len(self._in_play) == 1:
                await self._remove(list(self._pooled))
            raise
        finally:
            self._in_play.remove(block)
            self._ended.set()
            if not self._in_play:
                self._freeze()

    def work(self) -> Work:
        """Return what has been done."""
        return Work(*self._referee.work())

    async def end_processes(self) -> None:
        """End the processes of all bots; they start again with the next block."""
        await self._referee.end_processes()

    async def close(self) -> None:
        """End all bots and remove their files."""
        # A frozen bot could not react to the end of its connection.
        self._thaw()
        await self._remove(list(self._pooled))

    async def _evict_idle(self, block: Block) -> None:
        """Remove the least recently used bots if there would be too many processes."""
        in_use = self._bots_in_use(block)
        others = [key for key in self._pooled if key not in in_use]
        kept = max(0, min(len(others), self._spare_processes(block)))
        await self._remove(others[: len(others) - kept])

    def _bots_in_use(self, block: Block) -> set[_Key]:
        """Return the bots of this block and of those in play."""
        blocks = [*self._in_play, block]
        return {_key(bot) for each in blocks for bot in each.bots}

    def _spare_processes(self, block: Block) -> int:
        """Return how many processes may stay besides the ones that this block and others need."""
        running = self._referee.process_count()
        allowed = running + self._processes_that_fit() // max(1, CORES // self.cores)
        return min(allowed, max_processes()) - len(self._bots_in_use(block))

    def _get_or_add(self, bot: PackedBot) -> _PooledBot:
        key = _key(bot)
        kept = self._pooled.pop(key, None)
        if kept is None:
            home = TempDir(self._cage.base())
            player = self._make_player(bot, home)
            kept = _PooledBot(self._referee.add_player(player), player, home)
        self._pooled[key] = kept
        return kept

    def _make_player(self, bot: PackedBot, home: TempDir) -> Player:
        folder = home.path / "unpacked"
        unpack(bot.package, folder, expected=bot.hash)
        entrant = Entrant(bot.name, str(bot.number), hash_prefix(bot.hash))
        if is_model(bot.name):
            # Nobody can submit a bot of such a name: the organiser has entered this one.
            return ModelPlayer(entrant, check_own(read_packed_model(folder, bot.name)))
        try:
            lock = Lockfile.read(bot.lock) if bot.lock else None
            launch = self._cage.launcher(read_manifest(folder), self.terms.limits, lock, home=home)
        except BadInput as error:
            # Without the folder, which differs every time.
            return _UnstartablePlayer(entrant, str(error).replace(f"{folder}/", ""))
        if isinstance(self._cage, IsolatingCage):
            shutil.rmtree(folder)  # it is copied
        return RemotePlayer(entrant, launch)

    async def _play_matches(
        self, block: Block, players: Mapping[EntrantIndex, PlayerIndex]
    ) -> AsyncGenerator[MatchResult | VoidMatch, None]:
        game = game_named(self.terms.game)
        parameters = game.parameters_form.read(self.terms.parameters)
        fixtures = [
            Fixture(
                match.number,
                game,
                parameters,
                match.seed,
                tuple(players[entrant] for entrant in match.seating),
                match.salt,
            )
            for match in block.matches
        ]
        planned = {match.number: match for match in block.matches}
        versions = {bot.entrant: bot.version for bot in block.bots}
        played = self._referee.play_more(
            fixtures, tables=block.tables, return_unplayed=block.return_unplayed
        )
        async with aclosing(played):
            async for fixture, record in played:
                if record is None:
                    yield VoidMatch(fixture.number)
                    continue
                match = planned[fixture.number]
                yield result_of(match, record, [versions[entrant] for entrant in match.seating])

    async def _remove(self, keys: Sequence[_Key]) -> None:
        bots = [self._pooled.pop(key) for key in keys]
        await self._referee.remove_players(*(kept.player_index for kept in bots))
        for kept in bots:
            kept.home.remove()

    def _freeze(self) -> None:
        self._is_frozen = True
        for kept in self._pooled.values():
            if isinstance(kept.player, RemotePlayer):
                kept.player.freeze()

    def _thaw(self) -> None:
        # With `freeze`, the referee thaws each bot for its own decisions.
        if self._is_frozen and not self.terms.freeze:
            for kept in self._pooled.values():
                if isinstance(kept.player, RemotePlayer):
                    kept.player.thaw()
        self._is_frozen = False


class _UnstartablePlayer(Player):
    """A bot that cannot be prepared on this machine."""

    def __init__(self, entrant: Entrant, sentence: str) -> None:
        self.entrant = entrant
        self._sentence = sentence

    async def play(self, mailbox: Mailbox) -> Breakage:
        return Breakage(SeatEnding.NO_HELLO, self._sentence)


class Worker:
    """Plays blocks, and keeps the bots of one for the next if the terms are the same."""

    def __init__(self, cores: int) -> None:
        """Start without bots, of which at most `cores` think at once."""
        self._cores = cores
        self._pool: BotPool | None = None
        self._in_play = 0
        self._decisions = 0
        """Those of earlier terms."""
        self._idle = asyncio.Event()
        self._idle.set()

    async def play(self, block: Block) -> AsyncGenerator[MatchResult | VoidMatch, None]:
        """Play a block and yield its results; other blocks may be in play at the same time."""
        while self._pool and self._pool.terms != block.terms:
            await self._idle.wait()
            await self.close()
        if self._pool is None:
            self._pool = BotPool(block.terms, self._cores)
        self._in_play += 1
        self._idle.clear()
        try:
            async with aclosing(self._pool.play(block)) as results:
                async for result in results:
                    yield result
        finally:
            self._in_play -= 1
            if not self._in_play:
                self._idle.set()

    def work(self) -> Work:
        """Return what has been done since the start."""
        decisions, tables = self._pool.work() if self._pool else (0, 0)
        return Work(self._decisions + decisions, tables)

    async def end_bots(self) -> None:
        """End the processes of all bots; nothing may be in play."""
        if self._pool:
            await self._pool.end_processes()

    async def close(self) -> None:
        """End all bots and remove their files."""
        pool, self._pool = self._pool, None
        if pool:
            self._decisions += pool.work().decisions
            await pool.close()

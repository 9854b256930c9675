"""Is a bot fit to play, and if not, what is wrong with it?

The check goes from what must work first to what can only be seen in many matches. A step that
fails is explained, with what the bot printed; what rests on it is left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from arena.games.conformance import Setting
from arena.games.registry import game_named
from arena.manifest import MANIFEST, BadManifest, Manifest, find_bot
from arena.referee.checking.greeting import GAMES, HELLO, STARTS, games_of, greeted
from arena.referee.checking.matches import Sitting, Trial, difference, fixture, settings_to_try
from arena.referee.checking.steps import Book, Step, Verdict
from arena.referee.clock import DEFAULT_CLOCK, Clock
from arena.referee.players.remote import START_LIMIT_S, Launch

TABLES = 64
FOUND = "it is found"
MATCHES = "its matches"
TIME = "thinking time"
MEMORY = "memory"
AGAIN = "the same match again"
_ALONE_S = 20.0
"""For about so long matches of many tables are played again one at a time, to compare."""
_FEW = 4
"""At least so many are."""


def check(
    word: str,
    *,
    launcher: Callable[[Manifest], Launch],
    games: Sequence[str] = (),
    clock: Clock = DEFAULT_CLOCK,
    start_limit_s: float = START_LIMIT_S,
    tables: int = TABLES,
    book: Book | None = None,
) -> list[Step]:
    """Try a bot in every way that a league will; raise `BadManifest` if there is no such bot.

    Only those of its games are tried that are asked for, or all.
    """
    for game_id in games:
        game_named(game_id)
    book = book or Book()
    asyncio.run(_Check(book, word, games, clock, start_limit_s, tables).steps(launcher))
    return book.steps


class _Check:
    def __init__(
        self,
        book: Book,
        word: str,
        games: Sequence[str],
        clock: Clock,
        start_limit_s: float,
        tables: int,
    ) -> None:
        self._book = book
        self._word = word
        self._wanted = games
        self._clock = clock
        self._start_limit_s = start_limit_s
        self._tables = tables
        self._at_once = f"{tables} tables at once"

    async def steps(self, launcher: Callable[[Manifest], Launch]) -> None:
        """Go through all steps."""
        bot = self._found()
        if bot is None:
            self._leave_out(FOUND, STARTS, HELLO, GAMES, MATCHES, TIME, MEMORY)
            return
        launch = launcher(bot)
        hello = await greeted(self._book, launch, self._start_limit_s)
        if hello is None:
            failed = self._book.steps[-1].title
            order = (STARTS, HELLO, GAMES, MATCHES, TIME, MEMORY)
            self._leave_out(*order[order.index(failed) :])
            return
        promised = bot.games if Path(self._word).is_dir() else ()
        games = games_of(self._book, hello, promised=promised, wanted=self._wanted)
        if not games:
            self._leave_out(GAMES, MATCHES, TIME, MEMORY)
            return
        await self._try_out(games, Trial(launch, self._clock, self._start_limit_s))

    def _leave_out(self, failed: str, *titles: str) -> None:
        self._book.leave_out((*titles, AGAIN, self._at_once), f"because of: {failed}")

    def _found(self) -> Manifest | None:
        self._book.begin(FOUND)
        try:
            bot = find_bot(self._word)
        except BadManifest as error:
            if not Path(self._word).is_dir():
                raise
            self._book.end(Verdict.FAILED, str(error))
            return None
        if Path(self._word).is_dir():
            self._book.end(Verdict.OK, f"{MANIFEST}: {bot.name} plays {', '.join(bot.games)}")
        else:
            self._book.end(Verdict.OK, f"without a {MANIFEST}: {bot.name} is tried as it is")
        return bot

    async def _try_out(self, games: Sequence[str], trial: Trial) -> None:
        sittings: list[Sitting] = []
        failed = []
        for game_id in games:
            settings = settings_to_try(game_named(game_id))
            of_game = await self._play_each(settings, trial)
            sittings += of_game
            if of_game[-1].failure:
                failed.append(str(settings[len(of_game) - 1]))
        self._measure(sittings, trial)
        if failed:
            self._leave_out(failed[0])
            return
        is_steady = await self._play_again(sittings, trial)
        await self._play_at_once(sittings, trial, is_steady=is_steady)

    async def _play_each(self, settings: Sequence[Setting], trial: Trial) -> list[Sitting]:
        """Play a match of every setting, a step each; one that fails ends it."""
        fixtures = [fixture(setting, number) for number, setting in enumerate(settings)]
        sittings: list[Sitting] = []
        self._book.begin(str(settings[0]))
        async for sitting in trial.played(fixtures, tables=1):
            sittings.append(sitting)
            if sitting.failure:
                failure = sitting.failure
                self._book.end(Verdict.FAILED, failure.sentence, printed=failure.printed)
                break
            number = len(sitting.choices)
            self._book.end(Verdict.OK, f"seat {sitting.seat}, {number} decisions")
            if len(sittings) < len(settings):
                self._book.begin(str(settings[len(sittings)]))
        rest = settings[len(sittings) :]
        self._book.leave_out(map(str, rest), f"because of: {settings[len(sittings) - 1]}")
        return sittings

    def _measure(self, sittings: Sequence[Sitting], trial: Trial) -> None:
        times = [choice.time_us / 1000 for sitting in sittings for choice in sitting.choices]
        self._book.begin(TIME)
        if times:
            share = max(sitting.clock_share for sitting in sittings)
            sentence = (
                f"{median(times):.1f} ms in the middle and {max(times):.1f} ms at worst; "
                f"{share:.1%} of the clock {self._clock} at most"
            )
            figures = {"median_ms": median(times), "worst_ms": max(times), "clock_share": share}
            self._book.end(Verdict.OK, sentence, **figures)
        else:
            self._book.end(Verdict.LEFT_OUT, "it has not decided anything")
        self._book.begin(MEMORY)
        used = trial.memory_bytes
        if used:
            self._book.end(Verdict.OK, f"{used / 2**20:.0f} MB at most", memory_bytes=used)
        else:
            self._book.end(Verdict.LEFT_OUT, "its process cannot be looked at")

    async def _play_again(self, sittings: Sequence[Sitting], trial: Trial) -> bool:
        """Play the last match of every game again in a fresh process; tell whether it is the same.

        The first time, the process had other matches behind it: these must not matter.
        """
        self._book.begin(AGAIN)
        lasts = {sitting.record.game_id: sitting for sitting in sittings}
        for game_id, first in lasts.items():
            async for second in trial.played([first.fixture], tables=1):
                if second.failure:
                    failure = second.failure
                    self._book.end(Verdict.FAILED, failure.sentence, printed=failure.printed)
                    return False
                where = difference(first, second)
                if where:
                    seats = len(first.fixture.seating)
                    sentence = f"not deterministic: {where} in {game_id} with {seats} seats"
                    self._book.end(Verdict.WARNING, sentence)
                    return False
        self._book.end(Verdict.OK, "the same decisions")
        return True

    async def _play_at_once(
        self, sittings: Sequence[Sitting], trial: Trial, *, is_steady: bool
    ) -> None:
        """Play at many tables, and a part of it again one at a time."""
        games = [game_named(game_id) for game_id in {s.record.game_id: None for s in sittings}]
        settings = [settings_to_try(game)[0] for game in games]
        fixtures = [fixture(settings[n % len(games)], 100 + n) for n in range(self._tables)]
        self._book.begin(self._at_once)
        at_once = {}
        async for sitting in trial.played(fixtures, tables=self._tables):
            if sitting.failure:
                failure = sitting.failure
                self._book.end(Verdict.FAILED, failure.sentence, printed=failure.printed)
                return
            at_once[sitting.fixture.number] = sitting
        if not is_steady:
            self._book.end(Verdict.OK, "no fault; it is not deterministic, so nothing is compared")
            return
        thought_us = sum(choice.time_us for s in at_once.values() for choice in s.choices)
        match_s = thought_us / 1e6 / len(fixtures)
        few = fixtures[: max(_FEW, int(_ALONE_S / max(match_s, 0.001)))]
        async for alone in trial.played(few, tables=1):
            where = difference(at_once[alone.fixture.number], alone)
            if where:
                sentence = (
                    f"{where} when a match of {alone.record.game_id} is played alone: "
                    "does it mix up its matches? self.match.memory keeps them apart"
                )
                self._book.end(Verdict.FAILED, sentence)
                return
        self._book.end(Verdict.OK, f"no fault, and {len(few)} of them went the same alone")

"""Is a bot fit to play, and if not, what is wrong with it?

The check goes from what must work first to what can only be seen in many matches. A step that
fails is explained, with what the bot printed; what rests on it is left out.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from arena.games.conformance import Setting
from arena.games.registry import game_named
from arena.manifest import MANIFEST, BadManifest, Manifest, find_bot
from arena.referee.checking.greeting import GAMES, HELLO, STARTS, games_of, hello_of
from arena.referee.checking.matches import (
    Failure,
    Sitting,
    Trial,
    difference,
    fixture,
    settings_to_try,
)
from arena.referee.checking.steps import Book, Step, Verdict
from arena.referee.clock import DEFAULT_CLOCK, Clock
from arena.referee.players.remote import START_LIMIT_S
from arena.sandbox.process import Launch

TABLES = 64
FOUND = "its manifest"
MATCHES = "its matches"
TIME = "thinking time"
MEMORY = "memory"
AGAIN = "the same match again"
PATIENCE_S = 60.0
"""How long, at most, a bot is watched at many tables, and then at one, to compare."""


def check(
    word: str,
    *,
    launcher: Callable[[Manifest], Launch],
    games: Sequence[str] = (),
    clock: Clock = DEFAULT_CLOCK,
    start_limit_s: float = START_LIMIT_S,
    tables: int = TABLES,
    patience_s: float = PATIENCE_S,
    book: Book | None = None,
) -> list[Step]:
    """Try a bot in every way that a league will; raise `BadManifest` if there is no such bot.

    Only those of its games are tried that are asked for, or all.
    """
    for game_id in games:
        game_named(game_id)
    book = book or Book()
    steps = _Check(book, word, games, clock, start_limit_s, tables, patience_s)
    asyncio.run(steps.take(launcher))
    return book.steps


@dataclass(frozen=True, slots=True)
class _Check:
    book: Book
    word: str
    wanted: Sequence[str]
    clock: Clock
    start_limit_s: float
    tables: int
    patience_s: float

    async def take(self, launcher: Callable[[Manifest], Launch]) -> None:
        """Go through all steps."""
        bot = self._found()
        if bot is None:
            self._leave_out_after(FOUND)
            return
        launch = launcher(bot)
        hello = await hello_of(self.book, launch, self.start_limit_s)
        if hello is None:
            self._leave_out_after(self.book.steps[-1].title)
            return
        promised = bot.games if os.path.isdir(self.word) else ()
        games = games_of(self.book, hello, promised=promised, wanted=self.wanted)
        if not games:
            self._leave_out_after(GAMES)
            return
        await self._try_out(games, Trial(launch, self.clock, self.start_limit_s))

    def _leave_out_after(self, failed: str) -> None:
        titles = (FOUND, STARTS, HELLO, GAMES, MATCHES, TIME, MEMORY, AGAIN, self._at_once)
        self.book.leave_out(titles[titles.index(failed) + 1 :])

    @property
    def _at_once(self) -> str:
        return f"{self.tables} tables at once"

    def _found(self) -> Manifest | None:
        if not os.path.isdir(self.word):
            # There is no manifest to be wrong: without such a bot, the question is.
            bot = find_bot(self.word)
            self.book.begin(FOUND)
            self.book.end(Verdict.OK, f"{bot.name} has no {MANIFEST} and is tried as it is")
            return bot
        self.book.begin(FOUND)
        try:
            bot = find_bot(self.word)
        except BadManifest as error:
            self.book.end(Verdict.FAILED, str(error))
            return None
        self.book.end(Verdict.OK, f"{bot.name} plays {', '.join(bot.games)}")
        return bot

    async def _try_out(self, games: Sequence[str], trial: Trial) -> None:
        sittings: list[Sitting] = []
        for game_id in games:
            sittings += await self._play_each(settings_to_try(game_named(game_id)), trial)
        self._measure(sittings, trial)
        if any(sitting.failure for sitting in sittings):
            self._leave_out_after(MEMORY)
            return
        is_deterministic = await self._play_again(sittings, trial)
        await self._play_at_once(games, trial, is_deterministic=is_deterministic)

    async def _play_each(self, settings: Sequence[Setting], trial: Trial) -> list[Sitting]:
        """Play a match of every setting, a step each; one that fails ends it."""
        titles = [str(setting) for setting in settings]
        coming = iter(titles[1:])

        def tell(sitting: Sitting) -> None:
            if sitting.failure:
                self._fail(sitting.failure)
                return
            self.book.end(Verdict.OK, f"seat {sitting.seat}, {len(sitting.choices)} decisions")
            title = next(coming, None)
            if title:
                self.book.begin(title)

        fixtures = [fixture(setting, number) for number, setting in enumerate(settings)]
        self.book.begin(titles[0])
        sittings = await trial.played(fixtures, tables=1, tell=tell)
        played = len(sittings)
        self.book.leave_out(titles[played:])
        return sittings

    def _fail(self, failure: Failure) -> None:
        self.book.end(Verdict.FAILED, failure.sentence, printed=failure.printed)

    def _measure(self, sittings: Sequence[Sitting], trial: Trial) -> None:
        times = [choice.time_us / 1000 for sitting in sittings for choice in sitting.choices]
        self.book.begin(TIME)
        if times:
            share = max(sitting.clock_share for sitting in sittings)
            sentence = (
                f"{median(times):.1f} ms in the middle and {max(times):.1f} ms at worst; "
                f"{share:.1%} of the clock {self.clock} at most"
            )
            figures = {"median_ms": median(times), "worst_ms": max(times), "clock_share": share}
            self.book.end(Verdict.OK, sentence, figures=figures)
        else:
            self.book.end(Verdict.LEFT_OUT, "it has not decided anything")
        self.book.begin(MEMORY)
        used = trial.memory_bytes
        if used:
            self.book.end(
                Verdict.OK, f"{used / 2**20:.0f} MiB at most", figures={"memory_bytes": used}
            )
        else:
            self.book.end(Verdict.LEFT_OUT, "its process had ended before it could be looked at")

    async def _play_again(self, sittings: Sequence[Sitting], trial: Trial) -> bool:
        """Play the last match of every game again in a fresh process; tell whether it is the same.

        The first time, the process had other matches behind it: these must not matter.
        """
        self.book.begin(AGAIN)
        lasts = {sitting.record.game_id: sitting for sitting in sittings}
        for game_id, first in lasts.items():
            (second,) = await trial.played([first.fixture], tables=1)
            if second.failure:
                self._fail(second.failure)
                return False
            where = difference(first, second)
            if where:
                seats = len(first.fixture.seating)
                sentence = f"not deterministic: {where} in {game_id} with {seats} seats"
                self.book.end(Verdict.WARNING, sentence)
                return False
        self.book.end(Verdict.OK, "the same decisions")
        return True

    async def _play_at_once(
        self, games: Sequence[str], trial: Trial, *, is_deterministic: bool
    ) -> None:
        """Play at many tables, and as much of it as time allows again one at a time."""
        settings = [settings_to_try(game_named(game_id))[0] for game_id in games]
        fixtures = [fixture(settings[n % len(games)], n) for n in range(self.tables)]
        limit_s = self.patience_s
        self.book.begin(self._at_once)
        sittings = await trial.played(fixtures, tables=self.tables, limit_s=limit_s)
        if sittings and sittings[-1].failure:
            self._fail(sittings[-1].failure)
            return
        found = "no fault"
        if len(sittings) < self.tables:
            found += f" in {limit_s:g} s, and {len(sittings)} matches played to the end"
        if is_deterministic and sittings:
            again = [sitting.fixture for sitting in sittings]
            alone = await trial.played(again, tables=1, limit_s=limit_s)
            if alone and alone[-1].failure:
                self._fail(alone[-1].failure)
                return
            for together, single in zip(sittings, alone, strict=False):
                where = difference(together, single)
                if where:
                    self.book.end(Verdict.FAILED, _mixed_up(where, single))
                    return
            found += f"; {len(alone)} of the matches played alone went the same"
        else:
            found += "; not compared with one at a time"
        self.book.end(Verdict.OK, found)


def _mixed_up(where: str, alone: Sitting) -> str:
    return (
        f"{where} when a match of {alone.record.game_id} is played alone: "
        "it mixes up its matches, unless it decides by the clock"
    )

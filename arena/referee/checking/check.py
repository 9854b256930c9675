"""Is a bot fit to play, and if not, what is wrong with it?

The check goes from what must work first to what can only be seen in many matches. A step that
fails is explained, with what the bot printed; what rests on it is left out.

What the bot is told is what it is told in an event: one that behaves while it is checked, and not
afterwards, must not be able to tell the two apart. So no process plays more than one variant of one
game, and the clock is an event's.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from statistics import median

from arena.errors import BadInput
from arena.games.conformance import Setting
from arena.games.randomness import Seed
from arena.games.registry import game_named
from arena.limits import AsksTooMuch
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
from arena.referee.clock import EVENT_CLOCK, Clock
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
    secret: Seed,
    *,
    launcher: Callable[[Manifest], Launch],
    games: Sequence[str] = (),
    clock: Clock = EVENT_CLOCK,
    start_limit_s: float = START_LIMIT_S,
    tables: int = TABLES,
    patience_s: float = PATIENCE_S,
    book: Book | None = None,
) -> list[Step]:
    """Try a bot in every way that a league will; raise `BadManifest` if there is no such bot.

    Only those of its games are tried that are asked for, or all. The same secret deals the same.
    """
    for game_id in games:
        game_named(game_id)
    book = book or Book()
    steps = _Check(book, word, secret, games, clock, start_limit_s, tables, patience_s)
    asyncio.run(steps.take(launcher))
    return book.steps


@dataclass(frozen=True, slots=True)
class _Check:
    book: Book
    word: str
    secret: Seed
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
        launch = self._launch_of(bot, launcher)
        if launch is None:
            self._leave_out_after(FOUND)
            return
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
        """Begin with the manifest; this step is only ended if that is wrong."""
        if not os.path.isdir(self.word):
            # There is no manifest to be wrong: without such a bot, the question is.
            bot = find_bot(self.word)
            self.book.begin(FOUND)
            return bot
        self.book.begin(FOUND)
        try:
            return find_bot(self.word)
        except BadManifest as error:
            self.book.end(Verdict.FAILED, str(error))
            return None

    def _launch_of(self, bot: Manifest, launcher: Callable[[Manifest], Launch]) -> Launch | None:
        """Prepare the bot, and end the step of its manifest, which may ask for too much."""
        sentence = f"{bot.name} plays {', '.join(bot.games)}"
        if not os.path.isdir(self.word):
            sentence = f"{bot.name} has no {MANIFEST} and is tried as it is"
        try:
            launch = launcher(bot)
        except AsksTooMuch as error:
            self.book.end(Verdict.FAILED, str(error))
            return None
        except BadInput:
            # It lies with the machine, not with the manifest.
            self.book.end(Verdict.OK, sentence)
            raise
        self.book.end(Verdict.OK, sentence)
        return launch

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

        fixtures = [
            fixture(setting, number, self.secret) for number, setting in enumerate(settings)
        ]
        self.book.begin(titles[0])
        sittings: list[Sitting] = []
        for _, variant in groupby(fixtures, key=attrgetter("parameters")):
            sittings += await trial.played(list(variant), tables=1, tell=tell)
            if sittings[-1].failure:
                break
        self.book.leave_out(titles[len(sittings) :])
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
        """Play a match of every game again in a fresh process; tell whether it is the same.

        The first time, the process had other matches behind it: these must not matter.
        """
        self.book.begin(AGAIN)
        for game_id, first in _lasts(sittings).items():
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
        self.book.begin(self._at_once)
        ended = compared = 0
        for game_id in games:
            sittings = await self._many(game_id, trial, limit_s=self.patience_s / len(games))
            if sittings is None:
                return
            ended += len(sittings)
            if is_deterministic and sittings:
                # No more in all than if there were one game: this takes the longest.
                some = sittings[: -(-self.tables // len(games))]
                alone = await self._alone(some, trial, limit_s=self.patience_s / len(games))
                if alone is None:
                    return
                compared += alone
        found = "no fault"
        if ended < self.tables * len(games):
            found += f" in {self.patience_s:g} s, and {ended} matches played to the end"
        if compared:
            found += f"; {compared} of the matches played alone went the same"
        else:
            found += "; not compared with one at a time"
        self.book.end(Verdict.OK, found)

    async def _many(self, game_id: str, trial: Trial, *, limit_s: float) -> list[Sitting] | None:
        """Play a game at many tables; return what came to its end in time, None for a failure."""
        setting = settings_to_try(game_named(game_id))[0]
        fixtures = [fixture(setting, number, self.secret) for number in range(self.tables)]
        sittings = await trial.played(fixtures, tables=self.tables, limit_s=limit_s)
        if sittings and sittings[-1].failure:
            self._fail(sittings[-1].failure)
            return None
        return sittings

    async def _alone(
        self, sittings: Sequence[Sitting], trial: Trial, *, limit_s: float
    ) -> int | None:
        """Play matches again one at a time; return how many went the same, None for a failure."""
        again = [sitting.fixture for sitting in sittings]
        alone = await trial.played(again, tables=1, limit_s=limit_s)
        if alone and alone[-1].failure:
            self._fail(alone[-1].failure)
            return None
        for together, single in zip(sittings, alone, strict=False):
            where = difference(together, single)
            if where:
                self.book.end(Verdict.FAILED, _mixed_up(where, single))
                return None
        return len(alone)


def _lasts(sittings: Sequence[Sitting]) -> dict[str, Sitting]:
    """Return for each game the last match of its first variant, which is played most."""
    first = {sitting.record.game_id: sitting.record.parameters for sitting in reversed(sittings)}
    return {
        sitting.record.game_id: sitting
        for sitting in sittings
        if sitting.record.parameters == first[sitting.record.game_id]
    }


def _mixed_up(where: str, alone: Sitting) -> str:
    return (
        f"{where} when a match of {alone.record.game_id} is played alone: "
        "it mixes up its matches, unless it decides by the clock"
    )

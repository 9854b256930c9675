"""Run all steps of a check.

The check begins with the basics and ends with problems that only many matches reveal. A failed step
is reported together with the bot's output, and the steps that depend on it are skipped.

The bot receives exactly what it would receive in an event, so that it cannot behave well only while
it is checked. Therefore no process plays more than one variant of one game, and the clock is that
of an event.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from statistics import median

from arena.checks.advice import NOT_DETERMINISTIC
from arena.checks.hello import GAMES, HELLO, START, check_games, check_hello
from arena.checks.many_tables import ManyTables, fail, many_tables_title
from arena.checks.matches import (
    CheckedMatch,
    Trial,
    difference,
    make_fixture,
    settings_to_try,
)
from arena.checks.steps import Step, StepLog, StepStatus
from arena.errors import BadInput
from arena.games.conformance import Setting
from arena.games.randomness import Seed
from arena.games.registry import game_named, games_text
from arena.referee.clock import EVENT_CLOCK, Clock
from arena.referee.players.remote import START_LIMIT_S
from arena.sandbox.bot_process import Launch
from arena.submission.limits import LimitNotAllowed
from arena.submission.lookup import find_bot, is_house_name, names_a_folder
from arena.submission.manifest import MANIFEST, BadManifest, Manifest
from arena.text import quantity

TABLES = 64
MANIFEST_STEP = "manifest"
MATCHES = "matches"
TIME = "thinking time"
MEMORY = "memory"
REPEATED = "repeated match"
PATIENCE_S = 60.0
"""Time limit for the matches at many tables, and again for the same matches at one table."""


def check_bot(
    word: str,
    secret: Seed,
    *,
    launcher: Callable[[Manifest], Launch],
    games: Sequence[str] = (),
    clock: Clock = EVENT_CLOCK,
    start_limit_s: float = START_LIMIT_S,
    tables: int = TABLES,
    patience_s: float = PATIENCE_S,
    log: StepLog | None = None,
) -> list[Step]:
    """Test a bot in every way that a league will; raise `BadManifest` if there is no such bot.

    `games` limits the check to some of its games. The same secret gives the same deals.
    """
    for game_id in games:
        game_named(game_id)
    log = log or StepLog()
    check = _Check(log, word, secret, games, clock, start_limit_s, tables, patience_s)
    asyncio.run(check.run(launcher))
    return log.steps


@dataclass(frozen=True, slots=True)
class _Check:
    log: StepLog
    word: str
    secret: Seed
    requested: Sequence[str]
    clock: Clock
    start_limit_s: float
    tables: int
    patience_s: float

    async def run(self, launcher: Callable[[Manifest], Launch]) -> None:
        """Run all steps."""
        bot = self._find_manifest()
        if bot is None:
            self._skip_after(MANIFEST_STEP)
            return
        launch = self._prepare(bot, launcher)
        if launch is None:
            self._skip_after(MANIFEST_STEP)
            return
        hello = await check_hello(self.log, launch, self.start_limit_s)
        if hello is None:
            self._skip_after(self.log.steps[-1].title)
            return
        promised = bot.games if bot.has_file else ()
        games = check_games(self.log, hello, promised=promised, requested=self.requested)
        if not games:
            self._skip_after(GAMES)
            return
        await self._play_matches(games, Trial(launch, self.clock, self.start_limit_s))

    def _skip_after(self, failed: str) -> None:
        titles = (
            MANIFEST_STEP,
            START,
            HELLO,
            GAMES,
            MATCHES,
            TIME,
            MEMORY,
            REPEATED,
            many_tables_title(self.tables),
        )
        self.log.skip(titles[titles.index(failed) + 1 :])

    def _find_manifest(self) -> Manifest | None:
        """Begin the step of the manifest; end it only if the manifest is wrong."""
        try:
            bot = find_bot(self.word)
        except BadManifest as error:
            if not names_a_folder(self.word):
                # Without a folder there is no manifest to check: the word itself is wrong.
                raise
            self.log.begin(MANIFEST_STEP)
            self.log.end(StepStatus.FAILED, str(error))
            return None
        self.log.begin(MANIFEST_STEP)
        self.log.bot = bot
        return bot

    def _prepare(self, bot: Manifest, launcher: Callable[[Manifest], Launch]) -> Launch | None:
        """Prepare the bot, and end the step of its manifest, which may exceed the limits."""
        if is_house_name(bot):
            self.log.end(StepStatus.FAILED, f"{bot.name} is the name of a house bot: change it")
            return None
        sentence = f"{bot.name} plays {games_text(bot.games)}"
        if not bot.has_file:
            sentence = f"{bot.name} has no {MANIFEST}; it is checked without one"
        try:
            launch = launcher(bot)
        except LimitNotAllowed as error:
            self.log.end(StepStatus.FAILED, str(error))
            return None
        except BadInput:
            # The machine is at fault, not the manifest.
            self.log.end(StepStatus.OK, sentence)
            raise
        self.log.end(StepStatus.OK, sentence)
        return launch

    async def _play_matches(self, games: Sequence[str], trial: Trial) -> None:
        checked: list[CheckedMatch] = []
        for game_id in games:
            checked += await self._play_each(settings_to_try(game_named(game_id)), trial)
        self._measure(checked, trial)
        if any(match.failure for match in checked):
            self._skip_after(MEMORY)
            return
        is_deterministic = await self._repeat_matches(checked, trial)
        many = ManyTables(self.log, trial, self.secret, self.tables, self.patience_s)
        await many.play(games, is_deterministic=is_deterministic)

    async def _play_each(self, settings: Sequence[Setting], trial: Trial) -> list[CheckedMatch]:
        """Play a match with every setting, each as a step, until one fails."""
        titles = [str(setting) for setting in settings]
        next_titles = iter(titles[1:])

        def report(match: CheckedMatch) -> None:
            if match.failure:
                fail(self.log, match.failure)
                return
            made = quantity(len(match.choices), "decision")
            self.log.end(StepStatus.OK, f"seat {match.seat}, {made}")
            title = next(next_titles, None)
            if title:
                self.log.begin(title)

        fixtures = [
            make_fixture(setting, number, self.secret) for number, setting in enumerate(settings)
        ]
        self.log.begin(titles[0])
        checked: list[CheckedMatch] = []
        for _, variant in groupby(fixtures, key=attrgetter("parameters")):
            checked += await trial.play(list(variant), tables=1, on_end=report)
            if checked[-1].failure:
                break
        self.log.skip(titles[len(checked) :])
        return checked

    def _measure(self, checked: Sequence[CheckedMatch], trial: Trial) -> None:
        times = [choice.time_us / 1000 for match in checked for choice in match.choices]
        self.log.begin(TIME)
        if times:
            share = max(match.clock_share for match in checked)
            sentence = (
                f"median {median(times):.1f} ms, worst {max(times):.1f} ms; "
                f"at most {share:.1%} of the clock {self.clock}"
            )
            figures = {"median_ms": median(times), "worst_ms": max(times), "clock_share": share}
            self.log.end(StepStatus.OK, sentence, figures=figures)
        else:
            self.log.end(StepStatus.SKIPPED, "it made no decisions")
        self.log.begin(MEMORY)
        used = trial.memory_bytes
        if used:
            self.log.end(
                StepStatus.OK, f"at most {used / 2**20:.0f} MiB", figures={"memory_bytes": used}
            )
        else:
            self.log.end(StepStatus.SKIPPED, "its process ended before it could be measured")

    async def _repeat_matches(self, checked: Sequence[CheckedMatch], trial: Trial) -> bool:
        """Repeat a match of every game in a fresh process; return whether the decisions were equal.

        The first time, the process had already played other matches, which must not matter.
        """
        self.log.begin(REPEATED)
        for game_id, first in _last_match_of_each_game(checked).items():
            (second,) = await trial.play([first.fixture], tables=1)
            if second.failure:
                fail(self.log, second.failure)
                return False
            where = difference(first, second)
            if where:
                seats = len(first.fixture.seating)
                sentence = f"not deterministic: {where} in {game_id} with {seats} seats"
                self.log.end(StepStatus.WARNING, sentence, advice=NOT_DETERMINISTIC)
                return False
        self.log.end(StepStatus.OK, "same decisions")
        return True


def _last_match_of_each_game(checked: Sequence[CheckedMatch]) -> dict[str, CheckedMatch]:
    """Return the last match of the first variant of each game, which is played most."""
    first = {match.record.game_id: match.record.parameters for match in reversed(checked)}
    return {
        match.record.game_id: match
        for match in checked
        if match.record.parameters == first[match.record.game_id]
    }

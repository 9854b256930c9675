"""The last step of a check: many tables at once, compared with the same matches alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.checks.matches import (
    CheckedMatch,
    Failure,
    Trial,
    difference,
    make_fixture,
    settings_to_try,
)
from arena.checks.steps import StepLog, StepStatus
from arena.games.randomness import Seed
from arena.games.registry import game_named
from arena.records import SeatEnding
from arena.text import quantity

_LOOKS = 3
"""Fresh processes that repeat a match before a bot is said to confuse its matches."""
_MEMORY_HINT = (
    "with the Python SDK, keep what belongs to one match in self.match.memory, not in self"
)


def many_tables_title(tables: int) -> str:
    """Return the title of the step."""
    return f"{tables} tables at once"


def fail(log: StepLog, failure: Failure) -> None:
    """End a step with the failure of the bot."""
    log.end(StepStatus.FAILED, failure.sentence, printed=failure.printed)


@dataclass(frozen=True, slots=True)
class ManyTables:
    """What the step needs: the bot on trial, the deals, and how much to play for how long."""

    log: StepLog
    trial: Trial
    secret: Seed
    tables: int
    patience_s: float

    async def play(self, games: Sequence[str], *, is_deterministic: bool) -> None:
        """Play at many tables, and repeat as many matches as time allows one at a time."""
        self.log.begin(many_tables_title(self.tables))
        ended = compared = 0
        for game_id in games:
            checked = await self._play_at_once(game_id, limit_s=self.patience_s / len(games))
            if checked is None:
                return
            ended += len(checked)
            if is_deterministic and checked:
                # In total no more than with a single game: this takes the longest.
                some = checked[: -(-self.tables // len(games))]
                alone = await self._compare_alone(some, limit_s=self.patience_s / len(games))
                if alone is None:
                    return
                compared += alone
        found = "no faults"
        if ended < self.tables * len(games):
            matches = quantity(ended, "match", "matches")
            found += f" in {self.patience_s:g} s, {matches} finished"
        if compared:
            found += f"; {compared} of these matches repeated alone, with the same decisions"
        else:
            found += "; not compared with single tables"
        self.log.end(StepStatus.OK, found)

    async def _play_at_once(self, game_id: str, *, limit_s: float) -> list[CheckedMatch] | None:
        """Play a game at many tables; return the matches that ended in time, None for a failure."""
        setting = settings_to_try(game_named(game_id))[0]
        fixtures = [make_fixture(setting, number, self.secret) for number in range(self.tables)]
        checked = await self.trial.play(fixtures, tables=self.tables, limit_s=limit_s)
        if checked and checked[-1].failure:
            fail(self.log, _with_hint(checked[-1].failure))
            return None
        return checked

    async def _compare_alone(
        self, checked: Sequence[CheckedMatch], *, limit_s: float
    ) -> int | None:
        """Repeat matches one at a time; return how many had equal decisions, None for a failure."""
        fixtures = [match.fixture for match in checked]
        alone = await self.trial.play(fixtures, tables=1, limit_s=limit_s)
        if alone and alone[-1].failure:
            fail(self.log, alone[-1].failure)
            return None
        for together, single in zip(checked, alone, strict=False):
            where = difference(together, single)
            if where:
                await self._look_again(where, single)
                return None
        return len(alone)

    async def _look_again(self, where: str, single: CheckedMatch) -> None:
        """End the step after a difference: a warning if the match differs even when alone.

        A bot that searches by the clock may decide differently on a busy machine: not a fault.
        """
        fresh: list[CheckedMatch] = []
        for _ in range(_LOOKS):
            fresh += await self.trial.play([single.fixture], tables=1)
            if fresh[-1].failure:
                fail(self.log, fresh[-1].failure)
                return
            if difference(fresh[0], fresh[-1]):
                self.log.end(StepStatus.WARNING, f"no faults; not deterministic: {where}")
                return
        self.log.end(StepStatus.FAILED, _confusion_sentence(where, single))


def _confusion_sentence(where: str, alone: CheckedMatch) -> str:
    return (
        f"{where} when a match of {alone.record.game_id} is repeated alone: "
        f"it confuses its matches, unless it decides by the clock; {_MEMORY_HINT}"
    )


def _with_hint(failure: Failure) -> Failure:
    """Add to a failure at many tables that the bot may confuse its matches."""
    if failure.ending not in (SeatEnding.ILLEGAL_ACTION, SeatEnding.CRASHED):
        return failure
    sentence = f"{failure.sentence}; this did not happen at single tables; {_MEMORY_HINT}"
    return replace(failure, sentence=sentence)

"""Check bots."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.api.find_bots import bots_on_disk
from arena.api.league import LEAGUE
from arena.api.players import Cages
from arena.checks.run import PATIENCE_S, check_bot
from arena.checks.steps import Step, StepLog, StepStatus
from arena.checks.verdicts import Terms, content_hash, remember_passed
from arena.errors import BadInput
from arena.referee.clock import EVENT_CLOCK, Clock, limited, read_clock
from arena.referee.players.remote import START_LIMIT_S
from arena.sandbox.packages.lockfile import Lockfile
from arena.sandbox.select import AUTO
from arena.secret import Secret, secret_from
from arena.submission.lookup import names_a_folder
from arena.submission.manifest import Manifest, read_manifest
from arena.text import quantity


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check has found."""

    bot: str
    """As the caller named it."""
    steps: list[Step]
    clock: Clock
    deals: Secret

    @property
    def passed(self) -> bool:
        """Whether no step failed."""
        return all(step.status is not StepStatus.FAILED for step in self.steps)

    @property
    def summary(self) -> str:
        """The verdict in a line, with the share of the clock that the bot used."""
        counts = Counter(step.status for step in self.steps)
        if not self.passed:
            skipped = counts[StepStatus.SKIPPED]
            rest = f"; {quantity(skipped, 'step')} skipped because of it" if skipped else ""
            return f"{self.bot}: not ready for a league{rest}"
        warnings = counts[StepStatus.WARNING]
        but = f", with {quantity(warnings, 'warning')}" if warnings else ""
        shares = [step.figures.get("clock_share", 0.0) for step in self.steps]
        used = f"; it used at most {max(shares):.1%} of the clock {self.clock}" if shares else ""
        return f"{self.bot}: ready for a league{but}, {quantity(len(self.steps), 'step')}{used}"

    def __str__(self) -> str:
        """List the steps."""
        lines = [
            f"{step.number:>2}  {step.title}: {step.status.value}, {step.sentence}".rstrip(", ")
            for step in self.steps
        ]
        return "\n".join([*lines, self.summary])

    __repr__ = __str__


def check(
    bot: str | Path,
    *,
    games: Sequence[str] = (),
    clock: str | Clock = EVENT_CLOCK,
    seed: int | bytes | Secret | None = None,
    cage: str = AUTO,
    limits: Mapping[str, int] | None = None,
    league: str | Path = LEAGUE,
    log: StepLog | None = None,
    patience_s: float = PATIENCE_S,
    start_limit_s: float = START_LIMIT_S,
    on_warning: Callable[[str], object] = warnings.warn,
) -> CheckReport:
    """Check step by step whether a bot is ready for a league, in all its games or only in `games`.

    The bot is a name, a path or a command line; it plays in a cage. `log` follows the steps. The
    matches at many tables, and again at one, are given up after `patience_s`, which is no fault.
    A bot must say hello within `start_limit_s`.
    """
    word, deals = str(bot), secret_from(seed)
    clock = limited(read_clock(clock))
    with _located(word, Path(league)) as (location, lockfile):
        chosen = Cages(cage, limits, on_warning).choose()
        before = None if games else content_of(word)
        steps = check_bot(
            location,
            deals.key,
            launcher=lambda manifest: chosen.launcher(manifest, dict(limits or {}), lockfile),
            games=games,
            clock=clock,
            patience_s=patience_s,
            start_limit_s=start_limit_s,
            log=log,
        )
    report = CheckReport(word, steps, clock, deals)
    if before and report.passed and before == content_of(word):
        # `League.submit` need not run it again.
        remember_passed(*before, Terms(clock, limits or {}, chosen.name))
    return report


@contextmanager
def _located(word: str, league: Path) -> Iterator[tuple[str, Lockfile | None]]:
    """Find a bot and yield its location and lockfile; raise an error if there is no such bot."""
    if names_a_folder(word):
        # A mistake in its manifest fails a step of the check.
        yield word, None
        return
    with bots_on_disk([word], league) as [(bot, lockfile)]:
        yield str(bot.folder) if bot.has_file else word, lockfile


def content_of(word: str) -> tuple[Manifest, str] | None:
    """Return a bot's manifest and the hash of its folder; None if it could not be submitted."""
    if not names_a_folder(word):
        return None
    try:
        bot = read_manifest(Path(word))
        return bot, content_hash(bot)
    except BadInput:
        return None

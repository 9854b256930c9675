"""Compare two versions of a bot."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, nullcontext
from pathlib import Path

from arena.api.find_bots import league_bots
from arena.api.league import LEAGUE
from arena.api.players import Cages
from arena.comparison.bots import find_compared_bot
from arena.comparison.confidence import ConfidenceSequence, Verdict
from arena.comparison.plan import plan_for
from arena.comparison.report import ComparisonReport
from arena.comparison.run import ComparisonRun
from arena.games.registry import game_named, parameters_from
from arena.indices import EntrantIndex
from arena.referee.clock import CORES, EVENT_CLOCK, Clock, limited, read_clock
from arena.sandbox.select import AUTO
from arena.secret import Secret, secret_from
from arena.workers.block import MatchTerms
from arena.workers.pace import Pace
from arena.workers.pool import DEFAULT_TABLES, WorkerPool, local_pool


def compare(
    new: str | Path,
    old: str | Path,
    game: str,
    *,
    opponents: Sequence[str | Path] = (),
    seats: int | None = None,
    variant: str | Sequence[str] = (),
    deals: int = 10_000,
    error: float = 0.05,
    margin: float = 0.02,
    seed: int | bytes | Secret | None = None,
    clock: str | Clock = EVENT_CLOCK,
    cage: str = AUTO,
    limits: Mapping[str, int] | None = None,
    league: str | Path = LEAGUE,
    jobs: int = CORES,
    tables: int = DEFAULT_TABLES,
    workers: WorkerPool | None = None,
    on_progress: Callable[[ComparisonReport], None] = lambda report: None,
    should_stop: Callable[[], bool] = lambda: False,
    on_warning: Callable[[str], object] = warnings.warn,
) -> ComparisonReport:
    """Find out whether a bot is better than another, and how certain that is.

    Both play the same deals in the same seats, against each other or against `opponents`, until
    there is a verdict, `deals` have been played or `should_stop` returns true. `error` is the
    greatest probability of a wrong verdict; a difference below `margin`, in points per match, is
    none. Bots are names and paths; they play in cages, with `jobs` processes of up to `tables`
    matches each, or on `workers`. `on_progress` is called several times a second.
    """
    rules = game_named(game)
    parameters = parameters_from(rules, variant)
    plan = plan_for(rules, parameters, opponents=len(opponents), seats=seats)
    secret = secret_from(seed, purpose="compare")
    with ExitStack() as stack:
        known = league_bots(Path(league), stack)
        words = map(str, (new, old, *opponents))
        bots = tuple(find_compared_bot(word, rules, known) for word in words)
    report = ComparisonReport(plan, bots, ConfidenceSequence(error=error, margin=margin), secret)
    if report.is_identical:
        return report
    Cages(cage, limits, on_warning).choose()
    terms = MatchTerms(
        rules.id,
        rules.parameters_form.show(parameters),
        str(limited(read_clock(clock))),
        cage,
        sealed=not secret.is_open,
        limits=dict(limits or {}),
    )
    with (
        nullcontext(workers)
        if workers
        else local_pool(jobs, should_stop=should_stop, say=on_warning) as pool
    ):
        _play(report, terms, pool, (deals, jobs, tables), should_stop, on_progress)
    return report


def _play(
    report: ComparisonReport,
    terms: MatchTerms,
    pool: WorkerPool,
    limits: tuple[int, int, int],
    should_stop: Callable[[], bool],
    on_progress: Callable[[ComparisonReport], None],
) -> None:
    """Play until there is a verdict; the limits are numbers of deals, workers and tables."""
    deals, jobs, tables = limits
    plan = report.plan
    entrants = [
        report.bots[bot].as_entrant(EntrantIndex(index)) for index, bot in enumerate(plan.entrants)
    ]
    run = ComparisonRun(plan, terms, entrants, report.secret.key, deals=deals)

    def show(pace: Pace) -> None:
        report.pace = pace
        on_progress(report)

    with closing(
        run.play(pool, jobs=jobs, tables=tables, should_stop=should_stop, on_pace=show)
    ) as played:
        for deal in played:
            report.add(deal)
            if report.verdict is not Verdict.UNKNOWN:
                break

"""Check the results that a worker returned, by the rules and without running a bot.

A worker that lies about a result is found, because the result must follow from the decisions, and
the decisions must be legal. What a bot has decided, and how long it took, is the worker's word.

A check takes about as long as a match between bots that hardly think. So only the first results of
a machine are all checked, and of the others a random share, which no worker can foresee.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random, SystemRandom

from arena.errors import ArenaError
from arena.records import Entrant, Record, hash_prefix
from arena.referee.clock import read_clock
from arena.replays.format import read_replay
from arena.replays.verify import verify
from arena.scheduling.pairing import PlannedMatch
from arena.workers.block import Block, VoidMatch, result_of
from leaderboard.result import MatchResult

FIRST = 256
"""The number of results of a machine that are all checked."""
SHARE = 8
"""Of its later results, one in this many is checked. So of 35 false ones, one is found with a
probability of 99 %."""


class CheckedShare:
    """Chooses which results are checked by the rules."""

    def __init__(self, *, rng: Random | None = None) -> None:
        """Draw from the system's random source unless another one is given."""
        self._rng = rng or SystemRandom()
        self._seen: Counter[str] = Counter()
        """Results by machine."""

    def takes(self, machine: str) -> bool:
        """Return whether the next result of a machine is checked."""
        self._seen[machine] += 1
        return self._seen[machine] <= FIRST or self._rng.randrange(SHARE) == 0


class FalseResult(ArenaError):
    """A worker returned a result that is not true."""


def check_results(
    block: Block,
    played: Sequence[MatchResult | VoidMatch],
    *,
    worker: str,
    is_checked: Callable[[], bool] = lambda: True,
) -> None:
    """Raise `FalseResult` unless every result belongs to the block and follows from the rules.

    The rules are applied to the results for which `is_checked` returns true.
    """
    planned = {match.number: match for match in block.matches}
    for result in played:
        match = planned.pop(result.number, None)
        if match is None:
            raise FalseResult(
                f"{worker} returned a result of match {result.number}, which it was not to play"
            )
        if isinstance(result, VoidMatch):
            continue
        complaint = _complaint(block, match, result) if is_checked() else ""
        if complaint:
            raise FalseResult(
                f"{worker} returned a false result of match {result.number}: {complaint}. Stop "
                "that worker, then resume the event; `arena verify` finds false results that were "
                "stored before, of which only a share is checked"
            )


def _complaint(block: Block, match: PlannedMatch, result: MatchResult) -> str:
    """Return what is wrong with a result; empty if nothing is."""
    try:
        record = read_replay(result.replay)
        if not _is_of(block, match, record):
            return "its replay is of another match"
        complaints = verify(record)
        if complaints:
            return complaints[0]
        versions = [bot.version for bot in block.seated(match)]
        expected = result_of(match, record, versions, replay=result.replay)
    except ArenaError as error:
        return str(error)
    if expected != _provable(result):
        return "it does not follow from its replay"
    return ""


def _is_of(block: Block, match: PlannedMatch, record: Record) -> bool:
    terms = block.terms
    entrants = (
        Entrant(bot.name, str(bot.number), hash_prefix(bot.hash)) for bot in block.seated(match)
    )
    return (
        (record.game_id, record.parameters) == (terms.game, terms.parameters)
        and record.clock == str(read_clock(terms.clock))
        and (record.seed, record.salt) == (match.seed, match.salt)
        and record.entrants == tuple(entrants)
    )


def _provable(result: MatchResult) -> MatchResult:
    """Return a result without the figures that are not in its replay."""
    seats = tuple(seat._replace(cpu_us=None, memory_kib=None) for seat in result.seats)
    return result._replace(machine=None, seats=seats)

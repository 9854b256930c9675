"""Check the results that a worker returned, by the rules and without running a bot.

A worker that lies about a result is found, because the result must follow from the decisions, and
the decisions must be legal. What a bot has decided, and how long it took, is the worker's word.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import ArenaError
from arena.records import Entrant, Record, hash_prefix
from arena.referee.clock import read_clock
from arena.replays.format import read_replay
from arena.replays.verify import verify
from arena.scheduling.pairing import PlannedMatch
from arena.workers.block import Block, VoidMatch, result_of
from leaderboard.result import MatchResult


class FalseResult(ArenaError):
    """A worker returned a result that is not true."""


def check_results(
    block: Block, played: Sequence[MatchResult | VoidMatch], *, worker: str, by_rules: bool = True
) -> None:
    """Raise `FalseResult` unless every result belongs to the block and follows from the rules.

    The rules are not applied if `by_rules` is false.
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
        complaint = _complaint(block, match, result) if by_rules else ""
        if complaint:
            raise FalseResult(
                f"{worker} returned a false result of match {result.number}: {complaint}. Nothing "
                "of it was stored. Stop that worker, then resume the event"
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

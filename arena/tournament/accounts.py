"""What bots used, with the distribution of their time per decision.

Totals come from the league's tables. The distribution comes from the replays of a bot's last
matches, because only these have the time of every decision.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from arena.errors import BadReplay
from arena.records import How
from arena.replays.format import read_replay
from leaderboard.matches import replays_of
from leaderboard.queries.accounts import Account, last_seats
from leaderboard.store import Reader

_MOST_MATCHES = 200
"""The number of matches of each bot whose replays are read."""
_MOST_REPLAYS = 2000
"""The number of replays that are read for all bots of a table."""


def account_rows(
    reader: Reader, accounts: Sequence[Account], *, event: int | None = None
) -> list[dict[str, Any]]:
    """Return accounts as plain values, each with its median and its 95th percentile."""
    most = max(1, min(_MOST_MATCHES, _MOST_REPLAYS // max(1, len(accounts))))
    seats = [last_seats(reader, account, most=most, event=event) for account in accounts]
    wanted = {match for of_account in seats for match in of_account}
    times: list[list[int]] = [[] for _ in accounts]
    for match, by_seat in _times(reader, sorted(wanted)):
        for own, of_account in zip(times, seats, strict=True):
            if match in of_account:
                own += by_seat[of_account[match]]
    return [
        account._asdict() | {"median_ms": _quantile(own, 50), "p95_ms": _quantile(own, 95)}
        for account, own in zip(accounts, map(sorted, times), strict=True)
    ]


def _times(reader: Reader, matches: Sequence[int]) -> Iterator[tuple[int, dict[int, list[int]]]]:
    """Yield matches with the time of every decision by seat, in microseconds by the clock."""
    for match, content in replays_of(reader, matches):
        by_seat: defaultdict[int, list[int]] = defaultdict(list)
        try:
            decisions = read_replay(content).decisions
        except BadReplay:
            continue  # `arena verify` reports it
        for seat, _, how, time_us in decisions:
            if how is How.CHOSEN:
                by_seat[seat].append(time_us)
        yield match, by_seat


def _quantile(times: Sequence[int], percent: int) -> float | None:
    """Return the time within which this share of the decisions was made, in milliseconds."""
    return times[(len(times) * percent - 1) // 100] / 1000 if times else None

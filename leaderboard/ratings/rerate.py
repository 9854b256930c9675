"""Recompute all ratings of a league with the tie rates that its games know today.

The stored places are rated again in the order in which they were rated before. Matches, standings
and the order stay as they are; ratings, their history and the meetings of opponents are replaced,
all in one transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from leaderboard.file.journal import remove
from leaderboard.matches import rated_matches
from leaderboard.ratings.tie_rates import (
    add_tie_rates,
    measured_tie_rates,
    variants_with_old_rates,
)
from leaderboard.ratings.variant_ratings import (
    HistoryRow,
    read_ratings,
    write_history,
    write_ratings,
)
from leaderboard.store import Writer

_AT_ONCE = 1000
"""Rows of the history that are written together."""


class Rerated(NamedTuple):
    """What was done."""

    matches: int
    """The number of matches that were rated."""
    changed: list[str]
    """The variants whose tie rates changed."""


def rerate(writer: Writer, *, now: datetime) -> Rerated:
    """Recompute all ratings."""
    with writer.transaction():
        changed = variants_with_old_rates(writer)
        remove(writer, "tie_rates")
        variants = []
        for variant, game_id, parameters in list(
            writer.rows("SELECT id, game, parameters FROM variants ORDER BY id")
        ):
            add_tie_rates(writer, variant, measured_tie_rates(game_id, parameters))
            variants.append(variant)
        matches = rate_again(writer, variants, now=now)
    return Rerated(matches, changed)


def rate_again(writer: Writer, variants: Sequence[int], *, now: datetime) -> int:
    """Rate the matches of some variants again with the stored tie rates, within a transaction.

    Return the number of matches.
    """
    for variant in variants:
        for table in ("rating_history", "meetings"):
            writer.write(f"DELETE FROM {table} WHERE variant = ?", [variant])
        remove(writer, "ratings", "variant = ?", [variant])
    # Without their rows, they start empty.
    ratings = {variant: read_ratings(writer, variant) for variant in variants}
    count = 0
    history: list[HistoryRow] = []
    for match in rated_matches(writer):
        if match.variant not in ratings:
            continue
        count += 1
        for version, skill, number, *_ in ratings[match.variant].apply(match.seats):
            history.append((match.variant, version, number, match.id, *skill))
        if len(history) >= _AT_ONCE:
            write_history(writer, history)
            history.clear()
    write_history(writer, history)
    for variant, each in ratings.items():
        write_ratings(writer, variant, each, each.by_version, now=now)
    return count

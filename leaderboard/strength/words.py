"""What strengths say, in words: intervals with open ends, and groups that never met."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from arena.games.registry import game_named, parameters_from

if TYPE_CHECKING:
    from leaderboard.queries.leaderboards import LeaderboardRow

BRIDGE_DEALS = 20
"""Deals that are proposed to connect groups; a single one is enough to compare them roughly."""
_MOST_NAMES = 3


def strength_text(strength: float | None, low: float | None, high: float | None) -> str:
    """Write a strength with its 95 % interval; empty if there is none."""
    if strength is None:
        return ""
    if low is not None and high is not None:
        return f"{strength:.1f} ± {(high - low) / 2:.1f}"
    if low is not None:
        return f"at least {low:.1f}"
    return "open" if high is None else f"at most {high:.1f}"


def never_compared(rows: Iterable[LeaderboardRow]) -> list[str]:
    """Say for each variant which bots were never compared, and how to do it."""
    variants: defaultdict[int, defaultdict[int, list[LeaderboardRow]]]
    variants = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row.strength_group is not None and row.strength_rank is not None:
            variants[row.variant_id][row.strength_group].append(row)
    return [_sentence([*groups.values()]) for groups in variants.values() if len(groups) > 1]


def _sentence(groups: Sequence[Sequence[LeaderboardRow]]) -> str:
    first = groups[0][0]
    sets = "; ".join(_names(group) for group in groups)
    return (
        f"{first.game}, {first.variant}: these groups never met, not even through others, so each "
        f"has ranks and strengths of its own: {sets}. To compare them: {_command(groups)}"
    )


def _names(group: Sequence[LeaderboardRow]) -> str:
    names = [f"{row.bot}@{row.version}" for row in group]
    more = len(names) - _MOST_NAMES
    if more > 1:
        names[_MOST_NAMES:] = [f"{more} more"]
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _command(groups: Sequence[Sequence[LeaderboardRow]]) -> str:
    """Return the event that connects groups: the bot in the middle of each, at one table."""
    first = groups[0][0]
    game = game_named(first.game)
    words = first.variant.split()
    sizes = game.seats_for(parameters_from(game, words))
    seats = next((size for size in sizes if size >= len(groups)), max(sizes))
    turns = chain.from_iterable(zip_longest(*map(_from_the_middle, groups)))
    chosen = [row for row in turns if row][: max(seats, len(groups))]
    bots = ",".join(f"{row.bot}@{row.version}" for row in chosen)
    variant = "".join(f" --variant {word}" for word in words if len(game.variants) > 1)
    return (
        f"arena event run round-robin --game {first.game}{variant} --bots {bots} --seats {seats} "
        f"--deals {BRIDGE_DEALS}"
    )


def _from_the_middle(group: Sequence[LeaderboardRow]) -> list[LeaderboardRow]:
    """Order by distance from the middle rank: those with the most to be compared come first."""
    ranked = sorted(group, key=lambda row: row.strength_rank or 0)
    middle = (len(ranked) - 1) / 2
    return sorted(ranked, key=lambda row: abs((row.strength_rank or 0) - 1 - middle))

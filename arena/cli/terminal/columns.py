"""What the columns of the tables mean: one meaning for each, wherever it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from arena.cli.terminal.output import say
from arena.cli.terminal.tables import Row

EXPLAINED = {
    "rank": "its place in this table; bots that are equal share one",
    "bot": "the name of the bot, and the number of its version, from 1",
    "score": "TrueSkill's conservative rating, μ − 3σ",
    "rating": "TrueSkill's conservative rating, μ − 3σ, after the event",
    "mu": "TrueSkill's mean",
    "sigma": "TrueSkill's standard deviation",
    "estimate": "its strength, whatever the order of the matches, and half of the 95 % interval",
    "ranks": "the ranks by strength that the results leave open",
    "chance_first": "the chance to be the strongest",
    "chance_next": "the chance to be stronger than the next by strength",
    "matches": "matches that were played; forfeits do not count",
    "forfeited": "matches that were not played, because a bot at the table was suspended",
    "wins": "matches in which it was first and no opponent shared that place",
    "mean_place": "the mean of its places, from 1",
    "faults": "matches that it lost by a fault; forfeits do not count",
    "changed": "when its rating last changed",
    "history": "its rating from its first match to its last",
    "points": "the sum over its pairings of the mean of its matches there, each worth 1 for first "
    "to 0 for last; a bye is worth 1",
    "adjusted": "its points plus the mean points of its opponents",
    "opponents": "the points of its opponents, averaged for each pairing and added up",
    "direct": "its share of the matches against those with equal points and opponents",
    "byes": "rounds that it sat out",
    "breaks": "failures that voided several matches and did not recur when they were repeated",
    "opponent": "the bot that it met",
    "ahead": "matches in which it finished ahead",
    "tied": "matches in which both had the same place",
    "behind": "matches in which it finished behind",
    "share": "the share of matches in which it finished ahead; a tie counts half",
    "answers": "the decisions that it made; forced ones and those of a stand-in do not count",
    "time_s": "thinking time for all its decisions, by the clock of the match, in seconds",
    "mean_ms": "thinking time for one decision, in milliseconds",
    "median_ms": "half of its decisions in its last matches, up to 200, took no longer",
    "p95_ms": "95 % of its decisions in its last matches, up to 200, took no longer",
    "slowest_ms": "the time for its slowest decision, in milliseconds",
    "cpu_s": "processor time for all its decisions, in seconds",
    "memory_mib": "the peak memory of any of its processes, in MiB",
    "clock_share": "the share of its clock (bank and increments) that it used, the mean of its "
    "matches",
    "max_clock_share": "the largest share of its clock that it used in a match",
}
"""By the key of a column."""
ACCOUNTS = {
    "bot": "bot",
    "game": "game",
    "variant": "variant",
    "answers": "decisions",
    "time_s": "time s",
    "mean_ms": "mean ms",
    "median_ms": "median",
    "p95_ms": "95 %",
    "slowest_ms": "slowest",
    "cpu_s": "cpu s",
    "memory_mib": "memory MiB",
    "clock_share": "of clock",
    "max_clock_share": "at most",
}
"""The columns of what bots used."""
ACCOUNTS_OPTIONAL = ("median_ms", "cpu_s", "time_s", "p95_ms", "max_clock_share")
"""Columns omitted, in this order, where the terminal is too narrow."""


def with_version(row: Row, bot: str = "bot", version: str = "version") -> Row:
    """Return a row whose column `bot` has the version too, as commands take it: kitten@2."""
    return {**row, bot: f"{row[bot]}@{row[version]}"} if row[version] else row


def _decimals(form: str) -> Callable[[Any], str]:
    return lambda value: "" if value is None else form.format(value)


ACCOUNTS_FORMATS: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("time_s", "cpu_s"), _decimals("{:.2f}")),
    "memory_mib": _decimals("{:.1f}"),
    **dict.fromkeys(("mean_ms", "median_ms", "p95_ms", "slowest_ms"), _decimals("{:.2f}")),
    **dict.fromkeys(("clock_share", "max_clock_share"), _decimals("{:.1%}")),
}


def explain_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option `--explain` to a command."""
    return click.option(
        "--explain", "is_explained", is_flag=True, help="Say below what the columns mean."
    )(command)


def print_legend(*tables: Mapping[str, str]) -> None:
    """Explain the columns of tables; those that need no explanation are left out."""
    headings = {key: heading for table in tables for key, heading in table.items()}
    known = [(headings[key], EXPLAINED[key]) for key in headings if key in EXPLAINED]
    width = max(len(heading) for heading, _ in known)
    say()
    for heading, sentence in known:
        say(f"{heading:{width}}  {sentence}")

"""The columns of the tables: one heading, meaning and format for each, wherever it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import click

from arena.cli.terminal.output import say
from leaderboard.result import seat_ending_words

Row = Mapping[str, Any]
Format = Callable[[Any], str]
_BARS = "▁▂▃▄▅▆▇█"


class Column(NamedTuple):
    """What stands above a column, what it means, and how its values are written."""

    heading: str
    meaning: str = ""
    """Empty if the heading says it."""
    format: Format | None = None


def _number(form: str) -> Format:
    return lambda value: "" if value is None else form.format(value)


def sparkline(values: Sequence[float]) -> str:
    """Draw values as a sparkline, one character each."""
    if not values:
        return ""
    low, high = min(values), max(values)
    steps = (len(_BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(_BARS[round((value - low) * steps)] for value in values)


_1, _2, _PERCENT = map(_number, ("{:.1f}", "{:.2f}", "{:.0%}"))
COLUMNS = {
    "rank": Column("rank", "its place in this table; bots that are equal share one"),
    "bot": Column("bot", "the name of the bot, and the number of its version, from 1"),
    "score": Column("rating", "TrueSkill's conservative rating, μ − 3σ", _2),
    "rating": Column("rating", "TrueSkill's conservative rating, μ − 3σ, after the event", _2),
    "mu": Column("μ", "TrueSkill's mean", _2),
    "sigma": Column("σ", "TrueSkill's standard deviation", _2),
    "estimate": Column(
        "strength",
        "its strength, whatever the order of the matches, and half of the 95 % interval",
    ),
    "ranks": Column("ranks", "the ranks by strength that the results leave open"),
    "chance_first": Column("first", "the chance to be the strongest", _PERCENT),
    "chance_next": Column(
        "> next", "the chance to be stronger than the next by strength", _PERCENT
    ),
    "matches": Column("matches", "matches that were played; forfeits do not count"),
    "forfeited": Column(
        "forfeited", "matches that were not played, because a bot at the table was suspended"
    ),
    "wins": Column("wins", "matches in which it was first and no opponent shared that place"),
    "mean_place": Column("mean place", "the mean of its places, from 1", _2),
    "faults": Column("faults", "matches that it lost by a fault; forfeits do not count"),
    "changed": Column("last change", "when its rating last changed"),
    "history": Column("history", "its rating from its first match to its last", sparkline),
    "points": Column(
        "points",
        "the sum over its pairings of the mean of its matches there, each worth 1 for first "
        "to 0 for last; a bye is worth 1",
        _2,
    ),
    "adjusted": Column("adjusted", "its points plus the mean points of its opponents", _2),
    "opponents": Column(
        "opponents", "the points of its opponents, averaged for each pairing and added up", _2
    ),
    "direct": Column(
        "direct", "its share of the matches against those with equal points and opponents", _2
    ),
    "byes": Column("byes", "rounds that it sat out"),
    "breaks": Column(
        "breaks",
        "failures that voided several matches and did not recur when they were repeated",
    ),
    "opponent": Column("opponent", "the bot that it met"),
    "ahead": Column("ahead", "matches in which it finished ahead"),
    "tied": Column("tied", "matches in which both had the same place"),
    "behind": Column("behind", "matches in which it finished behind"),
    "share": Column(
        "share", "the share of matches in which it finished ahead; a tie counts half", _PERCENT
    ),
    "answers": Column(
        "decisions", "the decisions that it made; forced ones and those of a stand-in do not count"
    ),
    "time_s": Column(
        "time s", "thinking time for all its decisions, by the clock of the match, in seconds", _2
    ),
    "mean_ms": Column("mean ms", "thinking time for one decision, in milliseconds", _2),
    "median_ms": Column(
        "median", "half of its decisions in its last matches, up to 200, took no longer", _2
    ),
    "p95_ms": Column(
        "95 %", "95 % of its decisions in its last matches, up to 200, took no longer", _2
    ),
    "slowest_ms": Column("slowest", "the time for its slowest decision, in milliseconds", _2),
    "cpu_s": Column("cpu s", "CPU time for all its decisions, in seconds", _2),
    "memory_mib": Column("memory MiB", "the peak memory of any of its processes, in MiB", _1),
    "clock_share": Column(
        "of clock",
        "the share of its clock (bank and increments) that it used, the mean of its matches",
        _number("{:.1%}"),
    ),
    "max_clock_share": Column(
        "at most",
        "the largest share of its clock that it used in a match",
        _number("{:.1%}"),
    ),
    "chance": Column("p", format=_number("{:.2g}")),
    "ending": Column("fault", format=seat_ending_words),
    "effect": Column("effect", format=_number("{:.3f}")),
    "mean_points": Column("points/match", format=_2),
    "mean_score": Column("", format=_1),
    "rate": Column("matches/s", format=_1),
    "speed": Column("speed", format=_1),
}
"""The columns of which there is anything to say."""


def headings_of(*names: str) -> dict[str, str]:
    """Return the headings of columns, by their names."""
    return {
        name: COLUMNS[name].heading if name in COLUMNS else name.replace("_", " ") for name in names
    }


_ACCOUNTS = (
    *("answers", "time_s", "mean_ms", "median_ms", "p95_ms", "slowest_ms", "cpu_s"),
    *("memory_mib", "clock_share", "max_clock_share"),
)
ACCOUNTS = headings_of("bot", "game", "variant", *_ACCOUNTS)
"""What bots used."""
ACCOUNTS_OF_EVENT = headings_of("bot", *_ACCOUNTS)
ACCOUNTS_OPTIONAL = ("median_ms", "cpu_s", "time_s", "p95_ms", "max_clock_share")
"""Columns omitted, in this order, where the terminal is too narrow."""


def with_version(row: Row, bot: str = "bot", version: str = "version") -> Row:
    """Return a row whose column `bot` has the version too, as commands take it: kitten@2."""
    return {**row, bot: f"{row[bot]}@{row[version]}"} if row[version] else row


explain_option = click.option(
    "--explain", "is_explained", is_flag=True, help="Explain the columns below the table."
)


def print_legend(*tables: Mapping[str, str]) -> None:
    """Explain the columns of tables; obvious ones are left out."""
    headings = {key: heading for table in tables for key, heading in table.items()}
    known = [
        (headings[key], COLUMNS[key].meaning)
        for key in headings
        if key in COLUMNS and COLUMNS[key].meaning
    ]
    width = max(len(heading) for heading, _ in known)
    say()
    for heading, sentence in known:
        say(f"{heading:{width}}  {sentence}")

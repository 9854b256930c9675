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
    colour: Callable[[Any], str | None] = lambda value: None
    """The colour of a value; None if it has none."""


def _red_unless_zero(value: Any) -> str | None:
    return "red" if value else None


def _status_colour(status: str) -> str | None:
    return {"finished": "green", "running": "cyan"}.get(status, "yellow")


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
    "interval": Column(
        "strength",
        "its strength, whatever the order of the matches, and its 95 % interval, drawn; all lines "
        "of a table have one scale",
    ),
    "ranks": Column("ranks", "the ranks by strength that the results leave open"),
    "chance_first": Column("first", "the chance to be the strongest", _PERCENT),
    "better_than_next": Column(
        "> next",
        "whether it is stronger than the next: yes with a chance of 95 %, probably of 80 %; "
        "otherwise the order of the two is open",
    ),
    "chance_next": Column(
        "> next %", "the chance to be stronger than the next by strength", _PERCENT
    ),
    "matches": Column("matches", "matches that were played; forfeits do not count"),
    "forfeited": Column(
        "forfeited", "matches that were not played, because a bot at the table was suspended"
    ),
    "wins": Column("wins", "matches in which it was first and no opponent shared that place"),
    "mean_place": Column("mean place", "the mean of its places, from 1", _2),
    "faults": Column(
        "faults",
        "matches that it lost by a fault; forfeits do not count",
        colour=_red_unless_zero,
    ),
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
        colour=_red_unless_zero,
    ),
    "status": Column("status", colour=_status_colour),
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
    "requests": Column("requests", "what a language model was asked"),
    "rethinks": Column(
        "rethinks", "its answers that were sent back, because they were no legal move"
    ),
    "retries": Column("retries", "requests that its service could not take at first"),
    "tokens_in": Column("tokens in", "the tokens of all that it was asked"),
    "tokens_out": Column("tokens out", "the tokens of its answers"),
    "cost": Column("cost", "what its tokens cost, in the unit of its prices", _number("{:.4f}")),
    "cost_per_match": Column("a match", "what a match cost", _number("{:.4f}")),
    "mean_s": Column("s a move", "the time for one decision, in seconds", _2),
    "chance": Column("p", format=_number("{:.2g}")),
    "ending": Column("fault", format=seat_ending_words),
    "effect": Column("effect", format=_number("{:.3f}")),
    "mean_score": Column("", format=_1),
}
"""The columns of which there is anything to say."""
MOST_OPPONENTS = 99
AGAINST = [f"against {number}" for number in range(1, MOST_OPPONENTS + 1)]
"""The columns of a matrix: the share of the matches in which one bot finished ahead of another."""


def _share_colour(share: float | None) -> str | None:
    return None if share is None or 0.4 < share < 0.6 else "green" if share > 0.5 else "red"


COLUMNS |= {
    name: Column(
        name.removeprefix("against "),
        format=lambda share: "" if share is None else f"{100 * share:.0f}",
        colour=_share_colour,
    )
    for name in AGAINST
}


def matrix_of(
    names: Sequence[str], shares: Sequence[Sequence[float | None]]
) -> tuple[list[Row], dict[str, str]]:
    """Return the rows and the columns of a matrix of all pairs, which share an order."""
    columns = AGAINST[: len(names)]
    rows: list[Row] = [
        {"number": number, "bot": name, **dict(zip(columns, line, strict=False))}
        for number, (name, line) in enumerate(zip(names, shares, strict=True), start=1)
    ]
    return rows, {"number": "%", "bot": "ahead of", **headings_of(*columns)}


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
    """Return a row whose column `bot` has the version too, as commands take it: kitten@2.

    A bot that has a title is shown with it.
    """
    name = f"{row[bot]}@{row[version]}" if row[version] else row[bot]
    return {**row, bot: f"{name} {title}" if bot == "bot" and (title := row.get("title")) else name}


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

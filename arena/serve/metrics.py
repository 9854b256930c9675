"""Figures for `/metrics`, in the text format of Prometheus."""

from __future__ import annotations

import resource
from collections.abc import Iterator

from arena.serve.service import LeagueService
from leaderboard.store import Reader
from leaderboard.uploads import queue_length

Figure = tuple[str, str, str, float]
"""Name, type, help, and value; a name may have labels."""


async def metrics_text(service: LeagueService) -> str:
    """Return all figures."""
    stored = await service.file.read(_stored)
    lines = [*_lines([*stored, *_running(service)])]
    return "\n".join([*lines, ""])


def _stored(file: Reader) -> list[Figure]:
    """Return what is in the league. The number of matches is the last id: counting takes long."""

    def count(sql: str) -> float:
        row = file.row(sql)
        return float(row[0] or 0) if row else 0.0

    return [
        ("arena_matches_total", "counter", "Matches stored.", count("SELECT max(id) FROM matches")),
        (
            "arena_faults_total",
            "counter",
            "Faults of bots.",
            count("SELECT sum(faults) FROM ratings"),
        ),
        ("arena_bots", "gauge", "Bots with a version.", count("SELECT count(*) FROM bots")),
        (
            "arena_authors",
            "gauge",
            "Authors who may submit.",
            count("SELECT count(*) FROM authors WHERE revoked IS NULL"),
        ),
        ("arena_queue", "gauge", "Packages to be checked.", queue_length(file)),
    ]


def _running(service: LeagueService) -> Iterator[Figure]:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu_s = [each.ru_utime + each.ru_stime for each in used]
    yield "arena_server_cpu_seconds_total", "counter", "CPU time of the server.", cpu_s[0]
    yield "arena_ended_cpu_seconds_total", "counter", "CPU time of ended processes.", cpu_s[1]
    yield "arena_live_pages", "gauge", "Live pages that are open.", len(service.feed)
    yield "arena_results", "counter", "States shown since the start.", service.snapshot.number
    yield "arena_playing", "gauge", "Whether the player runs.", float(service.is_playing)
    yield "arena_rate", "gauge", "Matches per second.", service.progress.get("rate", 0.0)
    for name, number in sorted(service.counts.items()):
        kind, _, status = name.partition(" ")
        if kind == "requests":
            label = f'arena_requests_total{{status="{status}"}}'
            yield label, "counter", "Requests answered.", number
        else:
            yield f"arena_{name.replace(' ', '_')}_total", "counter", f"{name}.", number


def _lines(figures: list[Figure]) -> Iterator[str]:
    described = set()
    for name, kind, text, value in figures:
        family = name.partition("{")[0]
        if family not in described:
            described.add(family)
            yield f"# HELP {family} {text}"
            yield f"# TYPE {family} {kind}"
        yield f"{name} {value:g}" if value < 1e6 else f"{name} {value:.0f}"

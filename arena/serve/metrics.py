"""Figures for `/metrics`, in the text format of Prometheus."""

from __future__ import annotations

import resource
from collections.abc import Iterator

from arena.serve.service import LeagueService
from leaderboard.store import Reader

_STORED = (
    # The last id is the number of matches: counting them takes long.
    ("arena_matches_total", "counter", "Matches stored.", "max(id) FROM matches"),
    ("arena_faults_total", "counter", "Faults of bots.", "sum(faults) FROM ratings"),
    ("arena_bots", "gauge", "Bots with a version.", "count(*) FROM bots"),
    ("arena_authors", "gauge", "Authors.", "count(*) FROM authors WHERE revoked IS NULL"),
    ("arena_queue", "gauge", "Packages to check.", "count(*) FROM uploads WHERE status = 'queued'"),
)
Figure = tuple[str, str, str, float]
"""Name, type, help, and value; a name may have labels."""


async def metrics_text(service: LeagueService) -> str:
    """Return all figures."""
    stored = await service.file.read(_stored)
    lines: list[str] = []
    for name, kind, text, value in (*stored, *_running(service)):
        family = name.partition("{")[0]
        described = [f"# HELP {family} {text}", f"# TYPE {family} {kind}"]
        lines += described if described[0] not in lines else []
        lines.append(f"{name} {value:.15g}")
    return "\n".join([*lines, ""])


def _stored(file: Reader) -> list[Figure]:
    return [
        (name, kind, text, (file.row(f"SELECT {sql}") or (0,))[0] or 0)
        for name, kind, text, sql in _STORED
    ]


def _running(service: LeagueService) -> Iterator[Figure]:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu_s = [each.ru_utime + each.ru_stime for each in used]
    yield "arena_server_cpu_seconds_total", "counter", "CPU time of the server.", cpu_s[0]
    yield "arena_ended_cpu_seconds_total", "counter", "CPU time of ended processes.", cpu_s[1]
    yield "arena_live_pages", "gauge", "Live pages that are open.", len(service.feed)
    yield "arena_results", "counter", "States shown since the start.", service.snapshot.number
    yield "arena_playing", "gauge", "Whether the player runs.", service.is_playing
    yield "arena_rate", "gauge", "Matches per second.", service.progress.get("rate", 0.0)
    for name, number in sorted(service.counts.items()):
        kind, _, status = name.partition(" ")
        if kind == "requests":
            label = f'arena_requests_total{{status="{status}"}}'
            yield label, "counter", "Requests answered.", number
        else:
            yield f"arena_{name.replace(' ', '_')}_total", "counter", f"{name}.", number

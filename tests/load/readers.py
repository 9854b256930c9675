"""People who look: live pages that stay open, and leaderboards that are asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from urllib.parse import urlsplit

import httpx

PATHS = ("/", "/api/v1/leaderboard", "/live", "/api/v1/matches?limit=20", "/api/v1/bots")


@dataclass
class Reading:
    """What readers have seen."""

    took_ms: dict[str, list[float]] = field(default_factory=dict)
    messages: int = 0
    open_pages: int = 0
    most_pages: int = 0
    refused: int = 0
    cut_off: int = 0


async def watch(address: Callable[[], str], reading: Reading) -> None:
    """Keep a live page open; connect again when it is closed, as browsers do."""
    while True:
        host = urlsplit(address()).netloc
        try:
            reader, writer = await asyncio.open_connection(*host.split(":"))
        except OSError:
            reading.cut_off += 1
            await asyncio.sleep(2)
            continue
        try:
            writer.write(f"GET /api/v1/live HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            status = await reader.readline()
            if b" 200 " not in status:
                reading.refused += 1
            reading.open_pages += 1
            reading.most_pages = max(reading.most_pages, reading.open_pages)
            try:
                while line := await reader.readline():
                    reading.messages += line.startswith(b"event:")
            finally:
                reading.open_pages -= 1
        except OSError:
            pass
        finally:
            writer.close()
        reading.cut_off += 1
        await asyncio.sleep(2)


async def look(address: Callable[[], str], reading: Reading, per_s: float, rng: Random) -> None:
    """Ask for pages at random times, on average this often."""
    pending: set[asyncio.Task[None]] = set()
    async with httpx.AsyncClient(timeout=60) as client:

        async def ask(path: str) -> None:
            clock = asyncio.get_running_loop().time
            began = clock()
            try:
                answer = await client.get(address() + path)
            except httpx.TransportError:
                reading.cut_off += 1
                return
            if answer.status_code == 200:
                reading.took_ms.setdefault(path, []).append(1000 * (clock() - began))
            else:
                reading.refused += 1

        while True:
            await asyncio.sleep(rng.expovariate(per_s))
            task = asyncio.create_task(ask(rng.choice(PATHS)))
            pending.add(task)
            task.add_done_callback(pending.discard)


def quantile(values: Sequence[float], share: float) -> float:
    """Return a value that this share of all does not exceed."""
    ordered = sorted(values) or [float("nan")]
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

"""The scheduler of a cluster: Dask's own, with settings for our use of it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

from distributed import Scheduler

from arena.workers.cluster.addresses import Certificates, ClusterError
from arena.workers.cluster.dask_access import configure_dask, security_of


def run_scheduler(
    *,
    host: str,
    port: int,
    certificates: Certificates | None,
    dashboard: str | None,
    say: Callable[[str], None],
) -> None:
    """Run a scheduler until SIGTERM or Ctrl-C; without certificates, nothing is encrypted.

    `dashboard` is the address of Dask's pages, if they are wanted.
    """
    configure_dask(with_pages=dashboard is not None)
    asyncio.run(_run(host, port, certificates, dashboard, say))


async def _run(
    host: str,
    port: int,
    certificates: Certificates | None,
    dashboard: str | None,
    say: Callable[[str], None],
) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    try:
        scheduler = Scheduler(
            host=host,
            port=port,
            protocol="tls" if certificates else "tcp",
            security=security_of(certificates),
            dashboard=dashboard is not None,
            dashboard_address=dashboard or "127.0.0.1:0",
        )
        await scheduler
    except (OSError, RuntimeError) as error:
        # Dask wraps the error of the system.
        cause = error.__cause__ or error
        reason = getattr(cause, "strerror", None) or cause
        raise ClusterError(f"cannot listen at {host}:{port}: {reason}") from error
    try:
        say(f"workers and events can reach it at {scheduler.address}; Ctrl-C stops")
        await stopped.wait()
    finally:
        await scheduler.close()

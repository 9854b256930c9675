"""Dask's scheduler, with settings for our use of it: run one, or connect to one."""

from __future__ import annotations

import asyncio
import logging
import signal
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import dask
from distributed import Scheduler, Security
from distributed.comm import connect

from arena.sandbox.tempdir import temp_dir
from arena.workers.cluster.addresses import Access, Certificates, ClusterError

CONNECT_LIMIT_S = 10.0
_SETTINGS: dict[str, object] = {
    "distributed.worker.profile.enabled": False,  # it interrupts bots' referee every 10 ms
    "distributed.admin.tick.interval": "1s",  # an idle process should cost nothing
    "distributed.admin.tick.limit": "30s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.worker.memory.monitor-interval": "5s",
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.scheduler.work-stealing": False,  # every task is for one worker
    "distributed.scheduler.worker-ttl": "60s",  # a machine that is silent for longer is lost
    "distributed.scheduler.allowed-failures": 0,  # a lost chunk is ours to repeat
    "distributed.client.scheduler-info-interval": "60s",  # we ask for it ourselves
    "distributed.comm.timeouts.connect": f"{CONNECT_LIMIT_S}s",
}
_NO_PAGES: dict[str, list[str]] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}


@contextmanager
def configured_dask(*, is_server: bool = True, with_pages: bool = False) -> Iterator[None]:
    """Set what Dask needs to know for our use of it, in this process and those it starts."""
    silence_dask()
    settings = _SETTINGS | ({} if with_pages else _NO_PAGES)
    with ExitStack() as stack:
        if is_server:
            # Dask makes a folder, which would stay.
            settings |= {"temporary-directory": str(stack.enter_context(temp_dir()))}
        stack.enter_context(dask.config.set(settings))
        yield


def silence_dask() -> None:
    """Keep Dask's log out of the terminal: our own sentences say what matters."""
    for name in list(logging.root.manager.loggerDict):
        # Some have their own level.
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def security_of(certificates: Certificates | None) -> Security:
    """Return Dask's form of certificates, which every member uses in all roles."""
    if certificates is None:
        return Security(require_encryption=False)
    files = {"tls_ca_file": str(certificates.ca)}
    for role in ("scheduler", "worker", "client"):
        files[f"tls_{role}_cert"] = str(certificates.cert)
        files[f"tls_{role}_key"] = str(certificates.key)
    security = Security(require_encryption=True, **files)
    try:
        security.get_connection_args("client")
    except (OSError, ssl.SSLError) as error:
        paths = f"{certificates.ca}, {certificates.cert} and {certificates.key}"
        raise ClusterError(f"{paths} are not certificates that belong together: {error}") from error
    return security


async def names_of_workers(access: Access) -> set[str]:
    """Connect to a scheduler and return the names of its workers; or raise `ClusterError`."""
    arguments = security_of(access.certificates).get_connection_args("client")
    try:
        comm = await asyncio.wait_for(
            connect(access.address, timeout=CONNECT_LIMIT_S / 2, **arguments), CONNECT_LIMIT_S
        )
        # With TLS 1.3, a certificate is refused after the handshake: when something is read.
        await comm.write({"op": "identity", "reply": True})
        identity = await asyncio.wait_for(comm.read(), CONNECT_LIMIT_S)
        await comm.close()
    except (OSError, TimeoutError, ValueError) as error:
        raise unreachable(access, error) from error
    return {str(worker["name"]) for worker in identity["workers"].values()}


def unreachable(access: Access, error: BaseException) -> ClusterError:
    """Return an error that says why a scheduler cannot be reached."""
    problem: BaseException | None = error
    while problem:
        if isinstance(problem, ssl.SSLError) and access.certificates:
            return ClusterError(
                f"{access.address} and {access.certificates.cert} do not trust each other: both "
                f"certificates must be signed by {access.certificates.ca} ({problem.reason})"
            )
        problem = problem.__cause__ or problem.__context__
    if access.certificates and "closed" in str(error).lower():
        return ClusterError(
            f"{access.address} refused the connection: it does not accept "
            f"{access.certificates.cert}, or it is not a scheduler that uses TLS"
        )
    return ClusterError(
        f"no scheduler answers at {access.address}: is `arena scheduler` running there, and does "
        "a firewall allow the port?"
    )


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
    with configured_dask(with_pages=dashboard is not None):
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

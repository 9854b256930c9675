"""The commands `arena worker`, `arena scheduler` and `arena certificates`."""

from __future__ import annotations

import platform
from pathlib import Path

import click

from arena.cli.options import number_option
from arena.cli.options.workers import require_dask, tls_options, warn
from arena.cli.terminal.output import say
from arena.referee.clock import CORES
from arena.text import plain
from arena.workers.cluster.addresses import (
    DEFAULT_PORT,
    Certificates,
    make_certificates,
    need_certificates,
    read_access,
)


@click.command()
@click.argument("address")
@number_option(
    "--cores",
    most=1024,
    default=CORES,
    show_default="number of cores",
    help="Number of workers, each with one core.",
)
@click.option("--name", help="Name of this machine; default: its host name.")
@tls_options
def worker(
    address: str,
    cores: int,
    name: str | None,
    certificates: Certificates | None,
    insecure: bool,
) -> None:
    """Play matches of events that run on another machine.

    ADDRESS is what `arena scheduler` prints. The workers stay until Ctrl-C or SIGTERM; if the
    scheduler is lost, they wait for it. Workers and scheduler trust each other completely.

    Example: arena worker tls://alpha:8786
    """
    access = read_access(address, certificates, insecure=insecure)
    require_dask()
    # Imported late: Dask is an extra.
    from arena.workers.cluster.dask_worker import run_workers

    run_workers(access, name=name or platform.node(), cores=cores, say=warn)


@click.command()
@click.option("--host", default="", help="Address to listen at; default: all of this machine.")
@number_option("--port", least=0, most=65535, default=DEFAULT_PORT, help="Port to listen at.")
@click.option("--dashboard", metavar="HOST:PORT", help="Show the pages of Dask there.")
@tls_options
def scheduler(
    host: str,
    port: int,
    dashboard: str | None,
    certificates: Certificates | None,
    insecure: bool,
) -> None:
    """Run the scheduler that connects workers and events.

    It plays no matches and stores nothing. Whoever can connect to it can run programs on all
    machines, so it needs certificates.

    Example: arena scheduler --host 10.0.0.1
    """
    if not insecure:
        need_certificates(certificates)
    require_dask()
    # Imported late: Dask is an extra.
    from arena.workers.cluster.dask_access import run_scheduler

    run_scheduler(
        host=host,
        port=port,
        certificates=None if insecure else certificates,
        dashboard=dashboard,
        say=warn,
    )


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@number_option("--days", most=36500, default=365, help="How long the certificates are valid.")
def certificates(folder: Path, names: tuple[str, ...], days: int) -> None:
    """Make the certificates of a cluster.

    FOLDER gets a certificate and a key for each NAME, and a certificate authority if it has none.
    Give each machine ca.pem and its own two files, and keep ca-key.pem to yourself.

    Example: arena certificates cluster alpha beta gamma
    """
    for path in make_certificates(folder, names, days=days):
        say(plain(str(path)))

"""Options of commands that play matches with workers, of this machine or of a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import click

from arena.cli.options import add_options, number_option
from arena.cli.terminal.output import say
from arena.errors import BadInput
from arena.referee.clock import CORES
from arena.text import plain
from arena.workers.cluster.addresses import (
    EXTRA,
    Certificates,
    ClusterError,
    ClusterOptions,
    read_access,
)
from arena.workers.cluster.hello import DEFAULT_SPEED_BAND
from arena.workers.pool import DEFAULT_TABLES, WorkerPool

_FILE = click.Path(path_type=Path)


class WorkerChoice(NamedTuple):
    """The workers that a command uses."""

    jobs: int = CORES
    tables: int = DEFAULT_TABLES
    quiet: bool = False
    workers: str | None = None
    """The address of a cluster; an empty one stands for this machine."""
    certificates: Certificates | None = None
    insecure: bool = False
    speed_band: float = DEFAULT_SPEED_BAND
    trust_workers: bool = False

    def or_at(self, address: str) -> WorkerChoice:
        """Return it with an address, unless it has one."""
        return self if self.workers is not None else self._replace(workers=address or None)

    def cluster_words(self) -> list[str]:
        """Return the options for a cluster as they are written in a command."""
        if not self.workers:
            return []
        words = ["--workers", self.workers]
        if given := self.certificates:
            words += ["--tls-ca", str(given.ca), "--tls-cert", str(given.cert)]
            words += ["--tls-key", str(given.key)]
        if self.speed_band != DEFAULT_SPEED_BAND:
            words += ["--speed-band", f"{self.speed_band:g}"]
        flags = {"--insecure": self.insecure, "--trust-workers": self.trust_workers}
        return words + [flag for flag, is_given in flags.items() if is_given]

    @contextmanager
    def cluster(self, *, cage: str) -> Iterator[WorkerPool | None]:
        """Provide the workers of the cluster; None if no cluster was chosen."""
        if not self.workers:
            if self.certificates is None and self.insecure:
                raise BadInput("--insecure needs --workers")
            yield None
            return
        access = read_access(self.workers, self.certificates, insecure=self.insecure)
        require_dask()
        # Imported late: Dask is an extra, and takes half a second.
        from arena.workers.cluster.dask_pool import cluster_pool

        options = ClusterOptions(access, self.speed_band, self.trust_workers)
        with cluster_pool(options, cage=cage, say=warn) as pool:
            yield pool


def _certificates(
    tls_ca: Path | None, tls_cert: Path | None, tls_key: Path | None
) -> Certificates | None:
    given = [each for each in (tls_ca, tls_cert, tls_key) if each]
    if given and len(given) < 3:
        raise BadInput("--tls-ca, --tls-cert and --tls-key belong together")
    return Certificates(*given) if given else None


quiet_option = click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
tls_options = add_options(
    click.option(
        "--tls-ca",
        type=_FILE,
        envvar="ARENA_TLS_CA",
        help="The certificate authority that signed the certificates of all machines.",
    ),
    click.option(
        "--tls-cert",
        type=_FILE,
        envvar="ARENA_TLS_CERT",
        help="The certificate of this machine.",
    ),
    click.option(
        "--tls-key", type=_FILE, envvar="ARENA_TLS_KEY", help="The key of that certificate."
    ),
    click.option(
        "--insecure", is_flag=True, help="Without encryption: anyone who connects is trusted."
    ),
    packed={"certificates": _certificates},
)
worker_options = add_options(
    number_option(
        "--jobs",
        most=256,
        default=CORES,
        show_default="number of cores",
        help="Number of worker processes.",
    ),
    number_option(
        "--tables",
        most=1024,
        default=DEFAULT_TABLES,
        help="Matches that each worker plays at once.",
    ),
    quiet_option,
    click.option(
        "--workers",
        metavar="ADDRESS",
        help="Play on the cluster of this scheduler, such as tls://alpha:8786, not here.",
    ),
    tls_options,
    number_option(
        "--speed-band",
        least=0,
        whole=False,
        default=DEFAULT_SPEED_BAND,
        metavar="PERCENT",
        help="How much faster or slower than the others a machine may be.",
    ),
    click.option(
        "--trust-workers", is_flag=True, help="Store results without checking them by the rules."
    ),
    packed={"workers": WorkerChoice},
)


def require_dask() -> None:
    """Raise an error that says how to install Dask, if it is missing."""
    if find_spec("distributed") is None:
        raise ClusterError(f"this needs Dask, which is not installed: {EXTRA}")


def warn(sentence: str) -> None:
    """Print what a cluster reports."""
    say(plain(sentence), err=True)

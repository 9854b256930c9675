"""Options of commands that use a cluster, and the cluster that they describe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import click

from arena.cli.terminal.output import say
from arena.cli.terminal.values import BoundedFloat
from arena.errors import BadInput
from arena.text import plain
from arena.workers.cluster.addresses import (
    EXTRA,
    Certificates,
    ClusterError,
    ClusterOptions,
    read_access,
)
from arena.workers.cluster.hello import DEFAULT_SPEED_BAND
from arena.workers.pool import WorkerPool

_TLS = {
    "tls_ca": "The certificate that signed those of all machines.",
    "tls_cert": "The certificate of this machine.",
    "tls_key": "The key of that certificate.",
}


class ClusterChoice(NamedTuple):
    """The options of a command that can play on a cluster."""

    address: str | None
    certificates: Certificates | None
    insecure: bool
    speed_band: float
    trust_workers: bool

    def or_at(self, address: str) -> ClusterChoice:
        """Return it with an address, unless it has one; an empty one stands for this machine."""
        return self if self.address is not None else self._replace(address=address or None)

    def words(self) -> list[str]:
        """Return the options as they are written in a command."""
        if not self.address:
            return []
        words = ["--workers", self.address]
        if given := self.certificates:
            words += ["--tls-ca", str(given.ca), "--tls-cert", str(given.cert)]
            words += ["--tls-key", str(given.key)]
        if self.speed_band != DEFAULT_SPEED_BAND:
            words += ["--speed-band", f"{self.speed_band:g}"]
        flags = {"--insecure": self.insecure, "--trust-workers": self.trust_workers}
        return words + [flag for flag, is_given in flags.items() if is_given]


NO_CLUSTER = ClusterChoice(None, None, False, DEFAULT_SPEED_BAND, False)


def tls_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--tls-ca`, `--tls-cert`, `--tls-key` and `--insecure`; pass them on as two arguments."""

    @wraps(command)
    def wrapped(
        tls_ca: Path | None, tls_cert: Path | None, tls_key: Path | None, **rest: Any
    ) -> Any:
        given = [each for each in (tls_ca, tls_cert, tls_key) if each]
        if given and len(given) < len(_TLS):
            raise BadInput("--tls-ca, --tls-cert and --tls-key belong together")
        return command(certificates=Certificates(*given) if given else None, **rest)

    _stand_for_itself(wrapped)
    for name, text in reversed(_TLS.items()):
        wrapped = click.option(
            f"--{name.replace('_', '-')}",
            name,
            type=click.Path(path_type=Path),
            envvar=f"ARENA_{name.upper()}",
            help=text,
        )(wrapped)
    return click.option(
        "--insecure", is_flag=True, help="Without encryption: anyone who connects is trusted."
    )(wrapped)


def cluster_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for a cluster; pass them on as the argument `cluster`."""

    @wraps(command)
    def gathered(
        workers: str | None,
        certificates: Certificates | None,
        insecure: bool,
        speed_band: float,
        trust_workers: bool,
        **rest: Any,
    ) -> Any:
        choice = ClusterChoice(workers, certificates, insecure, speed_band, trust_workers)
        return command(cluster=choice, **rest)

    _stand_for_itself(gathered)
    workers = click.option(
        "--workers",
        metavar="ADDRESS",
        help="Play on the cluster of this scheduler, such as tls://alpha:8786, not here.",
    )
    band = click.option(
        "--speed-band",
        type=BoundedFloat(0, 1_000_000),
        default=DEFAULT_SPEED_BAND,
        show_default=True,
        metavar="PERCENT",
        help="How much faster or slower than the others a machine may be.",
    )
    trust = click.option(
        "--trust-workers", is_flag=True, help="Store results without checking them by the rules."
    )
    return workers(tls_options(band(trust(gathered))))


def _stand_for_itself(function: Callable[..., Any]) -> None:
    """Let a function show its own parameters: those of what it wraps are others."""
    del function.__dict__["__wrapped__"]


def require_dask() -> None:
    """Raise an error that says how to install Dask, if it is missing."""
    if find_spec("distributed") is None:
        raise ClusterError(f"this needs Dask, which is not installed: {EXTRA}")


@contextmanager
def chosen_pool(choice: ClusterChoice, *, cage: str) -> Iterator[WorkerPool | None]:
    """Provide the workers of a cluster; None if no cluster was chosen."""
    if not choice.address:
        if choice.certificates is None and choice.insecure:
            raise BadInput("--insecure needs --workers")
        yield None
        return
    access = read_access(choice.address, choice.certificates, insecure=choice.insecure)
    require_dask()
    # Imported late: Dask is an extra, and takes half a second.
    from arena.workers.cluster.dask_pool import cluster_pool

    options = ClusterOptions(access, choice.speed_band, choice.trust_workers)
    with cluster_pool(options, cage=cage, say=_warn) as pool:
        yield pool


def _warn(sentence: str) -> None:
    say(plain(sentence), err=True)

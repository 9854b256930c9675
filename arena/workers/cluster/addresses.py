"""Where a cluster is, and the certificates that its parts trust each other by."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ArenaError, BadInput
from arena.workers.cluster.hello import DEFAULT_SPEED_BAND

DEFAULT_PORT = 8786
EXTRA = "pip install 'arena-league[dask]'"
_ADDRESS = re.compile(r"(tls|tcp)://([^\s/:]+|\[[0-9a-fA-F:]+\]):(\d{1,5})")


class ClusterError(ArenaError):
    """The cluster cannot be used."""


@dataclass(frozen=True, slots=True)
class Certificates:
    """The files of one member of a cluster."""

    ca: Path
    """The certificate that has signed those of all members."""
    cert: Path
    key: Path


@dataclass(frozen=True, slots=True)
class Access:
    """How to reach a cluster; without certificates, nothing is encrypted and anyone may join."""

    address: str
    certificates: Certificates | None


@dataclass(frozen=True, slots=True)
class ClusterOptions:
    """How an event uses a cluster."""

    access: Access
    speed_band: float = DEFAULT_SPEED_BAND
    """In percent."""
    trust_workers: bool = False
    """Whether results are stored without being checked by the rules."""


def read_access(address: str, certificates: Certificates | None, *, insecure: bool) -> Access:
    """Return how to reach an address; raise `BadInput` if it makes no sense."""
    match = _ADDRESS.fullmatch(address)
    if not match or int(match[3]) > 65535:
        raise BadInput(
            f"{address!r} is not the address of a scheduler: write tls://HOST:{DEFAULT_PORT}"
        )
    if match[1] == "tcp":
        if not insecure:
            raise BadInput(
                f"{address} is not encrypted, and whoever reaches it can run programs on all "
                "machines: use tls://, or add --insecure in a network that is yours alone"
            )
        return Access(address, None)
    if insecure:
        raise BadInput(f"{address} is encrypted: omit --insecure")
    return Access(address, need_certificates(certificates))


def need_certificates(certificates: Certificates | None) -> Certificates:
    """Return the certificates if they are given and their files exist."""
    if certificates is None:
        raise BadInput(
            "an encrypted cluster needs --tls-ca, --tls-cert and --tls-key: `arena certificates` "
            "makes the files"
        )
    for path in (certificates.ca, certificates.cert, certificates.key):
        if not path.is_file():
            raise BadInput(f"{path} does not exist: `arena certificates` makes such files")
    return certificates

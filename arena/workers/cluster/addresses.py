"""Where a cluster is, and the certificates that its parts trust each other by."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ArenaError, BadInput
from arena.workers.cluster.hello import DEFAULT_SPEED_BAND

DEFAULT_PORT = 8786
EXTRA = "pip install 'arena-league[dask]'"
CA = "ca"
_CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
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


def certificates_in(folder: Path, name: str) -> Certificates:
    """Return the files of a member."""
    return Certificates(folder / f"{CA}.pem", folder / f"{name}.pem", folder / f"{name}-key.pem")


def make_certificates(folder: Path, names: Sequence[str], *, days: int) -> list[Path]:
    """Make a certificate for each name with openssl, and the authority if the folder has none.

    The members check only that a certificate was signed by their own authority. So one certificate
    for each machine suffices, and its name is for people. Return the files that were made. A key
    can be read by its owner only.
    """
    if shutil.which("openssl") is None:
        raise ArenaError("openssl is not installed; on Debian: apt-get install openssl")
    for name in names:
        if name == CA or not name.replace("-", "").replace(".", "").isalnum():
            raise BadInput(f"{name!r} cannot be the name of a certificate: use letters and digits")
        if certificates_in(folder, name).cert.exists():
            raise BadInput(f"{certificates_in(folder, name).cert} exists already")
    folder.mkdir(parents=True, exist_ok=True)
    ca, ca_key = folder / f"{CA}.pem", folder / f"{CA}-key.pem"
    made = []
    if not ca.exists():
        authority = ("-x509", "-subj", "/CN=arena cluster", "-days", str(days))
        _openssl("req", *authority, *_CURVE, "-keyout", ca_key, "-out", ca)
        made += [ca, ca_key]
    for name in names:
        files = certificates_in(folder, name)
        request = folder / f"{name}.csr"
        _openssl("req", "-subj", f"/CN={name}", *_CURVE, "-keyout", files.key, "-out", request)
        signed_by = ("-CA", ca, "-CAkey", ca_key, "-CAcreateserial")
        dates = ("-days", str(days))
        _openssl("x509", "-req", "-in", request, *signed_by, *dates, "-out", files.cert)
        request.unlink()
        made += [files.cert, files.key]
    return made


def _openssl(*words: str | Path) -> None:
    """Run openssl; the files that it writes are for their owner only."""
    done = subprocess.run(
        ["openssl", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        umask=0o077,
        check=False,
    )
    if done.returncode:
        raise ArenaError(f"openssl failed: {done.stderr.strip().splitlines()[-1]}")

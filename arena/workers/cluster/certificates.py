"""Make a certificate authority and certificates for a small cluster, with openssl.

The members check only that a certificate was signed by their own authority. So one certificate for
each machine suffices, and its name is for people.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from arena.errors import ArenaError, BadInput
from arena.workers.cluster.addresses import Certificates

CA = "ca"
_CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


def certificates_in(folder: Path, name: str) -> Certificates:
    """Return the files of a member."""
    return Certificates(folder / f"{CA}.pem", folder / f"{name}.pem", folder / f"{name}-key.pem")


def make_certificates(folder: Path, names: Sequence[str], *, days: int) -> list[Path]:
    """Make a certificate for each name, and the authority if the folder has none.

    Return the files that were made. A key can be read by its owner only.
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

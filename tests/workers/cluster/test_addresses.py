"""Addresses and certificates of a cluster are checked before they are used."""

from __future__ import annotations

import shutil
import ssl
import stat
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from arena.errors import ArenaError, BadInput
from arena.workers.cluster.addresses import (
    Certificates,
    certificates_in,
    make_certificates,
    read_access,
)
from tests.builders.bots import ROOT
from tests.test_readme import blocks

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is missing")


@pytest.mark.parametrize(
    "address", ["alpha", "tls://alpha", "http://alpha:80", "tls://a:99999", "tls://a b:1", ""]
)
def test_nonsense_is_no_address(address: str) -> None:
    with pytest.raises(BadInput, match="is not the address of a scheduler"):
        read_access(address, None, insecure=False)


def test_an_open_connection_must_be_asked_for() -> None:
    with pytest.raises(BadInput, match="add --insecure"):
        read_access("tcp://alpha:8786", None, insecure=False)
    assert read_access("tcp://alpha:8786", None, insecure=True).certificates is None
    with pytest.raises(BadInput, match="omit --insecure"):
        read_access("tls://alpha:8786", None, insecure=True)


def test_an_encrypted_connection_needs_files_that_exist(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="needs --tls-ca"):
        read_access("tls://alpha:8786", None, insecure=False)
    files = Certificates(tmp_path / "ca.pem", tmp_path / "a.pem", tmp_path / "a-key.pem")
    with pytest.raises(BadInput, match=r"ca\.pem does not exist"):
        read_access("tls://alpha:8786", files, insecure=False)


@needs_openssl
def test_certificates_are_signed_by_one_authority_and_keys_are_private(tmp_path: Path) -> None:
    make_certificates(tmp_path, ["alpha"], days=2)
    make_certificates(tmp_path, ["beta"], days=2)
    for name in ("alpha", "beta"):
        files = certificates_in(tmp_path, name)
        context = ssl.create_default_context(cafile=files.ca)
        context.load_cert_chain(files.cert, files.key)
        assert stat.S_IMODE(files.key.stat().st_mode) == 0o600
    assert sorted(path.suffix for path in tmp_path.iterdir()).count(".csr") == 0
    with pytest.raises(BadInput, match=r"alpha\.pem exists already"):
        make_certificates(tmp_path, ["alpha"], days=2)


@needs_openssl
def test_the_lines_of_the_page_make_the_same_files(tmp_path: Path) -> None:
    (lines,) = blocks("sh", (ROOT / "arena/workers/README.md").read_text(encoding="utf-8"))
    subprocess.run(["sh", "-ec", lines], cwd=tmp_path, check=True, capture_output=True)
    files = certificates_in(tmp_path, "alpha")
    access = read_access("tls://alpha:8786", files, insecure=False)
    assert access.certificates == files
    # A handshake in memory, in which each side trusts the authority and shows its certificate.
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    client.check_hostname = False
    for context in (client, server):
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(files.ca)
        context.load_cert_chain(files.cert, files.key)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [client.wrap_bio(back, there), server.wrap_bio(there, back, server_side=True)]
    for _ in range(3):
        for end in ends:
            with suppress(ssl.SSLWantReadError):
                end.do_handshake()
    assert all(end.getpeercert() for end in ends)


@needs_openssl
def test_a_broken_authority_is_named(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("nonsense")
    with pytest.raises(ArenaError, match="openssl failed: "):
        make_certificates(tmp_path, ["alpha"], days=2)


@needs_openssl
@pytest.mark.parametrize("name", ["ca", "../x", "a/b", "-x y", ""])
def test_a_certificate_has_a_plain_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="cannot be the name of a certificate"):
        make_certificates(tmp_path, [name], days=2)

"""Every request has limits, whoever sends it; the log names nobody's secrets."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import ssl
import subprocess
from contextlib import closing
from pathlib import Path
from shutil import which

import httpx
import pytest

from arena.serve.limits import Buckets, ImpatientProtocol, address_key
from arena.serve.server import JsonLines
from arena.serve.service import Feed, Message
from tests.serve.in_process import InProcess
from tests.serve.processes import serving


def test_a_bucket_is_refilled_steadily() -> None:
    now = 0.0
    buckets = Buckets(2, lambda: now)
    assert [buckets.wait_s("ada") for _ in range(3)] == [0, 0, 30]
    assert buckets.wait_s("bob") == 0
    now = 30.0
    assert [buckets.wait_s("ada") for _ in range(2)] == [0, 30]


def test_addresses_of_one_network_share_a_bucket_if_there_are_very_many() -> None:
    assert address_key("2001:db8::1") == address_key("2001:db8::ffff")
    assert address_key("192.0.2.1") != address_key("192.0.2.2")
    assert address_key("testclient") == "testclient"


def test_one_address_cannot_have_all_live_pages() -> None:
    pages: list[asyncio.Future[Message]] = []

    async def opened(feed: Feed, address: str) -> int:
        count = 0
        while feed.may_open(address, 20):
            pages.append(asyncio.ensure_future(anext(feed.messages(address))))
            await asyncio.sleep(0)
            count += 1
        return count

    async def open_all() -> list[int]:
        feed = Feed()
        return [await opened(feed, address) for address in ("one", "two", "three")]

    assert asyncio.run(open_all()) == [10, 5, 2]


def test_wrong_tokens_do_not_lock_out_right_ones(tmp_path: Path) -> None:
    few = ("requests_per_minute = 300", "requests_per_minute = 3")
    with closing(InProcess(tmp_path, few)) as league:
        token = league.author("ada")
        statuses = [league.get("/api/v1/me", "arena_1_wrong").status_code for _ in range(5)]
        assert statuses == [401] * 3 + [429] * 2
        assert league.get("/api/v1/me", token).status_code == 200


def test_the_log_has_no_token_and_no_code(
    league: InProcess, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    token = league.author("ada")
    league.get("/api/v1/me", token)
    league.get("/join/arena_1_code")
    lines = [json.loads(JsonLines().format(each)) for each in caplog.records]
    asked = [line for line in lines if line["log"] == "arena.serve.requests"]
    assert [line["path"] for line in asked] == ["/api/v1/me", "/join/…"]
    assert asked[0]["client"] == "192.0.2.1"
    assert not any(secret in json.dumps(asked) for secret in (token, "arena_1_code"))


def test_a_connection_that_sends_nothing_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    # uvicorn itself closes only connections that have sent a request.

    import uvicorn

    monkeypatch.setattr("arena.serve.limits.HEADERS_S", 0.2)

    async def connect() -> bytes:
        config = uvicorn.Config(
            lambda *_: None,
            http=ImpatientProtocol,
            lifespan="off",
            log_config=None,
        )
        config.load()
        state = uvicorn.Server(config)
        server = await asyncio.get_running_loop().create_server(
            lambda: ImpatientProtocol(config, state.server_state, {}), "127.0.0.1", 0
        )
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
        received = await asyncio.wait_for(reader.read(), 60)
        writer.close()
        server.close()
        await server.wait_closed()
        return received

    assert asyncio.run(connect()) == b""


@pytest.mark.skipif(which("openssl") is None, reason="openssl makes the certificate")
def test_certificate_files_give_tls(tmp_path: Path) -> None:
    subprocess.run(
        "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2"
        " -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1".split(),
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    files = ('# certificate = "fullchain.pem"', 'certificate = "cert.pem"')
    key = ('# key = "privkey.pem"', 'key = "key.pem"')
    with serving(tmp_path, files, key) as league:
        trusting = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
        answer = httpx.get(f"{league.address}/healthz", verify=trusting)
        assert (league.address[:5], answer.text) == ("https", "ok\n")
        host, port = league.address.removeprefix("https://").split(":")
        with socket.create_connection((host, int(port))) as plain:
            plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b"200" not in plain.recv(100)

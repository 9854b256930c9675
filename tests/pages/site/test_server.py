"""The server of a report serves its pages, only those, and only to this machine."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.pages.local_server import PortTaken
from arena.pages.site.server import LiveSite, serve
from arena.pages.template import hash_of
from leaderboard.store import Store
from tests.builders.leagues import league_with_byes
from tests.pages.replays import Elements
from tests.pages.site.sites import build_site

Served = tuple[LiveSite, Path, str]


def live_site(db: Path) -> LiveSite:
    """Return the site of a league, as `arena report --serve` shows it."""
    with Store.open(db) as store:
        return LiveSite(store, lambda: Store.open(db))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve the site of a small league."""
    folder = tmp_path_factory.mktemp("served")
    db = league_with_byes(folder)
    (folder / "secret.html").write_text("secret")
    one = live_site(db)
    with serve(one, 0) as address:
        yield one, db, address


def get(address: str, path: str, host: str | None = None) -> tuple[int, str]:
    """Request a path as it is; return the status and the text."""
    authority = address.removeprefix("http://").rstrip("/")
    connection = http.client.HTTPConnection(authority, timeout=60)
    connection.request("GET", path, headers={"Host": host or authority})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def test_pages_are_served_with_one_more_script_that_their_policy_allows(site: Served) -> None:
    one, _, address = site
    for path in ("/", "/index.html", "/events/cup.html?x=1", "/bots/ann.html"):
        status, text = get(address, path)
        assert status == 200
        own, script = Elements(text).texts["script"]
        assert "/stamp" in script
        policy = Elements(text).policy
        assert f"script-src {hash_of(own)} {hash_of(script)}" in policy
        assert "script-src 'sha256-" in policy
        assert "; connect-src 'self';" in policy
        assert f'<meta name="stamp" content="{one.stamp}">' in text


def test_replays_are_served_as_a_report_writes_them_with_pictures(tmp_path: Path) -> None:
    db = league_with_byes(tmp_path)
    everything = tmp_path / "everything"
    build_site(db, everything, newest=None)
    with serve(live_site(db), 0) as address:
        for replay in list((everything / "replays").rglob("*.html"))[::7]:
            path = f"{replay.relative_to(everything)}"
            assert get(address, f"/{path}") == (200, replay.read_text("utf-8"))
            picture = f"pictures/{path.removesuffix('html')}svg"
            if (everything / picture).is_file():
                assert get(address, f"/{picture}")[0] == 200
        for path in ("/replays/cup/999.html", "/replays/none/1.html", "/replays/cup/1.json"):
            assert get(address, path)[0] == 404


def test_data_is_served_as_what_it_is(site: Served, tmp_path: Path) -> None:
    _, db, address = site
    build_site(db, tmp_path / "site")
    for kind in ("csv", "json"):
        path = f"variants/meow-standard.{kind}"
        status, text = get(address, f"/{path}")
        written = (tmp_path / "site" / path).read_text("utf-8")
        assert (status, text.replace("just now", "2026-01-02 12:00 UTC")) == (200, written)


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere.html",
        "/../secret.html",
        "/%2e%2e/secret.html",
        "//etc/passwd",
        "/arena-report.json",
        "/pictures/../secret.html",
        "/pictures/replays/cup/999.svg",
        "/events",
        "/events/",
        "/%00.html",
    ],
)
def test_nothing_else_is_served(site: Served, path: str) -> None:
    status, text = get(site[2], path)
    assert status == 404
    assert "secret" not in text
    assert "This page does not exist" in text


def test_a_foreign_host_name_is_refused(site: Served) -> None:
    assert get(site[2], "/", host="evil.example:80")[0] == 421
    assert get(site[2], "/", host="localhost:80")[0] == 200
    # A browser omits the default port.
    assert get(site[2], "/", host="127.0.0.1")[0] == 200


def test_a_site_for_other_machines_is_read_by_the_address_of_this_one(site: Served) -> None:
    with serve(site[0], 0, host="0.0.0.0") as address:
        here = address.replace("0.0.0.0", "127.0.0.1")
        assert get(here, "/", host="192.0.2.7:8000")[0] == 200
        assert get(here, "/", host="evil.example")[0] == 421
        assert get(here, "/", host="[broken")[0] == 421


def test_the_stamp_changes_with_the_site(site: Served) -> None:
    one, db, address = site
    before = get(address, "/stamp")
    assert before == (200, one.stamp) == get(address, "/stamp")
    with Store.open(db) as store:
        one.update(store)
    assert get(address, "/stamp") == (200, one.stamp) != before


def test_a_port_in_use_is_reported(site: Served) -> None:
    port = int(site[2].rstrip("/").rpartition(":")[2])
    with (
        pytest.raises(PortTaken, match=f"port {port} cannot be used.*--port"),
        serve(site[0], port),
    ):
        pass


def test_a_closed_connection_is_not_logged(site: Served, capfd: pytest.CaptureFixture[str]) -> None:
    with serve(site[0], 0) as address:
        port = int(address.rstrip("/").rpartition(":")[2])
        before = set(threading.enumerate())
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"GET / HT")
            # Closing it like this resets the connection.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        get(address, "/")
        for thread in set(threading.enumerate()) - before:
            thread.join()
    assert capfd.readouterr().err == ""

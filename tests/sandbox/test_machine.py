"""Is the machine blamed for what is the machine's fault, and the bot for what is the bot's?"""

from __future__ import annotations

import asyncio
import pickle
import socket
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import Popen
from threading import Thread

import pytest

from arena.errors import PlatformError
from arena.manifest import Manifest
from arena.sandbox.cages import BubblewrapCage, NoCage, best_cage
from arena.sandbox.control_group import ControlGroup
from arena.sandbox.environments import environment_for
from arena.sandbox.inmate import Inmate
from arena.sandbox.locks import lock_of
from arena.sandbox.places import fresh
from arena.sandbox.wheels import BadRequirements
from tests.privileges import last_words, read_only
from tests.sandbox.caged import PATIENCE_S
from tests.sandbox.shop import pack_wheel

HEAD = "import sys, tempfile; from pathlib import Path; here, source = map(Path, sys.argv[1:])\n"
WAYS = {
    "a place": "from arena.sandbox.places import Place; tempfile.tempdir = str(here); Place()",
    "a copy": "from arena.sandbox.folders import copy_folder; copy_folder(source, here / 'a/bot')",
    "a package": "from leaderboard.packing import *; packed = pack_folder(source)\n"
    "unpack(packed.blob, here / 'a' / 'bot', expected=packed.hash)",
    "a choice": "from arena.sandbox.locks import lock_of; tempfile.tempdir = str(here)\n"
    "lock_of(['apple'], fresh=True)",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_disk_that_takes_nothing_is_the_machines_fault(way: str, base: Path) -> None:
    (base / "source").mkdir()
    (base / "source" / "bot.py").touch()
    (base / "small" / "a").mkdir(parents=True)
    with read_only(base / "small" / "a", base / "small"):
        said = last_words(HEAD + WAYS[way], base / "small", base / "source")
    assert said == (
        f"arena.errors.PlatformError: bots cannot have their files in {base}/small "
        "(Permission denied): make room there, or set TMPDIR to another folder"
    )


def test_a_lack_of_cages_can_be_told_by_a_worker() -> None:
    error = NoCage({"user": "bwrap is not installed"})
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


class Unprepared(BubblewrapCage):
    """A cage that is to show a folder which is not there, as if it had just been removed."""

    def begin(
        self,
        inmate: Inmate,
        socket: Path | None,
        uid: int | None,
        group: ControlGroup | None = None,
    ) -> tuple[Popen[bytes], int]:
        """Start bubblewrap."""
        lost = replace(inmate, prefixes=(Path("/nowhere/bin"),))
        return super().begin(lost, socket, uid, group)


def end_of(cage: BubblewrapCage, *command: str) -> tuple[str, str | None]:
    """Start a program in a cage; return how it ended, and what the machine has to do with it."""

    async def run() -> tuple[str, str | None]:
        with fresh() as folder, socket.socket(socket.AF_UNIX) as server:
            server.bind(str(folder / "referee.sock"))
            (folder / "bot.toml").touch()
            bot = Manifest("bot", (), command, folder, only=("bot.toml",))
            ended = asyncio.Event()
            process = cage.launcher(bot, {})(folder / "referee.sock", ended.set)
            async with asyncio.timeout(PATIENCE_S):
                await ended.wait()
            return process.how_it_ended(), process.lost()

    return asyncio.run(run())


def full_cage() -> BubblewrapCage:
    """Return the full cage, if this machine has it."""
    cage = best_cage()
    if not isinstance(cage, BubblewrapCage):
        pytest.skip("bubblewrap is not there")
    return cage


@pytest.mark.parametrize(
    ("code", "ended"),
    [
        ("exit 0", "ended with exit code 0"),
        ("exit 127", "ended with exit code 127"),
        ("kill -9 $$", "was ended by SIGKILL"),
        ('echo "bwrap: Can\'t mount" >&2; exit 1', "ended with exit code 1"),
    ],
)
def test_however_a_bot_ends_it_is_its_own_doing(code: str, ended: str) -> None:
    assert end_of(full_cage(), "sh", "-c", code) == (ended, None)


def test_a_cage_that_cannot_be_built_is_not_the_bots_doing() -> None:
    cage = full_cage()
    ended, lost = end_of(Unprepared(cage._way, cage.python), "true")
    assert ended == "ended with exit code 1"
    assert lost
    assert lost.startswith("no cage could be made for a bot: bwrap: Can't find source path /now")


class Index(ThreadingHTTPServer):
    """A package index that fails in one way."""

    fails = ""

    def __init__(self, shop: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.shop = shop


class _Answer(BaseHTTPRequestHandler):
    server: Index

    def do_GET(self) -> None:
        fails = self.server.fails
        is_page = self.path.startswith("/simple/")
        name = "apple-1.0-py3-none-any.whl"
        if fails == "hangs up":
            return
        if fails == ("page" if is_page else "file") or (not is_page and fails == "cut"):
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.wfile.write(b"half")
        elif (fails.isdigit() and is_page) or (fails[:5] == "file " and not is_page):
            self.send_error(int(fails[-3:]))
        else:
            page = f'<a href="/files/{name}">{name}</a>'.encode()
            body = page if is_page else (self.server.shop / name).read_bytes()
            self.send_response(200)
            self.send_header("Content-Type", "text/html" if is_page else "application/zip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def index(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """Give an index with one package, where pip looks for it."""
    pack_wheel(shop, "apple", "1.0")
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_RETRIES", "0")
    with Index(shop) as index:
        Thread(target=index.serve_forever, daemon=True).start()
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{index.server_address[1]}/simple/")
        yield index
        index.shutdown()


@pytest.mark.parametrize(
    "fails", ["500", "503", "429", "hangs up", "file 404", "file 503", "cut", "page"]
)
def test_an_index_that_does_not_answer_is_the_machines_fault(index: Index, fails: str) -> None:
    index.fails = fails
    with pytest.raises(PlatformError, match="because the package index cannot be reached"):
        lock_of(["apple"])


def test_an_index_that_fails_between_choosing_and_fetching_is_the_machines_fault(
    index: Index,
) -> None:
    lock = lock_of(["apple"])
    index.fails = "503"
    with pytest.raises(PlatformError, match=r"apple==1\.0 cannot be fetched, because the package"):
        environment_for(lock)
    index.fails = ""
    assert environment_for(lock)


def test_an_index_without_such_a_package_is_there(index: Index) -> None:
    index.fails = "404"
    with pytest.raises(BadRequirements, match="there is no wheel of apple"):
        lock_of(["apple"])
    index.fails = ""
    with pytest.raises(BadRequirements, match="there is no wheel of apple==2"):
        lock_of(["apple==2"])

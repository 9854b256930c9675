"""Faults of the machine are distinguished from faults of a bot."""

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
from arena.sandbox.cage import Payload
from arena.sandbox.cages.bubblewrap import BubblewrapCage
from arena.sandbox.packages.environments import environment_for
from arena.sandbox.packages.lockfile import lockfile_for
from arena.sandbox.packages.wheels import BadRequirements
from arena.sandbox.select import AUTO, NoCage, select_cage
from arena.sandbox.tempdir import temp_dir
from arena.submission.manifest import Manifest
from tests.privileges import read_only, run_unprivileged
from tests.sandbox.caged_bot import PATIENCE_S
from tests.sandbox.wheelhouse import pack_wheel

HEAD = "import sys, tempfile; from pathlib import Path; here, source = map(Path, sys.argv[1:])\n"
WRITERS = {
    "a temporary folder": "from arena.sandbox.tempdir import TempDir\n"
    "tempfile.tempdir = str(here); TempDir()",
    "a copy": "from arena.submission.package import copy_folder\n"
    "copy_folder(source, here / 'a/bot')",
    "a package": "from arena.submission.package import *; packed = pack_folder(source)\n"
    "unpack(packed.blob, here / 'a' / 'bot', expected=packed.hash)",
    "a choice": "from arena.sandbox.packages.lockfile import lockfile_for\n"
    "tempfile.tempdir = str(here); lockfile_for(['no-such-apple'])",
}


@pytest.mark.parametrize("writer", WRITERS)
def test_a_read_only_disk_is_the_machines_fault(writer: str, base: Path) -> None:
    (base / "source").mkdir()
    (base / "source" / "bot.py").touch()
    (base / "small" / "a").mkdir(parents=True)
    with read_only(base / "small" / "a", base / "small"):
        last_line = run_unprivileged(HEAD + WRITERS[writer], base / "small", base / "source")
    assert last_line == (
        f"arena.errors.PlatformError: cannot write the files of bots to {base}/small "
        "(Permission denied): free some space or fix its permissions, "
        "or set TMPDIR to another folder"
    )


def test_the_error_for_a_missing_cage_can_be_sent_by_a_worker() -> None:
    error = NoCage({"user": "bwrap is not installed"})
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


class CageWithMissingFolder(BubblewrapCage):
    """A cage that must show a missing folder, as if it had just been removed."""

    def start(
        self, payload: Payload, socket: Path | None, uid: int | None
    ) -> tuple[Popen[bytes], int]:
        """Start bubblewrap."""
        changed = replace(payload, image=Path("/nowhere/bin"))
        return super().start(changed, socket, uid)


def run_to_end(cage: BubblewrapCage, *command: str) -> tuple[str, str | None]:
    """Start a program in a cage; return how it ended, and the machine's fault if any."""

    async def run() -> tuple[str, str | None]:
        with temp_dir() as folder, socket.socket(socket.AF_UNIX) as server:
            server.bind(str(folder / "referee.sock"))
            (folder / "bot.toml").touch()
            bot = Manifest("bot", (), command, folder, only=("bot.toml",))
            ended = asyncio.Event()
            process = cage.launcher(bot, {})(folder / "referee.sock", ended.set)
            async with asyncio.timeout(PATIENCE_S):
                await ended.wait()
            return process.describe_exit(), process.machine_fault()

    return asyncio.run(run())


def full_cage() -> BubblewrapCage:
    """Return the full cage; skip the test if it does not work here."""
    cage = select_cage(AUTO)
    if not isinstance(cage, BubblewrapCage):
        pytest.skip("bubblewrap does not work here")
    return cage


@pytest.mark.parametrize(
    ("code", "ended"),
    [
        ("exit 0", "ended with exit code 0"),
        ("exit 127", "ended with exit code 127"),
        ("kill -9 $$; exit 2", "ended with exit code 2"),
        ("exit 137", "was ended by SIGSEGV"),
        ('echo "bwrap: Can\'t mount" >&2; exit 1', "ended with exit code 1"),
    ],
)
def test_a_bots_exit_is_never_the_machines_fault(code: str, ended: str) -> None:
    assert run_to_end(full_cage(), "sh", "-c", code) == (ended, None)


def test_a_cage_that_cannot_be_built_is_the_machines_fault() -> None:
    cage = full_cage()
    ended, fault = run_to_end(CageWithMissingFolder(cage._mode, cage.python), "true")
    assert ended == "ended with exit code 1"
    assert fault
    assert fault.startswith(
        "the cage of a bot could not be built: bwrap: Can't find source path /now"
    )


class Index(ThreadingHTTPServer):
    """A package index that fails in one way."""

    fails = ""

    def __init__(self, wheelhouse: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.wheelhouse = wheelhouse


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
            body = page if is_page else (self.server.wheelhouse / name).read_bytes()
            self.send_response(200)
            self.send_header("Content-Type", "text/html" if is_page else "application/zip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@pytest.fixture
def index(wheelhouse: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """Serve an index with one package, and make pip use it."""
    pack_wheel(wheelhouse, "apple", "1.0")
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_RETRIES", "0")
    with Index(wheelhouse) as index:
        Thread(target=index.serve_forever, daemon=True).start()
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{index.server_address[1]}/simple/")
        yield index
        index.shutdown()


@pytest.mark.parametrize(
    "fails",
    [
        "503",
        "hangs up",
        "cut",
        *(
            pytest.param(fails, marks=pytest.mark.slow)
            for fails in ("500", "429", "file 404", "file 503", "page")
        ),
    ],
)
def test_an_index_that_does_not_answer_is_the_machines_fault(index: Index, fails: str) -> None:
    index.fails = fails
    with pytest.raises(PlatformError, match="the package index cannot be reached"):
        lockfile_for(["apple"])


@pytest.mark.slow
def test_an_index_that_fails_between_locking_and_downloading_is_the_machines_fault(
    index: Index,
) -> None:
    lock = lockfile_for(["apple"])
    index.fails = "503"
    with pytest.raises(PlatformError, match=r"cannot download apple==1\.0: the package index"):
        environment_for(lock)
    index.fails = ""
    assert environment_for(lock)


def test_an_index_without_the_package_is_not_the_machines_fault(index: Index) -> None:
    index.fails = "404"
    with pytest.raises(BadRequirements, match="no wheel of apple"):
        lockfile_for(["apple"])
    index.fails = ""
    with pytest.raises(BadRequirements, match="no wheel of apple==2"):
        lockfile_for(["apple==2"])

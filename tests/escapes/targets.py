"""The targets of the attacks: files, sockets, a process and a terminal.

All of them are made for the attacks, belong to the user who runs the tests and can be reached by
every user, so that only the cage protects them.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import subprocess
import sys
import termios
from pathlib import Path
from typing import Self

import arena.referee
from arena.sandbox.limits import syscalls
from arena.sandbox.packages.environments import Environment
from arena.wire.envelope import PROTOCOL
from arena.wire.v1.match_pb2 import FromBot, Hello
from tests.escapes.bots import PROGRAM
from tests.escapes.probes.common import Facts
from tests.escapes.probes.shared import LARGE
from tests.escapes.shared_file import SharedFile

_CANARY = Path(__file__).with_name("canary.py")
_MORE_CALLS = {
    "clone": syscalls.CLONE,
    "tgkill": syscalls.TGKILL,
    "rt_sigqueueinfo": syscalls.SIGQUEUE,
    "close_range": syscalls.CLOSE_RANGE,
    "futex": syscalls.SystemCall(202, 98),
    "getpid": syscalls.SystemCall(39, 172),
    "exit": syscalls.SystemCall(60, 93),
    "prctl": syscalls.SystemCall(157, 167),
}


class Targets:
    """A context manager that creates the targets and removes them."""

    def __init__(self, folder: Path, secret: str, environment: Environment) -> None:
        """Set the folder of the targets, the word that bots must not read, and the bots' Python."""
        self.folder = folder
        self._secret = secret
        self._resources = contextlib.ExitStack()
        self._league = folder / "arena.db"
        self.neighbour = folder / "neighbour"
        """The folder of another bot."""
        self._environment = environment
        self.shared = SharedFile(environment.root / LARGE)

    def __enter__(self) -> Self:
        """Create everything."""
        self._write_files()
        self._listen()
        self._start_canary()
        self._take_terminal()
        # An inheritable descriptor, as a careless referee might have one.
        self._leak = os.open(self._league, os.O_RDONLY)
        os.set_inheritable(self._leak, True)
        self._before = self._canary_report()
        return self

    def __exit__(self, *_: object) -> None:
        """Remove everything."""
        self._resources.close()

    def _write_files(self) -> None:
        home = self.folder / "home"
        for path in (home / "secret.txt", self._league, self.neighbour / "secret.txt"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(self._secret)
        local = home / ".local"
        for name in ("bin", "share"):
            (local / name).mkdir(parents=True)
        (local / "share" / "secret.txt").write_text(self._secret)
        (local / "bin" / "tool").write_text('#!/bin/sh\nexec /usr/bin/python3 "$@"\n')
        (local / "bin" / "tool").chmod(0o755)
        os.environ["PATH"] += f":{local / 'bin'}"
        (self.folder / "bots").mkdir()
        (self.folder / "bots" / "program").write_text(PROGRAM)
        (self.folder / "bots" / "program").chmod(0o755)

    def _listen(self) -> None:
        self._tcp = self._open_listener(socket.AF_INET, ("127.0.0.1", 0))
        self._unix = str(self.folder / "some.sock")
        self._open_listener(socket.AF_UNIX, self._unix)
        os.chmod(self._unix, 0o777)
        self._abstract = f"some-{self._secret}"
        self._open_listener(socket.AF_UNIX, f"\0{self._abstract}")
        self._udp = self._open_socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", 0))
        self._udp.setblocking(False)

    def _open_socket(self, family: int, kind: int) -> socket.socket:
        return self._resources.enter_context(socket.socket(family, kind))

    def _open_listener(self, family: int, address: str | tuple[str, int]) -> socket.socket:
        listener = self._open_socket(family, socket.SOCK_STREAM)
        listener.bind(address)
        # Connections are never answered: it is enough that they get through.
        listener.listen(64)
        return listener

    def _start_canary(self) -> None:
        self._canary = subprocess.Popen(
            [sys.executable, "-I", "-S", _CANARY, self._secret],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._resources.callback(self._end_canary)
        assert self._canary.stdout is not None
        self._address = int(self._canary.stdout.readline())

    def _end_canary(self) -> None:
        self._canary.kill()
        self._canary.communicate()

    def _canary_report(self) -> str:
        assert self._canary.stdin is not None
        assert self._canary.stdout is not None
        self._canary.stdin.write("?\n")
        self._canary.stdin.flush()
        return self._canary.stdout.readline()

    def _take_terminal(self) -> None:
        """Get a terminal, as a referee started by hand has one."""
        self._keyboard, screen = os.openpty()
        fcntl.ioctl(screen, termios.TIOCSCTTY, 0)
        self._terminal = os.ttyname(screen)

    def facts(self, *, other_folder: Path, other_socket: Path) -> Facts:
        """Return everything that an attacker could wish to know."""
        machine = syscalls.supported_machine()
        assert machine
        refused = {**syscalls.DENIED, **syscalls.MISSING}
        numbers = {
            name: number
            for name, call in {**refused, **_MORE_CALLS}.items()
            if (number := call.number_on(machine)) is not None
        }
        home = self.folder / "home"
        return Facts(
            secret=self._secret,
            referee=os.getpid(),
            canary=self._canary.pid,
            canary_address=self._address,
            home_file=str(home / "secret.txt"),
            league_file=str(self._league),
            other_folder=str(other_folder),
            other_socket=str(other_socket),
            unix_socket=self._unix,
            abstract_socket=self._abstract,
            tcp_port=self._tcp.getsockname()[1],
            udp_port=self._udp.getsockname()[1],
            environment=str(self._environment.root),
            referee_code=str(Path(arena.referee.__file__ or "").with_name("referee.py")),
            program_file=str(home / ".local" / "share" / "secret.txt"),
            packages=_package_folders(self._environment.prefix),
            terminal=self._terminal,
            calls=numbers,
            refused=[name for name in refused if name in numbers],
            hello=FromBot(hello=Hello(protocol=PROTOCOL)).SerializeToString().hex(),
        )

    def changes(self) -> dict[str, bool]:
        """Return which targets have changed since the last call."""
        report = self._canary_report()
        canary, self._before = report != self._before, report
        league = self._league.read_text() != self._secret
        self._league.write_text(self._secret)
        datagram = self._has_received_datagram()
        return {"canary": canary, "league": league, "datagram": datagram}

    def _has_received_datagram(self) -> bool:
        with contextlib.suppress(BlockingIOError):
            return bool(self._udp.recv(16))
        return False


def _package_folders(prefix: Path) -> list[str]:
    """List the folders with the packages of this machine's Pythons."""
    bases = (prefix, prefix / "local", Path("/usr"), Path("/usr/local"))
    folders = (folder for base in bases for folder in base.glob("lib*/python*/*-packages"))
    return sorted({str(folder) for folder in folders})

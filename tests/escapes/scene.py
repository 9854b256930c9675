"""What is there to be attacked, and has it been?

Everything here is made for the attacks, belongs to whoever runs this and can be reached by
everybody, so that nothing but the cage protects it.
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
from arena.sandbox import syscalls
from arena.sandbox.environments import Environment
from arena.wire.messages import PROTOCOL
from arena.wire.v1.match_pb2 import FromBot, Hello
from tests.escapes.bots import PROGRAM
from tests.escapes.probes.kit import Facts
from tests.escapes.shared_file import SharedFile

_CANARY = Path(__file__).with_name("canary.py")
_MORE_CALLS = {
    "clone": syscalls.CLONE,
    "tgkill": syscalls.TGKILL,
    "rt_sigqueueinfo": syscalls.SIGQUEUE,
    "close_range": syscalls.CLOSE_RANGE,
    "futex": syscalls.Call(202, 98),
    "mincore": syscalls.Call(27, 232),
    "openat2": syscalls.Call(437, 437),
    "sysinfo": syscalls.Call(99, 179),
    "getpid": syscalls.Call(39, 172),
    "exit": syscalls.Call(60, 93),
    "prctl": syscalls.Call(157, 167),
}


class Scene:
    """A context manager: what is there while it is open."""

    def __init__(self, folder: Path, secret: str, environment: Environment) -> None:
        """Say where all of it is made, which word nobody may read, and which Python bots get."""
        self.folder = folder
        self._secret = secret
        self._open = contextlib.ExitStack()
        self._league = folder / "arena.db"
        self.neighbour = folder / "neighbour"
        """The folder of another bot."""
        self._environment = environment
        self.shared = SharedFile(environment)

    def __enter__(self) -> Self:
        """Set everything up."""
        self._write_files()
        self._listen()
        self._set_canary()
        self._take_terminal()
        # A descriptor that would be inherited, as a careless referee may have one.
        self._leak = os.open(self._league, os.O_RDONLY)
        os.set_inheritable(self._leak, True)
        self._before = self._canary_says()
        return self

    def __exit__(self, *_: object) -> None:
        """Take everything down."""
        self._open.close()

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
        self._tcp = self._listening(socket.AF_INET, ("127.0.0.1", 0))
        self._tcp6 = self._listening(socket.AF_INET6, ("::1", 0))
        self._unix = str(self.folder / "some.sock")
        self._listening(socket.AF_UNIX, self._unix)
        os.chmod(self._unix, 0o777)
        self._abstract = f"some-{self._secret}"
        self._listening(socket.AF_UNIX, f"\0{self._abstract}")
        self._udp = self._opened(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", 0))
        self._udp.setblocking(False)

    def _opened(self, family: int, kind: int) -> socket.socket:
        return self._open.enter_context(socket.socket(family, kind))

    def _listening(self, family: int, address: str | tuple[str, int]) -> socket.socket:
        listener = self._opened(family, socket.SOCK_STREAM)
        listener.bind(address)
        # What dials is never answered: that it got through is enough.
        listener.listen(64)
        return listener

    def _set_canary(self) -> None:
        self._canary = subprocess.Popen(
            [sys.executable, "-I", "-S", _CANARY, self._secret, self._league],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._open.callback(self._end_canary)
        assert self._canary.stdout is not None
        self._address, self._descriptor = map(int, self._canary.stdout.readline().split())

    def _end_canary(self) -> None:
        self._canary.kill()
        self._canary.communicate()

    def _canary_says(self) -> str:
        assert self._canary.stdin is not None
        assert self._canary.stdout is not None
        self._canary.stdin.write("?\n")
        self._canary.stdin.flush()
        return self._canary.stdout.readline()

    def _take_terminal(self) -> None:
        """Get a terminal, as a referee that somebody started by hand has one."""
        self._keyboard, screen = os.openpty()
        fcntl.ioctl(screen, termios.TIOCSCTTY, 0)
        self._terminal = os.ttyname(screen)

    def facts(self, *, other_folder: Path, other_socket: Path) -> Facts:
        """Write down all that an attacker could wish to know."""
        machine = syscalls.this_machine()
        assert machine
        refused = {**syscalls.DENIED, **syscalls.MISSING}
        numbers = {
            name: number
            for name, call in {**refused, **_MORE_CALLS}.items()
            if (number := call.here(machine)) is not None
        }
        home = self.folder / "home"
        return Facts(
            secret=self._secret,
            referee=os.getpid(),
            canary=self._canary.pid,
            canary_address=self._address,
            canary_descriptor=self._descriptor,
            home_file=str(home / "secret.txt"),
            league_file=str(self._league),
            other_folder=str(other_folder),
            other_socket=str(other_socket),
            unix_socket=self._unix,
            abstract_socket=self._abstract,
            tcp_port=self._tcp.getsockname()[1],
            tcp6_port=self._tcp6.getsockname()[1],
            udp_port=self._udp.getsockname()[1],
            environment=str(self._environment.root),
            referees_code=str(Path(arena.referee.__file__ or "").with_name("floor.py")),
            program_file=str(home / ".local" / "share" / "secret.txt"),
            packages=[str(folder) for folder in self._environment.hidden],
            terminal=self._terminal,
            calls=numbers,
            refused=[name for name in refused if name in numbers],
            hello=FromBot(hello=Hello(protocol=PROTOCOL)).SerializeToString().hex(),
        )

    def changes(self) -> dict[str, bool]:
        """Tell what has happened to the scene since this was last asked."""
        says = self._canary_says()
        canary, self._before = says != self._before, says
        league = self._league.read_text() != self._secret
        self._league.write_text(self._secret)
        datagram = self._has_got_a_datagram()
        return {"canary": canary, "league": league, "datagram": datagram}

    def _has_got_a_datagram(self) -> bool:
        with contextlib.suppress(BlockingIOError):
            return bool(self._udp.recv(16))
        return False

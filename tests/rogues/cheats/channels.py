"""Places where a bot may leave bits for another process: in whatever files both can name.

A message is written as spots: for each bit, the spot for 0 or the spot for 1 is touched. The first
bits are known, so that a reader sees soon whether there is a message. Reading may destroy it, so
there are several copies of each.

`Neighbours` is not a place: only processes that run at the same time hear each other. It works
without a cage only, where it is faster than anything that two processes in cages have: time, memory
and processors that they share, or what the kernel counts.
"""

from __future__ import annotations

import json
import mmap
import os
import resource
import socket
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from select import select
from threading import Lock, Thread
from zlib import crc32

BITS = 160
"""How long a message can be."""
CHECK_BITS = 32
HEAD = "0110100110010110"
_WRONG = 3
"""How many bits of the head may be wrong."""
COPIES = 6
PAGE = 4096
_MAX_FOLDERS, _MAX_FILES = 300, 3000


class Channel(ABC):
    """A place with spots that can be touched, and that may tell whether they were."""

    copies = COPIES

    @abstractmethod
    def touch(self, spot: str) -> None:
        """Touch a spot."""

    @abstractmethod
    def measure(self, spot: str) -> float:
        """Return a figure that is smaller if a spot was touched before."""

    def send(self, name: str, number: int) -> None:
        """Leave all copies of a message."""
        for copy in range(self.copies):
            for spot in _spots(f"{name} {copy}", number):
                with suppress(OSError):
                    self.touch(spot)

    def receive(self, name: str, copy: int) -> int | None:
        """Read one copy of a message; return None if there is none, or a wrong one."""
        bits = ""
        try:
            for at in range(len(HEAD) + BITS + CHECK_BITS):
                spots = [f"{name} {copy} {at} {bit}" for bit in (0, 1)]
                # In any order, as the first may take longer.
                figures = [self.measure(spot) for spot in spots[:: 1 - 2 * (at % 2)]]
                bits += str((figures[1] < figures[0]) ^ (at % 2))
                if len(bits) == len(HEAD) and sum(map(str.__ne__, bits, HEAD)) > _WRONG:
                    return None
        except OSError:
            return None
        message, check = divmod(int(bits[len(HEAD) :], 2), 1 << CHECK_BITS)
        return message if check == _check_of(name, message) else None


def _spots(name: str, number: int) -> list[str]:
    whole = number << CHECK_BITS | _check_of(name.rpartition(" ")[0], number)
    bits = f"{HEAD}{whole:0{BITS + CHECK_BITS}b}"
    return [f"{name} {at} {bit}" for at, bit in enumerate(bits)]


def _check_of(name: str, number: int) -> int:
    return crc32(f"{name} {number}".encode())


def _digest(spot: str) -> int:
    return int.from_bytes(blake2b(spot.encode(), digest_size=8).digest())


@cache
def _tree() -> tuple[list[str], list[str]]:
    """List folders and files that all bots can name, the same for each of them."""
    folders: list[str] = []
    files: list[str] = []
    for top in (os.path.dirname(os.__file__), "/usr/lib"):
        for path, inner, names in os.walk(top):
            inner.sort()
            folders.append(path)
            files += (f"{path}/{name}" for name in sorted(names))
            if len(folders) > _MAX_FOLDERS or len(files) > _MAX_FILES:
                break
    return sorted({*folders[:_MAX_FOLDERS], "/usr"}), files[:_MAX_FILES]


@cache
def _pages() -> list[tuple[str, int]]:
    """List pages of files that hardly any program reads."""
    found = []
    for file in _tree()[1]:
        with suppress(OSError):
            found += [(file, at) for at in range(8 * PAGE, os.path.getsize(file), 8 * PAGE)]
    return found


def _duration_ns(work: Callable[[], object]) -> float:
    began = time.perf_counter_ns()
    work()
    return time.perf_counter_ns() - began


class MissingNames(Channel):
    """Looks up names that do not exist, in every folder."""

    def touch(self, spot: str) -> None:
        """Look it up."""
        os.access(self._path(spot), os.F_OK)

    def measure(self, spot: str) -> float:
        """Time a lookup."""
        path = self._path(spot)
        return _duration_ns(lambda: os.access(path, os.F_OK))

    def _path(self, spot: str) -> str:
        number = _digest(spot)
        folders = _tree()[0]
        return f"{folders[number % len(folders)]}/{number:x}"


class ExistingNames(MissingNames):
    """Looks up files that exist."""

    def _path(self, spot: str) -> str:
        files = _tree()[1]
        return files[_digest(spot) % len(files)]


class PagesByTime(Channel):
    """Reads pages of files."""

    def touch(self, spot: str) -> None:
        """Read a byte."""
        self._read(spot)

    def measure(self, spot: str) -> float:
        """Time the reading of a byte."""
        return self._read(spot)

    def _read(self, spot: str) -> float:
        pages = _pages()
        path, at = pages[_digest(spot) % len(pages)]
        file = os.open(path, os.O_RDONLY)
        try:
            return _duration_ns(lambda: os.pread(file, 1, at))
        finally:
            os.close(file)


class PagesByFaults(PagesByTime):
    """Reads pages of files, and counts the ones that the kernel fetches."""

    def measure(self, spot: str) -> float:
        """Map a page, and count what is fetched."""
        pages = _pages()
        path, at = pages[_digest(spot) % len(pages)]
        with open(path, "rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        mapped.madvise(mmap.MADV_RANDOM)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_majflt
        mapped[at]
        return resource.getrusage(resource.RUSAGE_SELF).ru_majflt - before


class Leftovers(Channel):
    """Leaves files, times and modes; locks end with a process."""

    copies = 1
    _LONG_AGO = 10**9

    def __init__(self) -> None:
        """List the files of this bot."""
        folder = Path("bot.toml").absolute().parent
        # In a test, this is not a bot's folder.
        self._own = sorted(folder.rglob("*.py")) if Path("bot.toml").exists() else []

    def send(self, name: str, number: int) -> None:
        """Leave a file as well."""
        with suppress(OSError):
            self._file(name).write_text(str(number))
        super().send(name, number)

    def receive(self, name: str, copy: int) -> int | None:
        """Look for a file first."""
        try:
            return int(self._file(name).read_text())
        except (OSError, ValueError):
            return super().receive(name, copy)

    def _file(self, name: str) -> Path:
        return Path(tempfile.gettempdir(), f"cheat-{_digest(name):x}")

    def touch(self, spot: str) -> None:
        """Leave everything else that can be left."""
        for path in self._own[_digest(spot) % COPIES :: COPIES]:
            with suppress(OSError):
                os.utime(path, (self._LONG_AGO, self._LONG_AGO))
            with suppress(OSError):
                path.chmod(0o640)

    def measure(self, spot: str) -> float:
        """Look for all of it."""
        for path in self._own[_digest(spot) % COPIES :: COPIES]:
            found = path.stat()
            if found.st_mtime == self._LONG_AGO or found.st_mode & 0o777 == 0o640:
                return 0.0
        return 1.0


class Neighbours(Channel):
    """Tells all that it knows, also what others have told, to each process that asks."""

    copies = 100
    """It asks at every decision."""

    def __init__(self) -> None:
        """Take a name, ask the others, and answer them from now on."""
        self._known: dict[str, int] = {}
        self._lock = Lock()
        # The other bots of a worker have the same parent.
        self._names = [f"\0cheat-{os.getppid()}-{number}" for number in range(16)]
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.settimeout(0.1)
        for name in self._names:
            with suppress(OSError):
                self._socket.bind(name)
                break
        self._broadcast({})
        Thread(target=self._serve, daemon=True).start()

    def send(self, name: str, number: int) -> None:
        """Tell it to everyone who is running."""
        self._known[name] = number
        self._broadcast({name: number})

    def receive(self, name: str, copy: int) -> int | None:
        """Return what was heard."""
        self._hear()
        return self._known.get(name)

    def touch(self, spot: str) -> None:
        """Do nothing: there are no spots."""

    def measure(self, spot: str) -> float:
        """Return always the same."""
        return 0.0

    def _broadcast(self, known: dict[str, int]) -> None:
        for name in self._names:
            with suppress(OSError):
                self._socket.sendto(json.dumps(known).encode(), name)

    def _serve(self) -> None:
        while select([self._socket], [], []):
            self._hear()

    def _hear(self) -> None:
        with self._lock, suppress(OSError):
            while select([self._socket], [], [], 0)[0]:
                data, asker = self._socket.recvfrom(1 << 16)
                told = json.loads(data)
                self._known |= told
                for name, number in [] if told else list(self._known.items()):
                    self._socket.sendto(json.dumps({name: number}).encode(), asker)


CHANNELS: dict[str, type[Channel]] = {
    "names": MissingNames,
    "existing": ExistingNames,
    "pages": PagesByTime,
    "faults": PagesByFaults,
    "leftovers": Leftovers,
    "neighbours": Neighbours,
}
"""By the switch that selects it."""

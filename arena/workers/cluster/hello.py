"""What a worker says about itself before it plays, and whether it may play.

All workers of an event must have everything in common that can change a result: the program, the
rules of the games, Python, the cage and, within a band, the speed of the machine.
"""

from __future__ import annotations

import hashlib
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

import arena
from arena.errors import ArenaError
from arena.games.randomness import seed_from
from arena.games.registry import game_named
from arena.sandbox.packages.games import game_files
from arena.sandbox.select import select_cage
from arena.workers.capacity import processes_that_fit
from leaderboard.result import Machine

DEFAULT_SPEED_BAND = 10.0
"""How many percent a machine may be faster or slower than the usual one."""
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_STATE, _START = 0, 19
"""Fields of /proc/PID/stat, counted from the one after the name."""
_MATCHES = 50
"""In one piece of work; 20 to 40 ms, which is long enough to measure."""
_PIECES = 7
_LIMIT_S = 0.8
"""No piece is begun after this time."""


class Hello(NamedTuple):
    """What a worker says about itself."""

    worker: str
    """Its name."""
    machine: str
    """The name of its machine, which all of its workers share."""
    boot: str
    """Differs for two machines, whatever they are called."""
    arena: str
    rules: str
    """A digest of the rules of all games."""
    python: str
    cage: str
    """The mark of the cage that it would use; empty if there is none."""
    problem: str
    """Why there is no cage."""
    cores: int
    processes: int
    """How many processes of bots have room on its machine."""
    speed: float
    process: str
    """Its process, by `process_id`."""
    processors: tuple[int, ...]
    """Those that it may use."""


def make_hello(*, worker: str, machine: str, cage: str, speed: float) -> Hello:
    """Describe this process; `cage` is the name of the cage to be used."""
    mark = problem = ""
    try:
        mark = select_cage(cage).mark
    except ArenaError as error:
        problem = str(error)
    return Hello(
        worker,
        machine,
        _boot_id(),
        arena.__version__,
        rules_digest(),
        python_version(),
        mark,
        problem,
        len(os.sched_getaffinity(0)),
        processes_that_fit(),
        speed,
        process_id(),
        tuple(sorted(os.sched_getaffinity(0))),
    )


def process_id() -> str:
    """Identify this process by its pid and its start, because pids are used again."""
    return f"{os.getpid()} {_stat_of('self')[_START]}"


def is_running(process: str) -> bool:
    """Return whether a process of this machine, by its `process_id`, has not ended."""
    pid, start = process.split()
    try:
        found = _stat_of(pid)
    except OSError:
        return False
    return found[_START] == start and found[_STATE] not in "ZX"


def _stat_of(pid: str) -> list[str]:
    """Return what /proc/PID/stat says after the name of the program (proc(5))."""
    return Path("/proc", pid, "stat").read_text(encoding="latin-1").rpartition(")")[2].split()


def _boot_id() -> str:
    try:
        return f"{platform.node()} {_BOOT.read_text(encoding='ascii').strip()}"
    except OSError:
        return platform.node()


def python_version() -> str:
    """Return the version of Python without the last number, which changes no behaviour."""
    return ".".join(platform.python_version_tuple()[:2])


@cache
def rules_digest() -> str:
    """Return a digest of the code of all games, those of other packages included."""
    folder = Path(arena.__file__).parent / "games"
    files = {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*.py"))}
    digest = hashlib.sha256()
    for path, content in (files | game_files()).items():
        digest.update(str(path).encode() + b"\0")
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()[:16]


class Admission:
    """Decides which workers may play in one event."""

    def __init__(self, *, cage_mark: str, speed_band: float = DEFAULT_SPEED_BAND) -> None:
        """Take the mark of the organiser's cage; the band is in percent."""
        self._cage_mark = cage_mark
        self._band = speed_band / 100
        self._speed: float | None = None
        """The usual speed: the median of the machines that were there first."""
        self._boots: dict[str, str] = {}
        """By name of a machine."""
        self._machines: dict[str, Machine] = {}

    def machine(self, name: str) -> Machine:
        """Return a machine whose workers were admitted."""
        return self._machines[name]

    def admit(self, hellos: Sequence[Hello]) -> dict[str, str]:
        """Admit workers; return, by name of a worker, a sentence for each that may not play."""
        refused = {}
        alike = []
        for hello in hellos:
            difference = self._difference(hello)
            if difference:
                refused[hello.worker] = f"{hello.worker} may not play: {difference}"
            else:
                alike.append(hello)
        speeds = _speeds(alike)
        if self._speed is None and speeds:
            self._speed = median(speeds.values())
        for hello in alike:
            if hello.machine not in self._machines:
                sentence = self._too_odd(hello.machine, speeds[hello.machine])
                if sentence:
                    refused[hello.worker] = f"{hello.worker} may not play: {sentence}"
        for name, speed in speeds.items():
            if name not in self._machines and not self._too_odd(name, speed):
                self._machines[name] = Machine(name, round(speed, 2))
        return refused

    def _difference(self, hello: Hello) -> str:
        """Say what differs from the organiser's own program; empty if nothing does."""
        own = {
            "arena": (hello.arena, arena.__version__),
            "the rules of the games": (hello.rules, rules_digest()),
            "Python": (hello.python, python_version()),
        }
        for what, (theirs, ours) in own.items():
            if theirs != ours:
                return f"{what} is {theirs} there and {ours} here; install the same on both"
        if hello.problem:
            return f"its bots would have no cage: {hello.problem}"
        if hello.cage != self._cage_mark:
            return f"its cage is {hello.cage}, and the event's is {self._cage_mark}"
        if self._boots.setdefault(hello.machine, hello.boot) != hello.boot:
            return (
                f"another machine is called {hello.machine!r} too; give each its own name "
                "with --name"
            )
        return ""

    def _too_odd(self, machine: str, speed: float) -> str:
        """Say that a machine is too fast or too slow; empty if it is not."""
        assert self._speed
        difference = speed / self._speed - 1
        if abs(difference) <= self._band:
            return ""
        return (
            f"{machine} is {abs(difference):.0%} {'faster' if difference > 0 else 'slower'} than "
            f"the others, and {self._band:.0%} is allowed; bots would have more or less time to "
            "think there. Change the band with --speed-band, or use similar machines"
        )


def _speeds(hellos: Sequence[Hello]) -> Mapping[str, float]:
    """Return the speed of each machine: the median of its workers."""
    by_machine: dict[str, list[float]] = {}
    for hello in hellos:
        by_machine.setdefault(hello.machine, []).append(hello.speed)
    return {name: median(speeds) for name, speeds in by_machine.items()}


def measure_speed(cpu_s: Callable[[], float] = time.process_time) -> float:
    """Return how many pieces of work a core does in a second of CPU time.

    Clocks of events count CPU time, which is worth more on a faster machine. It is the median of
    several pieces of what bots do most. `cpu_s` returns the CPU time that has been used.
    """
    _work()  # Imports and caches are not part of the measurement.
    began = cpu_s()
    times: list[float] = []
    while len(times) < _PIECES and (not times or cpu_s() - began < _LIMIT_S):
        before = cpu_s()
        _work()
        times.append(cpu_s() - before)
    return 1 / max(median(times), 1e-9)


def _work() -> None:
    """Play matches at random: always the same ones."""
    game = game_named("meow")
    for match in range(_MATCHES):
        rng = Random(match)
        state = game.start(4, seed_from(match), game.default_parameters)
        while not state.is_over:
            state.apply(rng.choice(state.legal_actions()))

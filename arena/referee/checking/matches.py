"""Which matches does a check play, and what does it see of the bot meanwhile?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path

from arena.games.conformance import Setting, settings_of
from arena.games.randomness import Seed, derive
from arena.games.registry import AnyGame, game_named
from arena.records import Decision, Entrant, Fault, How, Record, SeatEnding
from arena.referee.clock import Clock, read_clock
from arena.referee.desk import Breakage, Desk, Fixture, Player
from arena.referee.floor import Floor
from arena.referee.players.local import LocalPlayer, at_random
from arena.referee.players.remote import RemotePlayer
from arena.sandbox.process import BotProcess, Launch, Process
from arena.secret import match_salt

BOT = 0
"""The bot's place among the players of the floor; the others play at random."""
_INTRODUCTIONS = {
    SeatEnding.ILLEGAL_ACTION: "it chose an illegal action: ",
    SeatEnding.OVERRUN: "it was too slow: ",
    SeatEnding.NONSENSE: "it broke the protocol: ",
}


def settings_to_try(game: AnyGame) -> list[Setting]:
    """List the default variant at every player count, and the others at their smallest."""
    settings = list(settings_of(game))
    default = settings[0].variant
    smallest = {setting.variant: setting for setting in reversed(settings)}
    return [s for s in settings if s.variant == default or s is smallest[s.variant]]


def fixture(setting: Setting, number: int, secret: Seed) -> Fixture:
    """Make a match with the bot in one seat or another, as the number has it."""
    seating = list(range(1, setting.seats))
    seating.insert(number % setting.seats, BOT)
    seed = derive(secret, f"check {setting} {number}")
    salt = match_salt(secret, number)
    return Fixture(number, setting.game, setting.parameters, seed, tuple(seating), salt)


@dataclass(slots=True, eq=False)
class Trial:
    """A way to play matches with the bot, in a fresh process each time."""

    launch: Launch
    clock: Clock
    start_limit_s: float
    memory_bytes: int = 0
    """The most memory that any of its processes has used."""

    async def played(
        self,
        fixtures: Sequence[Fixture],
        *,
        tables: int,
        tell: Callable[[Sitting], None] | None = None,
        limit_s: float | None = None,
    ) -> list[Sitting]:
        """Play matches, and tell each as it ends; the first that fails is the last.

        After the limit those that are still in play are broken off.
        """
        bot = _Observed(self.launch, self.start_limit_s)
        most = max(len(fixture.seating) for fixture in fixtures)
        others = [LocalPlayer(Entrant(f"random-{n}"), at_random) for n in range(1, most)]
        floor = Floor([bot, *others], self.clock)
        sittings: list[Sitting] = []
        # Closed, so that the bot's process is gone when this returns, however it does.
        play = aclosing(floor.play(fixtures, tables=tables))
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s), play as matches:
                async for played, record in matches:
                    # While it lives: the system forgets what an ended process has used.
                    self.memory_bytes = max(self.memory_bytes, bot.memory_bytes())
                    failure = _first_failure(record, bot.breakages)
                    sittings.append(Sitting(played, record, failure))
                    if tell:
                        tell(sittings[-1])
                    if failure:
                        break
        return sittings


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong, for the author."""

    sentence: str
    printed: bytes


@dataclass(frozen=True, slots=True)
class Sitting:
    """A match that the bot has played."""

    fixture: Fixture
    record: Record
    failure: Failure | None

    @property
    def seat(self) -> int:
        """The bot's."""
        return self.fixture.seating.index(BOT)

    @property
    def choices(self) -> list[Decision]:
        """What the bot was asked and decided."""
        seat = self.seat
        decisions = self.record.decisions
        return [d for d in decisions if d.seat == seat and d.how is How.CHOSEN]

    @property
    def thinking_s(self) -> float:
        """How long the bot has thought."""
        return sum(choice.time_us for choice in self.choices) / 1e6

    @property
    def clock_share(self) -> float:
        """How much of the time that its clock gave it the bot has used."""
        clock = read_clock(self.record.clock)
        return self.thinking_s / (clock.bank_s + clock.increment_s * len(self.choices))


def difference(first: Sitting, second: Sitting) -> str:
    """Say where two playings of a match part; empty if nowhere."""
    game = game_named(first.record.game_id)
    for number, (one, other) in enumerate(zip(first.choices, second.choices, strict=False), 1):
        if one.action != other.action:
            texts = f"{game.action_text(one.action)}, then {game.action_text(other.action)}"
            return f"decision {number} differs ({texts})"
    return "" if first.record.places == second.record.places else "the result differs"


def _first_failure(record: Record, breakages: Sequence[Breakage]) -> Failure | None:
    # A bot that breaks at many tables is given its matches again one by one, and no record shows
    # it; for its author it is a failure all the same.
    found: list[Fault | Breakage] = [*record.faults]
    found += [breakage for breakage in breakages if not breakage.platform]
    if not found:
        return None
    first = found[0]
    return Failure(_INTRODUCTIONS.get(first.ending, "") + first.sentence, first.stderr)


class _Observed(Player):
    """The bot, with what can be seen of its process from outside."""

    def __init__(self, launch: Launch, start_limit_s: float) -> None:
        self.entrant = Entrant("bot")
        self.breakages: list[Breakage] = []
        self._launch = launch
        self._process: Process | None = None
        self._player = RemotePlayer(self.entrant, self._start, start_limit_s=start_limit_s)

    def _start(self, socket: Path, on_exit: Callable[[], None]) -> Process:
        self._process = self._launch(socket, on_exit)
        return self._process

    async def play(self, desk: Desk) -> Breakage:
        """Let it play, and remember how it broke."""
        breakage = await self._player.play(desk)
        self.breakages.append(breakage)
        return breakage

    def memory_bytes(self) -> int:
        """Return the peak of what its processes have used; 0 if there are none to look at."""
        process = self._process
        if not isinstance(process, BotProcess) or not process.is_running:
            return 0
        pid = process.bot_pid()
        return _peak_bytes(pid) if pid is not None else 0


def _peak_bytes(pid: int) -> int:
    """Add up the peaks of a process and of those that it has started."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0  # It has just ended.
    kilobytes = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")]
    return sum(map(int, kilobytes)) * 1024 + sum(_peak_bytes(int(child)) for child in children)

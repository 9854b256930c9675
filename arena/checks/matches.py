"""The matches of a check, with the failures, decisions, times and memory of the bot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path

from arena.games.conformance import Setting, settings_of
from arena.games.randomness import Seed, derive
from arena.games.registry import AnyGame, game_named
from arena.indices import PlayerIndex, Seat
from arena.records import Decision, Entrant, Fault, How, Record, SeatEnding
from arena.referee.clock import Clock, read_clock
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage, Fixture
from arena.referee.players.local import LocalPlayer, random_chooser
from arena.referee.players.player import Player
from arena.referee.players.remote import RemotePlayer
from arena.referee.referee import Referee
from arena.sandbox.bot_process import Launch, Process
from arena.secret import match_salt

BOT = PlayerIndex(0)
"""The bot among the referee's players; the others play at random."""
_INTRODUCTIONS = {
    SeatEnding.ILLEGAL_ACTION: "it chose an illegal action: ",
    SeatEnding.OVERRUN: "it was too slow: ",
    SeatEnding.NONSENSE: "it violated the protocol: ",
}


def settings_to_try(game: AnyGame) -> list[Setting]:
    """List the default variant with every number of seats, and the others with the fewest."""
    settings = list(settings_of(game))
    default = settings[0].variant
    smallest = {setting.variant: setting for setting in reversed(settings)}
    return [s for s in settings if s.variant == default or s is smallest[s.variant]]


def make_fixture(setting: Setting, number: int, secret: Seed) -> Fixture:
    """Make a match; its number decides the seat of the bot."""
    seating = list(map(PlayerIndex, range(1, setting.seats)))
    seating.insert(number % setting.seats, BOT)
    seed = derive(secret, f"check {setting} {number}")
    salt = match_salt(secret, number)
    return Fixture(number, setting.game, setting.parameters, seed, tuple(seating), salt)


@dataclass(slots=True, eq=False)
class Trial:
    """Plays matches with the bot, with a fresh process for each call of `play`."""

    launch: Launch
    clock: Clock
    start_limit_s: float
    memory_bytes: int = 0
    """Peak memory of any of its processes."""

    async def play(
        self,
        fixtures: Sequence[Fixture],
        *,
        tables: int,
        on_end: Callable[[CheckedMatch], None] | None = None,
        limit_s: float | None = None,
    ) -> list[CheckedMatch]:
        """Play matches until one fails; call `on_end` with each as it ends.

        Matches that are still in play after `limit_s` are cancelled.
        """
        bot = _ObservedBot(self.launch, self.start_limit_s)
        most = max(len(fixture.seating) for fixture in fixtures)
        others = [LocalPlayer(Entrant(f"random-{n}"), random_chooser) for n in range(1, most)]
        referee = Referee([bot, *others], self.clock)
        checked: list[CheckedMatch] = []
        # Closed, so that the bot's process has ended when this returns or raises.
        closing = aclosing(referee.play(fixtures, tables=tables))
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s), closing as results:
                async for fixture, record in results:
                    # Read while the process runs: the system does not keep it afterwards.
                    self.memory_bytes = max(self.memory_bytes, bot.memory_bytes())
                    failure = _first_failure(record, bot.breakages)
                    checked.append(CheckedMatch(fixture, record, failure))
                    if on_end:
                        on_end(checked[-1])
                    if failure:
                        break
        return checked


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong, in words for the author."""

    ending: SeatEnding
    sentence: str
    printed: bytes


@dataclass(frozen=True, slots=True)
class CheckedMatch:
    """A match that the bot played."""

    fixture: Fixture
    record: Record
    failure: Failure | None

    @property
    def seat(self) -> Seat:
        """The bot's seat."""
        return Seat(self.fixture.seating.index(BOT))

    @property
    def choices(self) -> list[Decision]:
        """The decisions that the bot made."""
        return list(self.numbered_choices.values())

    @property
    def numbered_choices(self) -> dict[int, Decision]:
        """The decisions that the bot made, by their numbers in the record."""
        seat = self.seat
        numbered = enumerate(self.record.decisions)
        return {n: d for n, d in numbered if d.seat == seat and d.how is How.CHOSEN}

    @property
    def thinking_s(self) -> float:
        """Total thinking time of the bot."""
        return sum(choice.time_us for choice in self.choices) / 1e6

    @property
    def clock_share(self) -> float:
        """The share of its clock that the bot used."""
        clock = read_clock(self.record.clock)
        return self.thinking_s / (clock.bank_s + clock.increment_s * len(self.choices))


def difference(first: CheckedMatch, second: CheckedMatch) -> str:
    """Describe the first difference between two runs of a match; empty if there is none."""
    game = game_named(first.record.game_id)
    pairs = zip(first.numbered_choices.items(), second.choices, strict=False)
    for (number, one), other in pairs:
        if one.action != other.action:
            texts = f"{game.action_text(one.action)}, then {game.action_text(other.action)}"
            return f"decision {number} differs ({texts})"
    return "" if first.record.places == second.record.places else "the result differs"


def _first_failure(record: Record, breakages: Sequence[Breakage]) -> Failure | None:
    # If a bot breaks at many tables, its matches are repeated one by one, and perhaps no record
    # shows the breakage. For its author it is still a failure.
    found: list[Fault | Breakage] = [*record.faults]
    found += [breakage for breakage in breakages if not breakage.is_machine_fault]
    if not found:
        return None
    first = found[0]
    sentence = _INTRODUCTIONS.get(first.ending, "") + first.sentence
    return Failure(first.ending, sentence, first.printed)


class _ObservedBot(Player):
    """The bot, with its breakages and the memory of its process."""

    def __init__(self, launch: Launch, start_limit_s: float) -> None:
        self.entrant = Entrant("bot")
        self.breakages: list[Breakage] = []
        self._launch = launch
        self._process: Process | None = None
        self._player = RemotePlayer(
            self.entrant, self._start, start_limit_s=start_limit_s, prints_stack=True
        )

    def _start(self, socket: Path, on_exit: Callable[[], None]) -> Process:
        self._process = self._launch(socket, on_exit)
        return self._process

    async def play(self, mailbox: Mailbox) -> Breakage:
        """Let the bot play, and remember how it broke."""
        breakage = await self._player.play(mailbox)
        self.breakages.append(breakage)
        return breakage

    def memory_bytes(self) -> int:
        """Return the peak memory of its process; 0 if it is unknown."""
        return (self._process.peak_memory() or 0) if self._process else 0

"""The class that authors subclass, and the values that it works with.

Only `choose` is required. One `Bot` object plays all matches of its process, often many at the same
time; `self.match` is the match that a method is called for.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from arena.games.registry import EVERY_GAME, AnyGame
from arena.wire.envelope import NOTE_CHARACTERS

if TYPE_CHECKING:
    from random import Random

# Each game has its own types of views, parameters and events: here they are Any.


class Match:
    """A match in which the bot plays."""

    game: AnyGame
    """The rules of the game."""
    parameters: Any
    """The parameters of the match, in the game's own type."""
    seats: int
    """The number of seats at the table."""
    seat: int
    """The bot's own seat, counted from 0."""
    bank_s: float
    """Thinking time for the whole match, in seconds."""
    increment_s: float
    """Thinking time added after each decision, in seconds."""
    counts_cpu: bool
    """Whether the clock counts CPU time, summed over all threads, instead of elapsed time."""
    commitment: bytes
    """A hash that commits the referee to the deal. The replay of the match proves it."""
    time_left_s: float
    """Time left on the clock when the current request was sent."""
    wall_left_s: float
    """Elapsed time that the bot may still take. It equals `time_left_s` unless `counts_cpu` is set;
    then it is a second, generous clock that catches bots that sleep."""
    memory: SimpleNamespace
    """Free for the bot to store anything about this match, for example `memory.seen = set()`."""
    __slots__ = (*__annotations__, "_note", "_rng")

    def __init__(
        self,
        *,
        game: AnyGame,
        parameters: Any,
        seats: int,
        seat: int,
        bank_s: float,
        increment_s: float,
        counts_cpu: bool,
        commitment: bytes,
        rng: Random | bytes,
        time_left_s: float = 0.0,
        wall_left_s: float = 0.0,
    ) -> None:
        """Describe a match that begins; `rng` is its random generator, or a seed for one."""
        self.game = game
        self.parameters = parameters
        self.seats = seats
        self.seat = seat
        self.bank_s = bank_s
        self.increment_s = increment_s
        self.counts_cpu = counts_cpu
        self.commitment = commitment
        self._rng = rng
        self._note = ""
        self.time_left_s = time_left_s
        self.wall_left_s = wall_left_s
        self.memory = SimpleNamespace()

    def note(self, text: object) -> None:
        """Say why, for whoever looks at the replay: the text is kept with the next decision.

        Only the first 200 characters are kept, and of several notes before one decision only the
        last. No player sees a note during the match.
        """
        # Characters that cannot be sent are replaced.
        self._note = str(text)[:NOTE_CHARACTERS].encode(errors="replace").decode()

    @property
    def rng(self) -> Random:
        """Random generator for the bot's choices.

        It is seeded by the referee, so that a repeated match gives the same numbers.
        """
        rng = self._rng
        if isinstance(rng, bytes):
            # Imported here: it takes time, and many bots choose without it.
            from random import Random

            rng = self._rng = Random(rng)
        return rng


def take_note(match: Match) -> str:
    """Return the note for the next decision of a match, and forget it."""
    note, match._note = match._note, ""
    return note


class Result(NamedTuple):
    """The result of a match."""

    places: tuple[int, ...]
    """The place of each seat, 1 being the best. Empty if the match was void, or if it ended early
    for this bot because of a fault."""
    scores: tuple[int, ...]
    """The score of each seat, or empty like `places`."""
    sentence: str
    """How the match ended for this bot, in words."""


class Bot:
    """Base class of all bots. Subclass it and override `choose`."""

    name: ClassVar[str] = ""
    """Name shown in logs. Default: the name of the class."""
    games: ClassVar[Sequence[str]] = (EVERY_GAME,)
    """Ids of the games that the bot plays. Default: `"*"`, every game."""

    match: Match
    """The match that a method is called for; in `choose_many` use `matches` instead."""
    matches: Sequence[Match]
    """In `choose_many`: the match of each view, in the same order."""

    def choose(self, view: Any) -> Any:
        """Return the action to play: one of `self.legal_actions(view)`, its number or its text."""
        raise NotImplementedError(f"{type(self).__name__} has no choose(self, view)")

    def choose_many(self, views: Sequence[Any]) -> Sequence[Any]:
        """Return one action for each view, in the same order.

        The default calls `choose` for each view. Override it to decide many positions at once, for
        example in one pass through a neural network. The match of `views[i]` is `self.matches[i]`.
        """
        actions = []
        for match, view in zip(self.matches, views, strict=True):
            self.match = match
            actions.append(self.choose(view))
        return actions

    def match_started(self) -> None:
        """Prepare for `self.match`, which has just started. Default: do nothing."""

    def happened(self, events: Sequence[Any]) -> None:
        """Take note of the public events in `self.match` since the last call. Default: do nothing.

        Called before the next decision of the match, and before `match_ended`.
        """

    def match_ended(self, result: Result) -> None:
        """Learn the result of `self.match`, which is over for this bot. Default: do nothing."""

    def note(self, text: object) -> None:
        """Say why, for whoever looks at the replay: kept with the next decision of `self.match`.

        In `choose_many`, use `self.matches[i].note`.
        """
        self.match.note(text)

    def legal_actions(self, view: Any) -> Sequence[int]:
        """List the legal actions in `self.match`; print one to see what it means.

        They are integers with properties. For a type checker, `GAME.legal_actions` of the game's
        package returns the same in the game's own type.
        """
        return self.match.game.legal_actions(view)

    @property
    def rng(self) -> Random:
        """The random generator of `self.match`. Use it instead of `random` to be reproducible."""
        return self.match.rng

    @property
    def time_left_s(self) -> float:
        """Time left on the clock of `self.match` when the current request was sent, in seconds."""
        return self.match.time_left_s

"""What does an author write?

A class with `choose(self, view)`, and what it wishes of the rest. One object plays all the matches
of its process, possibly many at once; `self.match` is the one at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar

from arena.games.registry import GAME_IDS, AnyGame

# A view's type is the game's own, and an author may name it: here it is Any.


@dataclass(slots=True, eq=False)
class Match:
    """One match as the bot knows it."""

    game: AnyGame
    parameters: Any
    seats: int
    seat: int
    bank_s: float
    increment_s: float
    counts_cpu: bool
    """Whether the clock counts the bot's processor time, of all its threads, not time on the wall.
    """
    commitment: bytes
    """The hash by which the referee has bound itself to the deal; a match's replay proves it."""
    rng: Random
    """For the bot's own random choices: the same match again brings the same numbers."""
    time_left_s: float = 0.0
    """What the clock showed when the present decision was sent."""
    wall_left_s: float = 0.0
    """What the wall clock showed then. Only if `counts_cpu` is it another one than the clock: a
    generous one, there to catch bots that sleep."""
    memory: SimpleNamespace = field(default_factory=SimpleNamespace)
    """Whatever the bot wants to remember of this match."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended."""

    places: tuple[int, ...]
    """For each seat; empty if the match was void."""
    scores: tuple[int, ...]
    sentence: str
    """How it ended for this bot's seat."""


class Bot:
    """A program that plays. Subclass it and write `choose`."""

    name: ClassVar[str] = ""
    """For logs; the class's name by default."""
    games: ClassVar[Sequence[str]] = GAME_IDS
    """The ids of the games that it plays."""

    match: Match
    """The match at hand, in every method but `choose_many`."""
    matches: Sequence[Match]
    """In `choose_many`, the match of each view."""

    def choose(self, view: Any) -> int:
        """Return the action to play: one of `self.legal_actions(view)`."""
        raise NotImplementedError(f"{type(self).__name__} has no choose(self, view)")

    def choose_many(self, views: Sequence[Any]) -> Sequence[int]:
        """Return an action for each view; override it to think about all of them together."""
        actions = []
        for match, view in zip(self.matches, views, strict=True):
            self.match = match
            actions.append(self.choose(view))
        return actions

    def match_started(self) -> None:
        """Prepare for `self.match`."""

    def happened(self, events: Sequence[Any]) -> None:
        """Hear what happened in the open in `self.match` since the last time."""

    def match_ended(self, result: Result) -> None:
        """Look back on `self.match`."""

    def legal_actions(self, view: Any) -> list[int]:
        """List what may be played in `self.match`, as indices of the game's action space."""
        return self.match.game.legal_actions(view)

    @property
    def rng(self) -> Random:
        """The random generator of `self.match`."""
        return self.match.rng

    @property
    def time_left_s(self) -> float:
        """What the clock of `self.match` showed when the decision was sent."""
        return self.match.time_left_s

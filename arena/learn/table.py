"""A match in which a program that learns has some seats, and bots in this process the others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from arena.errors import BadInput
from arena.games.outcome import Outcome
from arena.games.randomness import Seed, derive, seed_from
from arena.games.registry import AnyGame, game_named, parameters_from
from arena.learn.opponents import THINKING_S, Opponent
from arena.scheduling.points import points_of
from arena.sdk import Bot, Result
from arena.sdk.seated import SeatedBot

DEFAULT_SEATS = 4


class Setup:
    """What is the same for all matches: the game, its parameters, and the opponents."""

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        variant: str = "",
        opponents: Sequence[str | type[Bot]] | str | type[Bot] = (),
        thinking_s: float = THINKING_S,
    ) -> None:
        """Check everything; `variant` has the words of the command line's `--variant`.

        A single opponent has all seats but one.
        """
        self.game: AnyGame = game_named(game)
        self.parameters = parameters_from(self.game, variant)
        if isinstance(opponents, str | type) or not isinstance(opponents, Sequence):
            opponents = (opponents,) * ((seats or self._usual_seats()) - 1)
        self.seats = seats or (len(opponents) + 1 if opponents else self._usual_seats())
        self.game.check_seats(self.seats, self.parameters)
        if opponents and len(opponents) != self.seats - 1:
            raise BadInput(
                f"{len(opponents)} opponents for {self.seats} seats: name one for every other "
                "seat, or a single one that takes them all"
            )
        self.opponents = [Opponent(each, self.game, thinking_s=thinking_s) for each in opponents]
        self.recording = any(opponent.wants_events for opponent in self.opponents)
        self.encoder = self.game.encoder(self.seats)
        self.sides = self.game.sides(self.seats, self.parameters)

    def _usual_seats(self) -> int:
        allowed: tuple[int, ...] = self.game.seats_for(self.parameters)
        return DEFAULT_SEATS if DEFAULT_SEATS in allowed else allowed[0]

    def rewards(self, outcome: Outcome) -> tuple[float, ...]:
        """Return what each seat gets for its place."""
        return rewards_of(outcome.places, self.sides)

    def start(self, seed: Seed) -> Any:
        """Deal a match; its state has the game's own type, hence Any."""
        return self.game.start(self.seats, seed, self.parameters, recording=self.recording)


@lru_cache(maxsize=1024)
def rewards_of(places: tuple[int, ...], sides: tuple[int, ...]) -> tuple[float, ...]:
    """Return what each seat gets for its place, from 1 for the first to -1 for the last.

    It is linear in the share of opponents beaten, a tie counting half, so the sum is 0. Partners
    get the same.
    """
    return tuple(float(2 * points - 1) for points in points_of(places, sides))


def seed_of(seed: int | Seed) -> Seed:
    """Return the 32 bytes that a number stands for."""
    return seed if isinstance(seed, bytes) else seed_from(seed)


def match_seed(seed: Seed, table: int, deal: int) -> Seed:
    """Return the seed of a deal at one of many tables."""
    return derive(seed, f"table {table} deal {deal}")


class Table:
    """One match after another, with the opponents of a setup, if any, in all seats but one."""

    def __init__(self, setup: Setup, *, ask_forced: bool = True) -> None:
        """Begin no match yet; unless `ask_forced`, a single legal action is played at once."""
        self._setup = setup
        self._ask_forced = ask_forced
        self.seat = 0
        self.state: Any = None
        self.played: list[tuple[int, int]] = []
        """The seats that have acted, with their actions."""
        self._bots: list[SeatedBot | None] = []

    def start(self, seed: Seed, seat: int) -> None:
        """Deal a match with the learner in this seat, the opponents following clockwise."""
        setup = self._setup
        self.seat = seat
        self.state = setup.start(seed)
        self.played = []
        self._bots = [None] * setup.seats
        for number, opponent in enumerate(setup.opponents, start=1):
            at = (seat + number) % setup.seats
            self._bots[at] = opponent.sit(setup.parameters, setup.seats, at, seed)
        self._play_on()

    def apply(self, action: int) -> None:
        """Play the learner's action, and the opponents' until it is the learner's turn again."""
        self.played.append((self.state.to_act, action))
        self.state.apply(action)
        self._play_on()

    def _play_on(self) -> None:
        """Play for everyone but the learner."""
        state, bots = self.state, self._bots
        while (seat := state.to_act) >= 0:
            bot = bots[seat]
            if bot is None and self._ask_forced:
                return
            # As in a league, a seat with one legal action is not asked.
            action = state.only_action()
            if action is None:
                if bot is None:
                    return
                action = bot.choose(self._setup.game.view_of(state, seat), state.events)
            self.played.append((seat, action))
            state.apply(action)
        if self._setup.opponents:
            outcome = state.outcome()
            for bot in bots:
                if bot is not None:
                    bot.end(Result(outcome.places, outcome.scores, ""), state.events)

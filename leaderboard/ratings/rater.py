"""Rate matches by TrueSkill.

The constants are those that its authors recommend, with one exception: a version of a bot never
changes, so its skill does not drift, and tau is 0. Partners are rated as a team, shared places as
ties. A skill is stored as two floats, and nothing else is carried from match to match, so an event
that was interrupted and resumed gives the same numbers, to the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trueskill import BETA, MU, SIGMA, Rating, TrueSkill

from arena.games.registry import game_named
from leaderboard.ratings.trueskill_update import Update


class Skill(NamedTuple):
    """The estimated strength of a bot: mean and standard deviation."""

    mu: float
    sigma: float


START = Skill(MU, SIGMA)
"""The skill of a bot that has not played."""


class Rater:
    """Rates the matches of one game with particular parameters."""

    def __init__(self, game_id: str, parameters: str, *, ties: Mapping[int, float]) -> None:
        """Take the parameters as the game writes them, and the tie rates by number of seats."""
        self._game = game_named(game_id)
        self._parameters = self._game.parameters_form.read(parameters)
        self._ties = ties
        self._tables: dict[int, _Table] = {}

    def sides(self, seats: int) -> tuple[int, ...]:
        """Return the side that each seat plays for."""
        return self._table(seats).sides

    def rate(self, skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
        """Return the skills after a match, seat by seat.

        A result so improbable that TrueSkill's arithmetic fails changes nothing.
        """
        table = self._table(len(skills))
        ranks = [places[team[0]] for team in table.teams]
        try:
            rated = table.rate([[skills[seat] for seat in team] for team in table.teams], ranks)
        except FloatingPointError:
            return list(skills)
        new = list(skills)
        for team, ratings in zip(table.teams, rated, strict=True):
            for seat, rating in zip(team, ratings, strict=True):
                new[seat] = Skill(*rating)
        return new

    def _table(self, seats: int) -> _Table:
        if seats not in self._tables:
            sides = self._game.sides(seats, self._parameters)
            self._tables[seats] = _Table(sides, self._ties[seats])
        return self._tables[seats]


class _Table:
    """The teams and the TrueSkill environment for a number of seats."""

    def __init__(self, sides: tuple[int, ...], ties: float) -> None:
        self.sides = sides
        members: dict[int, list[int]] = {}
        for seat, side in enumerate(sides):
            members.setdefault(side, []).append(seat)
        self.teams = list(members.values())
        # Not the global environment of the package, which other code may change.
        self._environment = TrueSkill(mu=MU, sigma=SIGMA, beta=BETA, tau=0.0, draw_probability=ties)
        self._update = Update(self._environment)

    def rate(
        self, teams: Sequence[Sequence[Skill]], ranks: Sequence[int]
    ) -> list[list[tuple[float, float]]]:
        """Return the new means and deviations, team by team."""
        try:
            return self._update.rate(teams, ranks)
        except (ArithmeticError, ValueError):
            # A result that was almost certain, or impossible: the package decides.
            groups = [tuple(Rating(*skill) for skill in team) for team in teams]
            rated = self._environment.rate(groups, ranks)
            return [[(rating.mu, rating.sigma) for rating in group] for group in rated]

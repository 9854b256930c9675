"""Rate matches by TrueSkill.

The constants are the ones that its authors recommend, with one exception: a version of a bot never
changes, so its skill does not drift, and tau is 0. Partners are rated as a team, shared places as
ties. A skill is stored as two floats, and nothing else is carried from match to match, so an event
that was interrupted and resumed gives the same numbers, to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from trueskill import BETA, MU, SIGMA, Rating, TrueSkill

from leaderboard.ratings.trueskill_update import Update


class Skill(NamedTuple):
    """The estimated strength of a bot: mean and standard deviation."""

    mu: float
    sigma: float


START = Skill(MU, SIGMA)
"""The skill of a bot that has not played."""


class Rater:
    """Rates the matches at one kind of table."""

    def __init__(self, sides: Sequence[int], ties: float) -> None:
        """Take the side of each seat, and the probability of a tie between neighbours."""
        members: dict[int, list[int]] = {}
        for seat, side in enumerate(sides):
            members.setdefault(side, []).append(seat)
        self._teams = list(members.values())
        # Not the global environment of the package, which other code may change.
        self._environment = TrueSkill(mu=MU, sigma=SIGMA, beta=BETA, tau=0.0, draw_probability=ties)
        self._update = Update(self._environment)

    def rate(self, skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
        """Return the skills after a match, seat by seat.

        A result so improbable that TrueSkill's arithmetic fails changes nothing.
        """
        teams = [[skills[seat] for seat in team] for team in self._teams]
        ranks = [places[team[0]] for team in self._teams]
        try:
            rated = self._rate_teams(teams, ranks)
        except FloatingPointError:
            return list(skills)
        new = list(skills)
        for team, ratings in zip(self._teams, rated, strict=True):
            for seat, rating in zip(team, ratings, strict=True):
                new[seat] = Skill(*rating)
        return new

    def _rate_teams(
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

"""TrueSkill's update of the ratings after one match, in plain floats.

The package trueskill creates several objects for every message of its factor graph. Here the same
operations are done in the same order, so that the results are equal to the last bit, in a fraction
of the time. Names follow the package: a normal distribution is written as its precision `pi` and
`tau`, which is the precision times the mean; messages go up and down between layers.

Only what this league needs is here: tau of the environment is 0 and every player counts fully.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt

from trueskill import DELTA, TrueSkill, calc_draw_margin

_MAX_PASSES = 10


class Update:
    """Rates matches like `environment.rate`, if its arithmetic does not fail."""

    def __init__(self, environment: TrueSkill) -> None:
        """Take the constants and the normal distribution of an environment whose tau is 0."""
        self._environment = environment
        self._variance: float = environment.beta**2
        self._cdf: Callable[[float], float] = environment.cdf
        self._pdf: Callable[[float], float] = environment.pdf
        self._margins: dict[int, float] = {}
        """Draw margins by the number of players in two teams."""

    def rate(
        self, teams: Sequence[Sequence[tuple[float, float]]], ranks: Sequence[int]
    ) -> list[list[tuple[float, float]]]:
        """Return the new means and deviations of all players, team by team.

        Raises an ArithmeticError or ValueError where the package fails or treats a special case.
        """
        order = sorted(range(len(teams)), key=ranks.__getitem__)
        sides = [_Team(teams[index], self._variance) for index in order]
        differences = [
            _Difference(left, right, self._margin(left, right)) for left, right in pairwise(sides)
        ]
        steps = [
            self._draw if ranks[one] == ranks[other] else self._win
            for one, other in pairwise(order)
        ]
        _pass_messages(differences, steps)
        rated = {
            index: side.updated(self._variance) for index, side in zip(order, sides, strict=True)
        }
        return [rated[index] for index in range(len(teams))]

    def _margin(self, left: _Team, right: _Team) -> float:
        size = len(left.players) + len(right.players)
        if size not in self._margins:
            environment = self._environment
            margin = calc_draw_margin(environment.draw_probability, size, environment)
            self._margins[size] = margin
        return self._margins[size]

    def _win(self, difference: float, margin: float) -> tuple[float, float]:
        """Return "v" and "w" for a match that the left team won."""
        x = difference - margin
        below = self._cdf(x)
        v = (self._pdf(x) / below) if below else -x
        w = v * (v + x)
        if 0 < w < 1:
            return v, w
        raise FloatingPointError

    def _draw(self, difference: float, margin: float) -> tuple[float, float]:
        """Return "v" and "w" for a draw."""
        distance = abs(difference)
        a, b = margin - distance, -margin - distance
        between = self._cdf(a) - self._cdf(b)
        pdf_a, pdf_b = self._pdf(a), self._pdf(b)
        v = (pdf_b - pdf_a) / between
        w = (v**2) + (a * pdf_a - b * pdf_b) / between
        return (-v if difference < 0 else v), w


_Step = Callable[[float, float], tuple[float, float]]


def _pass_messages(differences: Sequence[_Difference], steps: Sequence[_Step]) -> None:
    """Pass messages between neighbours until they change little."""
    last = len(differences) - 1
    for _ in range(_MAX_PASSES):
        if not last:
            delta = differences[0].truncate(steps[0])
        else:
            delta = 0.0
            for index in range(last):
                delta = max(delta, differences[index].truncate(steps[index]))
                differences[index].update_right()
            for index in range(last, 0, -1):
                delta = max(delta, differences[index].truncate(steps[index]))
                differences[index].update_left()
        if delta <= DELTA:
            break
    differences[0].update_left()
    differences[last].update_right()


class _Player:
    """A player's skill, and its performance in this match."""

    __slots__ = ("pi", "skill_pi", "skill_tau", "tau", "up_pi", "up_tau")

    def __init__(self, mu: float, sigma: float, variance: float) -> None:
        # The package converts to and fro; each conversion rounds.
        pi = sigma**-2
        mu = pi * mu / pi
        pi = sqrt(sqrt(1 / pi) ** 2) ** -2
        self.skill_pi, self.skill_tau = pi, pi * mu
        a = 1.0 / (1.0 + variance * pi)
        self.pi, self.tau = a * pi, a * self.skill_tau
        self.up_pi = self.up_tau = 0.0
        """The message from the team."""


class _Team:
    """The performance of a team: the sum of its players' performances."""

    __slots__ = ("down_pi", "down_tau", "pi", "players", "tau")

    def __init__(self, skills: Sequence[tuple[float, float]], variance: float) -> None:
        self.players = [_Player(mu, sigma, variance) for mu, sigma in skills]
        inverse = mean = 0.0
        for player in self.players:
            mean += player.tau / player.pi
            inverse += 1 / player.pi
        self.pi = self.down_pi = 1.0 / inverse
        self.tau = self.down_tau = self.pi * mean

    def updated(self, variance: float) -> list[tuple[float, float]]:
        """Return the new means and deviations of its players."""
        downs = [(player.pi, player.tau) for player in self.players]
        for player in self.players:
            self._update_performance(player)
        return [
            _new_skill(player, *down, variance)
            for player, down in zip(self.players, downs, strict=True)
        ]

    def _update_performance(self, player: _Player) -> None:
        inverse = mean = 0.0
        for each in self.players:
            if each is player:
                pi, tau = self.pi - self.down_pi, self.tau - self.down_tau
                mean += tau / pi
            else:
                pi, tau = each.pi - each.up_pi, each.tau - each.up_tau
                mean -= tau / pi
            inverse += 1.0 / pi
        pi = 1.0 / inverse
        tau = pi * mean
        player.pi = player.pi - player.up_pi + pi
        player.tau = player.tau - player.up_tau + tau
        player.up_pi, player.up_tau = pi, tau


def _new_skill(
    player: _Player, down_pi: float, down_tau: float, variance: float
) -> tuple[float, float]:
    pi, tau = player.pi - down_pi, player.tau - down_tau
    a = 1.0 / (1.0 + variance * pi)
    pi, tau = player.skill_pi + a * pi, player.skill_tau + a * tau
    mu, sigma = tau / pi, sqrt(1 / pi)
    # The package converts once more, which rounds.
    pi = sigma**-2
    return pi * mu / pi, sqrt(1 / pi)


class _Difference:
    """The difference between the performances of two neighbours in the ranking."""

    __slots__ = (
        *("_down_pi", "_down_tau", "_left", "_left_pi", "_left_tau", "_margin", "_pi", "_right"),
        *("_right_pi", "_right_tau", "_tau", "_up_pi", "_up_tau"),
    )

    def __init__(self, left: _Team, right: _Team, margin: float) -> None:
        self._left, self._right, self._margin = left, right, margin
        self._pi = self._tau = 0.0
        self._down_pi = self._down_tau = 0.0
        """The message from the teams."""
        self._up_pi = self._up_tau = 0.0
        """The message from the result of the match."""
        self._left_pi = self._left_tau = self._right_pi = self._right_tau = 0.0
        """The messages to the teams."""

    def truncate(self, step: _Step) -> float:
        """Compare the teams' performances with the result; return how much this changed."""
        left, right = self._left, self._right
        one = left.pi - self._left_pi
        other = right.pi - self._right_pi
        mean = (left.tau - self._left_tau) / one - (right.tau - self._right_tau) / other
        pi = 1.0 / (1 / one + 1 / other)
        tau = pi * mean
        old_pi = self._pi - self._down_pi + pi
        old_tau = self._tau - self._down_tau + tau
        self._down_pi, self._down_tau = pi, tau

        pi, tau = old_pi - self._up_pi, old_tau - self._up_tau
        root = sqrt(pi)
        v, w = step(tau / root, self._margin * root)
        rest = 1.0 - w
        pi, tau = pi / rest, (tau + root * v) / rest
        self._up_pi = pi + self._up_pi - old_pi
        self._up_tau = tau + self._up_tau - old_tau
        self._pi, self._tau = pi, tau
        return max(abs(old_tau - tau), sqrt(abs(old_pi - pi)))

    def update_right(self) -> None:
        """Send the right team what the left team and the result imply."""
        left, right = self._left, self._right
        one, other = left.pi - self._left_pi, self._pi - self._down_pi
        mean = (left.tau - self._left_tau) / one - (self._tau - self._down_tau) / other
        pi = 1.0 / (1.0 / one + 1.0 / other)
        tau = pi * mean
        right.pi = right.pi - self._right_pi + pi
        right.tau = right.tau - self._right_tau + tau
        self._right_pi, self._right_tau = pi, tau

    def update_left(self) -> None:
        """Send the left team what the right team and the result imply."""
        left, right = self._left, self._right
        one, other = self._pi - self._down_pi, right.pi - self._right_pi
        mean = (self._tau - self._down_tau) / one + (right.tau - self._right_tau) / other
        pi = 1.0 / (1.0 / one + 1.0 / other)
        tau = pi * mean
        left.pi = left.pi - self._left_pi + pi
        left.tau = left.tau - self._left_tau + tau
        self._left_pi, self._left_tau = pi, tau

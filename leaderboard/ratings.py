"""How do ratings move after a match?

By TrueSkill, with the constants that its authors recommend and one exception: a version of a bot
never changes, so its skill does not drift, and tau is 0. Partners are rated as a team, shared
places as ties. A skill is kept as two floats and goes into each match as these and nothing else, so
that a league that was stopped and resumed has the same numbers, to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from trueskill import BETA, MU, SIGMA, Rating, TrueSkill

from arena.games.registry import game_named


class Skill(NamedTuple):
    """What is believed about a bot: its mean strength, and the deviation of that."""

    mu: float
    sigma: float


START = Skill(MU, SIGMA)
"""What is believed of a bot that has not played."""

DRAWS = {
    ("trio", 3, 3): 0.582,
    ("trio", 4, 4): 0.659,
    ("trio", 5, 5): 0.704,
    ("trio", 6, 6): 0.766,
    ("trio", 4, 2): 0.051,
    ("trio", 6, 3): 0.303,
    ("jackal", 2, 2): 0.01,
    ("jackal", 3, 3): 0.01,
    ("jackal", 4, 4): 0.01,
    ("jackal", 5, 5): 0.01,
    ("meow", 2, 2): 0.018,
    ("meow", 3, 3): 0.023,
    ("meow", 4, 4): 0.029,
    ("meow", 5, 5): 0.05,
    ("meow", 6, 6): 0.066,
    ("lifeislife", 3, 3): 0.086,
    ("lifeislife", 4, 4): 0.171,
    ("lifeislife", 5, 5): 0.273,
}
"""How likely neighbours in the final order are to tie, by game, seats and sides.

Equally strong bots are meant, so these are the shares among random ones, as
`scripts/bench draws --matches 2000` measures them: the mean over the game's variants, which hardly
differ. Where it is less than 0.01, 0.01 stands: ties do happen, if only of bots that both faulted,
and a tie that is all but impossible would weigh more than anything else.
"""


class Rater:
    """Rates the matches of one game with certain parameters."""

    def __init__(self, game_id: str, parameters: str) -> None:
        """Take the parameters as the game writes them."""
        self._game = game_named(game_id)
        self._parameters = self._game.parameters_form.read(parameters)
        self._tables: dict[int, _Table] = {}

    def sides(self, seats: int) -> tuple[int, ...]:
        """Tell for each seat which side it plays for."""
        return self._table(seats).sides

    def rate(self, skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
        """Return the skills after a match, seat by seat.

        If the result is so absurd that TrueSkill's arithmetic cannot express it, nobody moves.
        """
        table = self._table(len(skills))
        teams = [tuple(Rating(*skills[seat]) for seat in team) for team in table.teams]
        ranks = [places[team[0]] for team in table.teams]
        try:
            rated = table.environment.rate(teams, ranks)
        except FloatingPointError:
            return list(skills)
        moved = list(skills)
        for team, ratings in zip(table.teams, rated, strict=True):
            for seat, rating in zip(team, ratings, strict=True):
                moved[seat] = Skill(rating.mu, rating.sigma)
        return moved

    def _table(self, seats: int) -> _Table:
        if seats not in self._tables:
            sides = self._game.sides(seats, self._parameters)
            self._tables[seats] = _Table(self._game.id, sides)
        return self._tables[seats]


class _Table:
    """What all matches with as many seats have in common."""

    def __init__(self, game_id: str, sides: tuple[int, ...]) -> None:
        self.sides = sides
        members: dict[int, list[int]] = {}
        for seat, side in enumerate(sides):
            members.setdefault(side, []).append(seat)
        self.teams = list(members.values())
        draws = DRAWS[game_id, len(sides), len(self.teams)]
        # Not the package's global environment, which any other code of the process may set up.
        self.environment = TrueSkill(mu=MU, sigma=SIGMA, beta=BETA, tau=0.0, draw_probability=draws)

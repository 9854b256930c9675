"""Are the ratings TrueSkill's own?"""

from __future__ import annotations

from random import Random

import pytest
import trueskill
from hypothesis import example, given
from hypothesis import strategies as st

from arena.games.core import places_by
from arena.games.registry import all_games, game_named
from leaderboard.ratings import DRAWS, START, Rater, Skill

SKILLS = st.builds(Skill, st.floats(-20, 70), st.floats(0.2, 25 / 3))
ROUNDING = 1e-12
"""What arithmetic with doubles may do to a figure that does not change."""


def rater(game_id: str, variant: str = "standard") -> Rater:
    """Rate matches of a variant."""
    game = game_named(game_id)
    return Rater(game_id, game.parameters_form.show(game.variants[variant]))


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_a_hundred_matches_give_the_numbers_of_the_package(seats: int) -> None:
    environment = trueskill.TrueSkill(tau=0, draw_probability=DRAWS["meow", seats, seats])
    theirs = [environment.create_rating() for _ in range(seats)]
    ours = [START] * seats
    rng = Random(seats)
    for _ in range(100):
        places = places_by([rng.randrange(2 * seat + 4) for seat in range(seats)])
        theirs = [rating for (rating,) in environment.rate([(one,) for one in theirs], places)]
        ours = rater("meow").rate(ours, places)
    for one, other in zip(ours, theirs, strict=True):
        assert one.mu == pytest.approx(other.mu, rel=0, abs=1e-9)
        assert one.sigma == pytest.approx(other.sigma, rel=0, abs=1e-9)


def test_partners_are_rated_as_a_team() -> None:
    environment = trueskill.TrueSkill(tau=0, draw_probability=DRAWS["trio", 4, 2])
    skills = [Skill(20, 8), Skill(25, 7), Skill(30, 6), Skill(35, 5)]
    one, two, three, four = (trueskill.Rating(*skill) for skill in skills)
    (first, third), (second, fourth) = environment.rate([(one, three), (two, four)], [2, 1])
    after = rater("trio", "simple-teams").rate(skills, [2, 1, 2, 1])
    assert [skill.mu for skill in after] == [first.mu, second.mu, third.mu, fourth.mu]


def test_ties_are_ties() -> None:
    one, two = rater("meow").rate([START, START], [1, 1])
    assert one.mu == pytest.approx(two.mu)
    assert one.sigma < START.sigma


def test_somebody_else_may_set_up_the_package_as_they_like() -> None:
    before = rater("meow").rate([START] * 3, [1, 2, 3])
    usual = trueskill.global_env()
    try:
        trueskill.setup(mu=1000, sigma=1, beta=1, tau=1, draw_probability=0.5)
        assert rater("meow").rate([START] * 3, [1, 2, 3]) == before
    finally:
        usual.make_as_global()


@given(
    st.lists(SKILLS, min_size=4, max_size=4), st.lists(st.integers(0, 3), min_size=4, max_size=4)
)
# Nobody learns anything from what was certain before, and then the last digit may go either way.
@example([Skill(0, 1)] * 3 + [Skill(51, 3.5)], [0, 0, 0, 1])
@pytest.mark.parametrize("game_id", ["meow", "jackal"])
def test_no_match_makes_a_rating_less_sure(
    game_id: str, skills: list[Skill], merits: list[int]
) -> None:
    after = rater(game_id).rate(skills, places_by(merits))
    for new, old in zip(after, skills, strict=True):
        assert new.sigma <= old.sigma * (1 + ROUNDING)


def test_a_result_beyond_all_arithmetic_moves_nobody() -> None:
    skills = [Skill(-4000, 0.1), Skill(4000, 0.1)]
    assert rater("meow").rate(skills, [1, 2]) == skills
    assert rater("meow").rate(skills, [1, 1]) == skills


def test_every_table_that_a_game_allows_has_a_measured_draw_probability() -> None:
    tables = {
        (game.id, seats, len(set(game.sides(seats, parameters))))
        for game in all_games()
        for parameters in game.variants.values()
        for seats in game.seats_for(parameters)
    }
    assert tables == DRAWS.keys()

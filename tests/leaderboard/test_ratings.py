"""Ratings agree with those of the package trueskill."""

from __future__ import annotations

import pytest
import trueskill
from hypothesis import example, given
from hypothesis import strategies as st

from arena.games.outcome import places_by
from arena.games.registry import all_games, game_named
from leaderboard.ratings.rater import START, Rater, Skill
from leaderboard.ratings.trueskill_update import Update

TIE_RATES = {
    ("trio", 3, 3): 0.171,
    ("trio", 4, 4): 0.314,
    ("trio", 5, 5): 0.415,
    ("trio", 6, 6): 0.514,
    ("trio", 4, 2): 0.01,
    ("trio", 6, 3): 0.169,
    ("jackal", 2, 2): 0.01,
    ("jackal", 3, 3): 0.01,
    ("jackal", 4, 4): 0.01,
    ("jackal", 5, 5): 0.01,
    ("meow", 2, 2): 0.016,
    ("meow", 3, 3): 0.02,
    ("meow", 4, 4): 0.034,
    ("meow", 5, 5): 0.054,
    ("meow", 6, 6): 0.072,
    ("lifeislife", 3, 3): 0.085,
    ("lifeislife", 4, 4): 0.152,
    ("lifeislife", 5, 5): 0.278,
}
"""By game, seats and sides: `scripts/bench ties`, the mean over the variants, at least 0.01."""
SKILLS = st.builds(Skill, st.floats(-20, 70), st.floats(0.2, 25 / 3))
ROUNDING = 1e-12
"""Relative rounding error allowed for a figure that should not change."""


def rater(game_id: str, seats: int, variant: str = "standard") -> Rater:
    """Return the rater of a variant's tables with this many seats."""
    game = game_named(game_id)
    sides = game.sides(seats, game.variants[variant])
    return Rater(sides, game.tie_rate(seats, game.variants[variant]))


@given(
    st.integers(1, 3).flatmap(
        lambda size: st.lists(
            st.lists(
                st.builds(Skill, st.floats(-300, 300), st.floats(0.1, 10)),
                min_size=size,
                max_size=size,
            ),
            min_size=2,
            max_size=6,
        )
    ),
    st.lists(st.integers(0, 5), min_size=6, max_size=6),
    st.sampled_from(sorted(set(TIE_RATES.values()))),
)
def test_an_update_equals_that_of_the_package_to_the_last_bit(
    teams: list[list[Skill]], ranks: list[int], ties: float
) -> None:
    environment = trueskill.TrueSkill(tau=0, draw_probability=ties)
    ranks = ranks[: len(teams)]
    try:
        ours = Update(environment).rate(teams, ranks)
    except (ArithmeticError, ValueError):
        return  # the package decides
    groups = [tuple(trueskill.Rating(*skill) for skill in team) for team in teams]
    theirs = environment.rate(groups, ranks)
    assert ours == [[(rating.mu, rating.sigma) for rating in group] for group in theirs]


@given(st.permutations(range(6)), st.lists(SKILLS, min_size=6, max_size=6))
def test_the_package_is_not_asked_about_matches_between_equals(
    places: list[int], skills: list[Skill]
) -> None:
    teams = [[Skill(25 + skill.mu / 20, max(1.0, skill.sigma))] for skill in skills]
    Update(trueskill.TrueSkill(tau=0, draw_probability=0.05)).rate(teams, places)


def test_partners_are_rated_as_a_team() -> None:
    environment = trueskill.TrueSkill(tau=0, draw_probability=TIE_RATES["trio", 4, 2])
    skills = [Skill(20, 8), Skill(25, 7), Skill(30, 6), Skill(35, 5)]
    one, two, three, four = (trueskill.Rating(*skill) for skill in skills)
    (first, third), (second, fourth) = environment.rate([(one, three), (two, four)], [2, 1])
    after = rater("trio", 4, "simple-teams").rate(skills, [2, 1, 2, 1])
    assert [skill.mu for skill in after] == [first.mu, second.mu, third.mu, fourth.mu]


def test_the_global_settings_of_the_package_do_not_matter() -> None:
    before = rater("meow", 3).rate([START] * 3, [1, 2, 3])
    usual = trueskill.global_env()
    try:
        trueskill.setup(mu=1000, sigma=1, beta=1, tau=1, draw_probability=0.5)
        assert rater("meow", 3).rate([START] * 3, [1, 2, 3]) == before
    finally:
        usual.make_as_global()


@given(
    st.lists(SKILLS, min_size=4, max_size=4), st.lists(st.integers(0, 3), min_size=4, max_size=4)
)
# An outcome that was certain changes nothing, but rounding may change the last digit.
@example([Skill(0, 1)] * 3 + [Skill(51, 3.5)], [0, 0, 0, 1])
@pytest.mark.parametrize("game_id", ["meow", "jackal"])
def test_no_match_makes_a_rating_less_certain(
    game_id: str, skills: list[Skill], merits: list[int]
) -> None:
    after = rater(game_id, 4).rate(skills, places_by(merits))
    for new, old in zip(after, skills, strict=True):
        assert new.sigma <= old.sigma * (1 + ROUNDING)


def test_a_result_that_overflows_arithmetic_changes_no_rating() -> None:
    skills = [Skill(-4000, 0.1), Skill(4000, 0.1)]
    assert rater("meow", 2).rate(skills, [1, 2]) == skills
    assert rater("meow", 2).rate(skills, [1, 1]) == skills


TABLES = [
    (game.id, variant, seats, len(set(game.sides(seats, parameters))))
    for game in all_games()
    for variant, parameters in game.variants.items()
    for seats in game.seats_for(parameters)
]
"""Every kind of table: the game, the variant, the seats and the sides."""


def test_every_table_that_a_game_allows_has_a_measured_tie_rate() -> None:
    assert {(game_id, *size) for game_id, _, *size in TABLES} == TIE_RATES.keys()


@pytest.mark.parametrize(("game_id", "variant", "seats", "sides"), TABLES)
def test_a_game_has_its_measured_tie_rate_and_is_rated_with_it(
    game_id: str, variant: str, seats: int, sides: int
) -> None:
    game = game_named(game_id)
    measured = TIE_RATES[game_id, seats, sides]
    assert game.tie_rate(seats, game.variants[variant]) == measured
    environment = trueskill.TrueSkill(tau=0, draw_probability=measured)
    team = (environment.create_rating(),) * (seats // sides)
    theirs = environment.rate([team] * sides, [0] * sides)
    ours = rater(game_id, seats, variant).rate([START] * seats, [1] * seats)
    assert ours[0].sigma == pytest.approx(theirs[0][0].sigma, rel=1e-12)

"""Our games in OpenSpiel, judged by OpenSpiel's own tests and solved by its algorithms."""

from __future__ import annotations

import unittest
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import (
    cfr,
    exploitability,
    external_sampling_mccfr,
    ismcts,
    mcts,
)

from arena.errors import BadParameter
from arena.learn.openspiel import resample

# Caps make the matches short: OpenSpiel serialises every state.
SHORT = {
    "trio simple": "arena_trio(players=3,turn_cap=3)",
    "trio spicy": "arena_trio(players=5,variant=spicy,turn_cap=2)",
    "trio simple-teams": "arena_trio(players=4,variant=simple-teams,turn_cap=3)",
    "trio spicy-teams": "arena_trio(players=6,variant=spicy-teams,turn_cap=2)",
    "jackal standard": "arena_jackal(players=2,round_cap=2)",
    "meow standard": "arena_meow(players=2)",
    "meow expert": "arena_meow(players=3,variant=expert)",
    "lifeislife standard": "arena_lifeislife(players=3,round_cap=1,turn_cap=4)",
    "lifeislife expert": "arena_lifeislife(players=4,variant=expert,round_cap=1,turn_cap=3)",
}
SMALL_MEOW = "arena_meow(players=2,ranks=2,hand=2,rounds=1,tokens=5;-3)"
SMALL_LIFEISLIFE = (
    "arena_lifeislife(players=2,kinds=4,copies=2,hand=3,rows=1,lives=1,turn_cap=1,round_cap=1)"
)
SMALL_JACKAL = (
    "arena_jackal(players=2,numbers=2,specials=1,dice=1,faces=2,contest_rolls=1,round_cap=1)"
)
SMALL_TRIO = "arena_trio(players=2,numbers=2,hand=2,trios=1,turn_cap=1)"
every_variant = pytest.mark.parametrize("name", SHORT.values(), ids=SHORT)


@every_variant
def test_openspiel_plays_and_serialises_random_matches(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


def run(case: type[unittest.TestCase]) -> int:
    """Run a test case of OpenSpiel; return how many tests it has."""
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    result = suite.run(unittest.TestResult())
    assert [text for _, text in result.failures + result.errors] == []
    return result.testsRun


@pytest.fixture
def api_test() -> Any:
    """Return OpenSpiel's own tests, which take seconds to import: not in every worker."""
    from open_spiel.integration_tests import api_test

    return api_test


@pytest.mark.parametrize(
    "name",
    [pytest.param(SMALL_TRIO, marks=pytest.mark.slow), SMALL_JACKAL, SMALL_LIFEISLIFE],
    ids=str,
)
def test_the_api_test_of_openspiel_passes_on_a_part_of_the_tree(name: str, api_test: Any) -> None:
    fields = {"game": pyspiel.load_game(name), "game_name": name}
    assert run(type("Partial", (api_test.EnforceAPIOnPartialTreeBase,), fields)) >= 5


def test_the_api_test_of_openspiel_passes_on_the_whole_tree(
    monkeypatch: Any, api_test: Any
) -> None:
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, SMALL_MEOW, (135, 1692, 576))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, SMALL_MEOW, 950)
    fields = {
        "game": pyspiel.load_game(SMALL_MEOW),
        "game_name": SMALL_MEOW,
        # It asks for a tensor of the history whether or not a game provides one.
        "test_current_player_infosets_no_overlap_between_players": None,
    }
    assert run(type("Full", (api_test.EnforceAPIOnFullTreeBase,), fields)) >= 7


def fall(solver: Any, game: Any, iterations: int) -> list[float]:
    """Return the exploitability after the first iteration and after the last."""
    found = []
    for number in range(iterations):
        solver.evaluate_and_update_policy()
        if number in (0, iterations - 1):
            found.append(exploitability.exploitability(game, solver.average_policy()))
    return found


@pytest.mark.parametrize(
    "name",
    ["kuhn_poker", SMALL_LIFEISLIFE, pytest.param(SMALL_MEOW, marks=pytest.mark.slow)],
    ids=str,
)
def test_cfr_plus_solves_small_matches_as_it_solves_kuhn_poker(name: str) -> None:
    game = pyspiel.load_game(name)
    first, last = fall(cfr.CFRPlusSolver(game), game, 3)
    assert 0 < last < first / 3


def test_external_sampling_plays_full_matches() -> None:
    game = pyspiel.load_game("arena_meow(players=2,ranks=3,hand=3,rounds=1,tokens=5;-3;fish)")
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    solver.iteration()
    assert solver.average_policy().action_probabilities(_first_decision(game, 1))


def _first_decision(game: Any, seed: int) -> Any:
    rng = Random(seed)
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, chances)[0])
    return state


@pytest.mark.parametrize("name", [SHORT["meow standard"], SHORT["trio simple-teams"]], ids=str)
def test_information_set_search_decides_with_worlds_of_the_players_view(name: str) -> None:
    state = _first_decision(pyspiel.load_game(name), 2)
    bot = ismcts.ISMCTSBot(
        game=state.get_game(),
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        uct_c=2.0,
        max_simulations=4,
        random_state=np.random.RandomState(1),
    )
    rng = Random(3)
    bot.set_resampler(lambda state, player: resample(state, player, rng))
    assert bot.step(state) in state.legal_actions()


def test_a_resampled_state_is_the_same_for_the_player_but_not_for_others() -> None:
    state = _first_decision(pyspiel.load_game("arena_meow(players=3)"), 3)
    state.apply_action(state.legal_actions()[0])
    player = state.current_player()
    other = resample(state, player, Random(1))
    assert other.information_state_string(player) == state.information_state_string(player)
    assert other.observation_string(player) == state.observation_string(player)
    rival = (player + 1) % 3
    assert other.observation_string(rival) != state.observation_string(rival)
    while not other.is_terminal():
        other.apply_action(other.legal_actions()[0])
    assert sum(other.returns()) == 0


def test_partners_have_the_same_utility_and_all_add_up_to_zero() -> None:
    game = pyspiel.load_game(SHORT["trio simple-teams"])
    rng = Random(4)
    wins = set()
    for _ in range(12):
        state = game.new_initial_state()
        while not state.is_terminal():
            assert state.returns() == [0.0] * 4
            state.apply_action(rng.choice(state.legal_actions()))
        returns = state.returns()
        assert returns[0] == returns[2] == -returns[1] == -returns[3]
        wins.add(returns[0])
    assert wins <= {-1.0, 0.0, 1.0}
    assert len(wins) > 1


def test_observations_are_the_views_of_the_game() -> None:
    game = pyspiel.load_game("arena_meow(players=2)")
    state = _first_decision(game, 5)
    node = state.node
    view = node.game.view_of(node.state, 1)
    assert state.observation_tensor(1) == list(node.game.encoder(2).encode(view))
    assert state.observation_string(1) == node.game.view_form.show(view)
    assert state.information_state_string(1) == node.history.text(1)


def test_the_environment_of_openspiel_runs_a_match_to_its_end() -> None:
    environment = rl_environment.Environment("arena_trio(players=3,turn_cap=2)")
    environment.seed(1)
    step = environment.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = environment.step([step.observations["legal_actions"][player][0]])
    assert sum(step.rewards) == 0


def test_wrong_parameters_are_refused_with_our_sentences() -> None:
    with pytest.raises(BadParameter, match="meow cannot seat 9"):
        pyspiel.load_game("arena_meow(players=9)")
    with pytest.raises(BadParameter, match="trio has no variant 'hot'"):
        pyspiel.load_game("arena_trio(variant=hot)")
    with pytest.raises(BadParameter, match="turn_cap: 0 is not between"):
        pyspiel.load_game("arena_trio(turn_cap=0)")

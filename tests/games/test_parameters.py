"""Parameters are immutable values that can be compared, copied and printed."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

from arena.games.meow.parameters import DEFAULT_TOKENS, Parameters, Vases
from arena.games.trio.parameters import Mode
from arena.games.trio.parameters import Parameters as TrioParameters


def test_parameters_have_their_defaults_unless_given_by_position_or_name() -> None:
    assert Parameters().values()[:3] == (False, DEFAULT_TOKENS, Vases.PAIRS)
    assert Parameters(True).values()[:3] == (True, DEFAULT_TOKENS, Vases.PAIRS)
    assert Parameters(vases=Vases.ONCE).values()[:3] == (False, DEFAULT_TOKENS, Vases.ONCE)


def test_parameters_with_the_same_values_are_equal() -> None:
    assert Parameters(expert=True) == Parameters(True)
    assert hash(Parameters(expert=True)) == hash(Parameters(True))
    assert Parameters() != Parameters(expert=True)


def test_parameters_of_two_games_are_different() -> None:
    assert TrioParameters() != Parameters()
    assert Parameters() != Parameters().values()


def test_parameters_cannot_be_changed() -> None:
    parameters = Parameters()
    with pytest.raises(AttributeError, match="cannot change expert"):
        parameters.expert = True  # type: ignore[misc]
    assert parameters == Parameters()


def test_parameters_survive_copying_and_pickling() -> None:
    parameters = TrioParameters(mode=Mode.SPICY, turn_cap=7)
    assert copy.deepcopy(parameters) == parameters
    assert pickle.loads(pickle.dumps(parameters)) == parameters


def test_parameters_show_their_values() -> None:
    shown = "Parameters(mode=<Mode.SPICY: 'spicy'>, teams=False, turn_cap=120)"
    assert repr(TrioParameters(mode=Mode.SPICY)) == shown


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: TrioParameters(colour="red"),  # type: ignore[call-arg]
        lambda: TrioParameters(Mode.SPICY, mode=Mode.SPICY),  # type: ignore[misc]
        lambda: TrioParameters(Mode.SPICY, False, 7, 0, 0, 0, 8),  # type: ignore[call-arg]
    ],
    ids=["unknown", "twice", "too many"],
)
def test_parameters_that_do_not_exist_or_are_given_twice_are_refused(
    wrong: Callable[[], TrioParameters],
) -> None:
    with pytest.raises(TypeError, match="parameters are mode, teams, turn_cap"):
        wrong()

"""Every game keeps the contract, and the suite notices one that does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from random import Random
from typing import Any

import pytest

from arena.errors import BrokenGame, IllegalAction
from arena.games.conformance import (
    Setting,
    check_action_space,
    check_hash_independence,
    check_match,
    highest,
    lowest,
    settings_of,
)
from arena.games.explanation import Explanation
from arena.games.meow import GAME as MEOW
from arena.games.meow import Meow
from arena.games.meow.state import MeowState
from arena.games.meow.view import View
from arena.games.registry import AnyGame, all_games
from tests.builders.settings import every_setting

every_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)


@every_setting
def test_random_matches_keep_the_contract(setting: Setting) -> None:
    check_match(setting, 0)


@pytest.mark.slow
@every_setting
def test_ten_thousand_random_matches_keep_the_contract(setting: Setting) -> None:
    shares = sum(other.variant == setting.variant for other in settings_of(setting.game))
    for number in range(-(-10_000 // shares)):
        check_match(setting, number, check_every=200)


@every_setting
def test_matches_between_stubborn_players_end(setting: Setting) -> None:
    # Other tests look at positions more often.
    check_match(setting, 1, lowest, check_every=100)
    check_match(setting, 1, highest, check_every=100)


@every_game
def test_every_action_has_its_own_text(game: AnyGame) -> None:
    check_action_space(game)


@every_game
def test_matches_do_not_depend_on_the_hash_seed(game: AnyGame) -> None:
    check_hash_independence(game)


@every_setting
def test_random_actions_are_uniform(setting: Setting) -> None:
    game = setting.game
    rng = Random(3)
    state = game.start(setting.seats, bytes(32), setting.parameters)
    for _ in range(6):
        if state.is_over:
            break
        actions = state.legal_actions()
        counts = dict.fromkeys(actions, 0)
        for _ in range(30 * len(actions)):
            counts[state.random_action(rng)] += 1
        surprise = sum((count - 30) ** 2 / 30 for count in counts.values())
        assert surprise <= len(actions) + 10 + 5 * (2 * len(actions)) ** 0.5
        state.apply(state.random_action(rng))


def _with_methods(**methods: Callable[..., Any]) -> Setting:
    """Make MEOW with some of its methods replaced."""
    game: Any = type("Broken", (Meow,), methods)()
    return Setting(game, 3, "standard", game.default_parameters)


def _with_state(method: str, replacement: Callable[..., Any]) -> Setting:
    """Make MEOW with one method of its state replaced."""
    broken = type("BrokenState", (MeowState,), {"__slots__": (), method: replacement})

    def start(self: Meow, *args: Any, **options: Any) -> MeowState:
        state = Meow._start(self, *args, **options)
        state.__class__ = broken
        return state

    return _with_methods(_start=start)


def _lossy(self: MeowState, action: int) -> None:
    MeowState.apply(self, action)
    self.row = self.row[:-1] or self.row


def _endless(self: MeowState, action: int) -> None:
    if not self.is_over:
        MeowState.apply(self, action)


def _lenient(self: MeowState, action: int) -> None:
    self.legal_mask |= self.hands[self.to_act]
    MeowState.apply(self, action)


def _strict(self: MeowState, action: int) -> None:
    if self.trick and action == self.legal_actions()[-1] != self.legal_actions()[0]:
        raise IllegalAction("not the highest card")
    MeowState.apply(self, action)


def _shallow(self: MeowState) -> MeowState:
    new = MeowState.copy(self)
    new.hands = self.hands
    return new


def _forgetful(self: Meow, view: View, rng: Random) -> MeowState:
    return Meow.world(self, view._replace(voids=(0,) * view.seats), rng)


def _peeking(self: Meow, state: MeowState, seat: int) -> View:
    return Meow.view_of(self, state, seat)._replace(hand_mask=state.hands[seat - 1])


def _marking(self: Meow, state: MeowState, seat: int) -> View:
    return Meow.view_of(self, state, seat)._replace(leader=seat)


def _curt(self: Meow, state: MeowState, names: Sequence[str], last: Set[int]) -> Explanation:
    return Explanation("Somebody is first.", (), ((),) * state.seats)


def _check_matches(setting: Setting) -> None:
    for number in range(5):
        check_match(setting, number)


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        (_with_state("apply", _lossy), "appeared or disappeared"),
        (_with_state("apply", _endless), "the illegal action 0 was taken"),
        (_with_state("apply", _lenient), "the illegal action .* was taken"),
        (_with_state("apply", _strict), "refuses its own action"),
        (_with_state("copy", _shallow), "changed the original"),
        (_with_state("is_legal", lambda self, action: True), "is legal but not listed"),
        (_with_state("legal_actions", lambda self: []), "no legal action"),
        (_with_state("random_action", lambda self, rng: 53), "not legal|refuses its own"),
        (_with_methods(world=_forgetful), "sees different voids|a refusal reveals"),
        (_with_methods(explain=_curt), "does not name seat"),
        (_with_methods(view_of=_marking), "different leader, a field that is not marked Private"),
        (_with_methods(view_of=_peeking), "different legal actions|redeal|a refusal reveals"),
    ],
    ids=[
        "loses",
        "endless",
        "lenient",
        "strict",
        "shallow copy",
        "lax",
        "mute",
        "wild",
        "forgets",
        "explains nothing",
        "marks nothing as private",
        "peeks",
    ],
)
def test_the_suite_notices_a_broken_game(setting: Setting, complaint: str) -> None:
    with pytest.raises(BrokenGame, match=complaint):
        _check_matches(setting)


def test_a_complaint_names_the_match_and_the_decision() -> None:
    with pytest.raises(BrokenGame, match=r"meow standard with 3 seats, match 0, decision 1: "):
        check_match(_with_state("apply", _lossy), 0)
    assert check_match(Setting(MEOW, 3, "standard", MEOW.default_parameters), 0) == 81

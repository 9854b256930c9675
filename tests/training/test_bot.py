"""The bot that has learned: what it plays, and how strong it is."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import lookahead
import pytest
from network import Network
from training.evaluation import Chooser, Strength, bot_chooser, strength

from arena.games.meow import GAME
from arena.games.meow.view import View
from arena.sdk import Bot, Match
from tests.bots.inprocess import BOTS, bot_class, share_of

LearnedMeow = bot_class(str(BOTS / "learned-meow"))
NETWORK = Network.load(BOTS / "learned-meow" / "weights.npz")


class NetworkAlone(LearnedMeow):  # type: ignore[misc, valid-type]
    """The bot without its look ahead."""

    looks_ahead = False


def decide(bot: Bot, views: Sequence[View], *, time_left_s: float = 10.0) -> list[int]:
    """Let a bot decide these positions together; its random numbers are always the same."""
    bot.matches = [
        Match(
            game=GAME,
            parameters=view.parameters,
            seats=view.seats,
            seat=view.seat,
            bank_s=10.0,
            increment_s=0.1,
            counts_cpu=True,
            commitment=b"",
            rng=Random(view.hand_mask),
            time_left_s=time_left_s,
        )
        for view in views
    ]
    return list(bot.choose_many(views))


def some_views(count: int) -> list[View]:
    """Return positions from all stages of matches at all tables."""
    rng = Random(5)
    views = []
    for number in range(count):
        state = GAME.start(2 + number % 5, number, "expert" if number % 3 else None)
        for _ in range(rng.randrange(50)):
            state.apply(state.random_action(rng))
        views.append(GAME.view_of(state, state.to_act))
    return views


def test_the_network_decides_alone_as_among_many() -> None:
    views = some_views(60)
    together = decide(NetworkAlone(), views)
    assert together == [decide(NetworkAlone(), [view])[0] for view in views]
    assert all(card in GAME.legal_actions(view) for card, view in zip(together, views, strict=True))


def test_looking_ahead_decides_alone_as_among_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookahead, "WORLDS", 2)
    monkeypatch.setattr(lookahead, "VIEWS", 3)
    views = [GAME.view_of(GAME.start(2, number), 0) for number in range(5)] + some_views(3)
    together = decide(LearnedMeow(), views)
    assert together == [decide(LearnedMeow(), [view])[0] for view in views]
    assert together != decide(NetworkAlone(), views)
    assert all(card in GAME.legal_actions(view) for card, view in zip(together, views, strict=True))


def test_the_network_decides_alone_when_time_is_short() -> None:
    views = some_views(20)
    assert decide(LearnedMeow(), views, time_left_s=0.1) == decide(NetworkAlone(), views)


def test_the_network_alone_is_far_ahead_of_random() -> None:
    share = share_of(GAME, [NetworkAlone, bot_class("random")], deals=8, seed=100)
    assert share.mean > 0.8


def ahead_of_greedy(choose: Chooser, deals: int, seed: int) -> Strength:
    """Return the share of the comparisons in which a way to choose is ahead."""
    return strength((choose, bot_chooser("greedy-meow")), deals=deals, seed=seed)


def alone(views: Sequence[View]) -> list[int]:
    """Choose by the network alone."""
    return lookahead.best_cards(NETWORK, views)


def looking_ahead(views: Sequence[View]) -> list[int]:
    """Choose as the bot does."""
    rngs = [Random(view.hand_mask) for view in views]
    return lookahead.best_after_looking(NETWORK, views, rngs)


@pytest.mark.slow
def test_the_network_alone_is_ahead_of_greedy_with_confidence() -> None:
    found = ahead_of_greedy(alone, 1000, seed=8)
    assert found.mean - 1.96 * found.error > 0.5


@pytest.mark.slow
def test_the_bot_is_ahead_of_greedy_with_confidence() -> None:
    found = ahead_of_greedy(looking_ahead, 100, seed=6)
    assert found.mean - 1.96 * found.error > 0.5

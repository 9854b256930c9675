"""Does the bot play by the rules? Run this with `pytest` and the name of the folder."""

from __future__ import annotations

from random import Random

import pytest
from bot import MyBot

from arena.games.randomness import seed_from
from arena.games.registry import game_named
from arena.sdk import Match

GAME = game_named("{{game}}")


def seated(seats: int, seat: int) -> MyBot:
    """Let the bot sit down to a match, as the SDK does it."""
    bot = MyBot()
    bot.match = Match(
        game=GAME,
        parameters=GAME.default_parameters,
        seats=seats,
        seat=seat,
        bank_s=60.0,
        increment_s=0.5,
        counts_cpu=False,
        commitment=b"",
        rng=Random(seat),
        time_left_s=60.0,
        wall_left_s=60.0,
    )
    bot.match_started()
    return bot


def played(seats: int, seed: int) -> list[int]:
    """Let the bot play a match in all seats, and return what it did."""
    state = GAME.start(seats, seed_from(seed))
    bots = [seated(seats, seat) for seat in range(seats)]
    actions = []
    while not state.is_over:
        seat = state.to_act
        view = GAME.view_of(state, seat)
        legal = GAME.legal_actions(view)
        # Where there is no choice, nobody is asked.
        action = bots[seat].choose(view) if len(legal) > 1 else legal[0]
        assert action in legal, GAME.view_form.show(view)
        state.apply(action)
        actions.append(action)
    return actions


@pytest.mark.parametrize("seats", GAME.seat_counts)
def test_whatever_it_plays_is_legal(seats: int) -> None:
    assert played(seats, seed=1)


def test_the_same_match_is_played_the_same_again() -> None:
    seats = GAME.seat_counts[-1]
    assert played(seats, seed=2) == played(seats, seed=2)

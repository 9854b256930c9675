"""Check that the bot plays by the rules. Run with `python -m unittest discover {{name}}`."""

from __future__ import annotations

import unittest
from random import Random

from bot import MyBot

from arena.games import game_named
from arena.sdk import Match

GAME = game_named("{{game}}")


def new_bot(seats: int, seat: int) -> MyBot:
    """Return the bot at the start of a match, as the SDK sets it up."""
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


def play(seats: int, seed: int) -> list[int]:
    """Play a match with the bot in every seat; return all actions."""
    state = GAME.start(seats, seed)
    bots = [new_bot(seats, seat) for seat in range(seats)]
    actions = []
    while not state.is_over:
        seat = state.to_act
        view = GAME.view_of(state, seat)
        legal = GAME.legal_actions(view)
        # The referee asks for no decision if there is only one legal action.
        action = bots[seat].choose(view) if len(legal) > 1 else legal[0]
        assert action in legal, f"{action} is not one of {legal}:\n{view}"
        state.apply(action)
        actions.append(action)
    return actions


class BotTest(unittest.TestCase):
    """Plays whole matches in this process, without a referee."""

    def test_every_action_is_legal(self) -> None:
        """Play at every number of seats."""
        for seats in GAME.seat_counts:
            with self.subTest(seats=seats):
                assert play(seats, seed=1)

    def test_the_same_match_gives_the_same_actions(self) -> None:
        """Play a match twice."""
        seats = GAME.seat_counts[-1]
        assert play(seats, seed=2) == play(seats, seed=2)


if __name__ == "__main__":
    unittest.main()

"""The greedy bot for Trio takes certain trios, and swaps to win."""

from __future__ import annotations

from arena.games.trio import GAME
from arena.games.trio.cards import KEEP
from arena.games.trio.state import TrioState
from arena.games.trio.view import View
from tests.bots.inprocess import bot_class, decision, share_of
from tests.games.trio.positions import play, position

GreedyTrio = bot_class("greedy-trio")


def turn_of(state: TrioState) -> list[str]:
    """Play the bot until another seat has the turn; return its actions as text."""
    seat = state.to_act
    actions = []
    while state.to_act == seat:
        actions.append(decision(GreedyTrio, GAME, state))
        play(state, actions[-1])
    return actions


def test_a_trio_that_is_certain_is_taken() -> None:
    state = position("1 1 8", "1 4 9", "3 5 6", centre="2 2")
    play(state, "centre 0, low 1, high 2, low 2, high 1, high 0")
    assert state.to_act == 0
    assert sorted(turn_of(state)) == ["low 0", "low 0", "low 1"]
    assert state.piles[0] == (1,)


def test_the_trio_that_wins_goes_before_one_that_does_not() -> None:
    state = position("1 1 7", "1 5 7", "7 8 9", centre="2 2")
    play(state, "low 1, high 1, low 2, high 2, high 0, centre 0")
    assert sorted(turn_of(state)) == ["high 0", "high 1", "low 2"]
    assert state.is_over


def test_a_card_that_is_only_likely_comes_before_its_own_pair() -> None:
    state = position("1 1 8", "1 4 9", "3 5 6", centre="2 2")
    assert decision(GreedyTrio, GAME, state) in ("low 1", "low 2")


def test_a_surprise_is_finished_with_the_two_cards_that_are_known() -> None:
    state = position("4 6 12", "5 8 10", "1 3 5", centre="5 2")
    play(state, "low 1, low 2, high 2, high 1, low 1, low 2")
    play(state, "centre 0")
    assert sorted(turn_of(state)) == ["high 2", "low 1"]
    assert state.piles[0] == (5,)


def test_if_no_trio_is_possible_it_turns_up_a_known_card() -> None:
    state = position("2 6 6 9", "1 4 8", "3 5 10", centre="6 7")
    play(state, "centre 1, high 1, centre 1, high 1, centre 1, high 1")
    play(state, "centre 0")
    assert decision(GreedyTrio, GAME, state) in ("centre 1", "high 1", "low 0", "high 0")


def test_partners_give_away_their_outer_cards() -> None:
    hands = ("1 2 7 9", "3 4", "5 7 8 12", "6 10")
    state = position(*hands, teams=True, swapping=True)
    given: list[str] = []
    while len(given) < 4:
        given.append(decision(GreedyTrio, GAME, state))
        play(state, given[-1])
    assert given == ["give 9", "give 4", "give 5", "give 6"]


def test_its_swaps_beat_keeping_all_cards() -> None:
    class Keeping(GreedyTrio):  # type: ignore[misc, valid-type]
        """Never swaps."""

        def choose(self, view: View) -> int:
            """Keep all cards."""
            return KEEP if view.phase else int(super().choose(view))

    bots = [GreedyTrio, Keeping, GreedyTrio, Keeping]
    assert share_of(GAME, bots, deals=40, parameters=GAME.variants["simple-teams"]).mean > 0.6

"""What is open in Life is Life, and what a view remembers: clauses 10, 13 and 14."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest

from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import animals_in
from arena.games.lifeislife.events import Knocked, RoundBegan, Scored, SuddenDeath, Swapped
from arena.games.lifeislife.parameters import Parameters
from arena.games.randomness import seed_from
from tests.games.lifeislife.positions import THREE, herd, knock_out, last, play, position

rules = pytest.mark.rules


def follow(events: list[NamedTuple], seats: int) -> tuple[list[int], list[int], list[list[int]]]:
    """Reconstruct the rows, lives and taken cards from the events alone."""
    rows: list[int] = []
    lives = [5] * seats
    taken: list[list[int]] = []
    for event in events:
        if isinstance(event, RoundBegan):
            rows = list(event.rows)
            taken = [[] for _ in range(seats)]
        elif isinstance(event, Swapped):
            assert rows[event.row] == event.taken
            rows[event.row] = event.laid
            for animal in animals_in(event.laid):
                if animal in taken[event.seat]:
                    taken[event.seat].remove(animal)
            taken[event.seat] += animals_in(event.taken)
        elif isinstance(event, Scored | SuddenDeath):
            lives = [life - loss for life, loss in zip(lives, event.lost, strict=True)]
            if isinstance(event, SuddenDeath):
                lives[event.seat] += event.gained
    return rows, lives, taken


@rules(10, 13)
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("variant", ["standard", "expert"])
def test_the_events_contain_everything_on_the_table(variant: str, seats: int) -> None:
    state = GAME.start(seats, seed_from(seats), GAME.variants[variant], recording=True)
    rng = Random(seats)
    for _ in range(200):
        rows, lives, taken = follow(state.events or [], seats)
        view = GAME.view_of(state, 0)
        assert (rows, lives) == (list(view.row_herds), list(view.lives))
        assert [tuple(sorted(cards)) for cards in taken] == list(view.known)
        state.apply(state.random_action(rng))
        if state.is_over:
            break


@rules(10)
def test_views_differ_only_in_the_seats_own_hand() -> None:
    state = play(position(*THREE), "2 bear mole", "1 goat", "3 sheep dog dog")
    views = [GAME.view_of(state, seat) for seat in range(3)]
    assert [view.hand_herd for view in views] == state.hands
    public = {view._replace(seat=0, hand_herd=0) for view in views}
    assert len(public) == 1


@rules(10)
def test_all_hands_and_totals_are_shown_at_scoring() -> None:
    state = knock_out(position(*THREE))
    assert last(state, Scored).hands == tuple(map(herd, THREE))
    assert [event.seat for event in state.events or [] if isinstance(event, Knocked)] == [0, 1, 2]


@rules(10)
def test_a_sudden_death_shows_the_holders_whole_hand_and_no_other() -> None:
    hands = ("4 pig, 3 giraffe, 3 bear", THREE[1], THREE[2])
    rows = ("pig", "mole, goat", "3 dog", "4 mole")
    state = play(position(*hands, rows=rows, lives=(1, 1, 1)), "1 bear")
    assert last(state, SuddenDeath).hand == herd("5 pig, 3 giraffe, 2 bear")
    assert GAME.view_of(state, 2).known_herds == (herd("5 pig, 3 giraffe, 2 bear"), 0, 0)


@rules(13)
def test_taken_cards_are_known_until_as_many_are_laid_again() -> None:
    state = play(position(*THREE), "4 bear bear mole mole")
    assert GAME.view_of(state, 1).known[0] == animals_in(herd("sheep, 2 cat, mouse"))
    play(state, "1 goat", "1 sheep", "2 cat giraffe")
    assert GAME.view_of(state, 1).known[0] == animals_in(herd("sheep, cat, mouse, mole, goat"))


@rules(13)
def test_a_player_who_swaps_and_plays_on_lacks_one_of_each_set() -> None:
    state = position(*THREE)
    assert GAME.view_of(state, 1).lacking_herds == (0, 0, 0)
    play(state, "1 bear", "4 bear bear goat goat")
    one_of_each = herd("rabbit, pig, cat")
    assert GAME.view_of(state, 2).lacking_herds == (one_of_each, one_of_each, 0)


@rules(13)
def test_laid_cards_of_a_set_add_to_what_is_lacking_and_taken_ones_make_up_for_it() -> None:
    hands = ("3 rabbit, 2 cat, 5 giraffe", THREE[1], THREE[2])
    state = position(*hands, rows=("mouse", "mole, goat", "3 dog", "4 mole"))
    play(state, "1 giraffe", "1 goat", "1 sheep", "3 rabbit rabbit cat", "1 goat", "1 bear")
    assert GAME.view_of(state, 1).lacking_herds[0] == herd("3 rabbit, pig, 2 cat")
    play(state, "3 dog dog dog")
    assert GAME.view_of(state, 1).lacking_herds[0] == herd("rabbit, pig, cat")


@rules(6, 13)
def test_in_the_expert_game_nothing_is_known_about_lacking_cats() -> None:
    state = play(position(*THREE, parameters=Parameters(expert=True)), "1 bear")
    assert GAME.view_of(state, 1).lacking_herds[0] == herd("rabbit, pig")


@rules(13)
def test_a_new_deal_voids_what_was_known() -> None:
    state = play(position(*THREE), "1 bear", "1 goat", "1 sheep", "knock", "knock", "knock")
    view = GAME.view_of(state, 0)
    assert view.known_herds == view.lacking_herds == (0, 0, 0)
    assert view.has_swapped == (False, False, False)


@rules(13)
def test_hands_shown_at_the_end_of_the_match_are_known() -> None:
    state = knock_out(position(*THREE, lives=(1, 2, 1)))
    assert GAME.view_of(state, 1).known_herds == tuple(map(herd, THREE))


@rules(14)
def test_what_is_done_in_a_round_does_not_change_the_next_deal() -> None:
    deals = set()
    for first in ("1 bear", "2 bear mole", "3 giraffe giraffe bear"):
        state = play(position(*THREE), first, "1 goat")
        knock_out(state)
        deals.add((tuple(state.rows), tuple(state.hands)))
    assert len(deals) == 1


@rules(1, 14)
def test_the_same_players_are_dealt_other_cards_in_every_round() -> None:
    state = GAME.start(4, seed_from(3))
    deals = set()
    while len(state.players) == 4:
        deals.add(tuple(state.hands))
        assert len(deals) == state.round + 1
        knock_out(state)
    assert len(deals) > 1

"""Does Life is Life keep its rules of what is open, of the end, and of what the table learns?"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest

from arena.errors import BadParameter, BadText
from arena.games.core import Ending
from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import animals_in
from arena.games.lifeislife.events import (
    Event,
    Knocked,
    RoundBegan,
    Scored,
    SuddenDeath,
    Swapped,
    WentOut,
)
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.randomness import seed_from
from tests.games.lifeislife.positions import THREE, herd, knock_out, last, play, position

rules = pytest.mark.rules


def follow(events: list[NamedTuple], seats: int) -> tuple[list[int], list[int], list[list[int]]]:
    """Keep a table's rows, lives and taken cards from its events alone."""
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
def test_whoever_follows_the_events_misses_nothing_of_the_table(variant: str, seats: int) -> None:
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
def test_views_differ_in_the_own_hand_only() -> None:
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


def finished(
    lives: tuple[int, ...], out: tuple[int, ...], parameters: Parameters | None = None
) -> LifeIsLifeState:
    """Return a match that is over, in which the seats without lives went out in these rounds."""
    state = GAME.start(len(lives), seed_from(0), parameters)
    state.lives = list(lives)
    state.out = list(out)
    state.to_act = -1
    return state


@rules(11)
@pytest.mark.parametrize(
    ("lives", "out", "places"),
    [
        ((0, 3, 0, 0), (4, -1, 2, 6), (3, 1, 4, 2)),
        ((0, 0, 1, 0), (6, 2, -1, 2), (2, 3, 1, 3)),
        ((0, 0, 0, 2, 0), (5, 5, 5, -1, 1), (2, 2, 2, 1, 5)),
        ((7, 0, 0), (-1, 0, 0), (1, 2, 2)),
    ],
    ids=str,
)
def test_later_out_is_placed_better_and_the_same_round_shares(
    lives: tuple[int, ...], out: tuple[int, ...], places: tuple[int, ...]
) -> None:
    outcome = finished(lives, out).outcome()
    assert outcome == (places, lives, Ending.PLAYED_OUT)


@rules(11)
def test_the_round_of_going_out_is_remembered() -> None:
    state = position(*THREE, lives=(5, 2, 3))
    state.round = 6
    knock_out(state)
    assert state.out == [-1, 6, -1]
    assert GAME.view_of(state, 0).out == (-1, 6, -1)


@rules(12)
def test_sixty_turns_of_each_without_a_knock_are_scored() -> None:
    state = position(*THREE, turn=177)
    play(state, "1 bear", "1 goat")
    assert state.round == 0
    play(state, "1 dog")
    assert state.round == 1
    assert last(state, Scored).hands[0] == herd("4 giraffe, 2 bear, 3 mole, mouse")


@rules(12)
@pytest.mark.parametrize("knocker", [0, 1, 2])
def test_a_knock_in_the_last_turns_still_has_its_last_lap(knocker: int) -> None:
    state = position(*THREE, turn=177)
    play(state, *["1 bear", "1 goat", "1 dog"][:knocker], "knock")
    assert (state.round, state.knocker) == (0, knocker)
    play(state, "knock")
    assert state.round == 0
    play(state, "knock")
    assert state.round == 1


@rules(12)
def test_the_turn_cap_is_a_parameter_and_counts_living_players_only() -> None:
    parameters = Parameters(turn_cap=2)
    state = position(THREE[0], "", THREE[1], parameters=parameters)
    play(state, "1 bear", "1 goat", "1 bear")
    assert state.round == 1
    play(state, "1 goat")
    assert (state.round, state.last_turn) == (2, 4)


@rules(12)
@pytest.mark.parametrize(
    ("lives", "places"),
    [((5, 5, 5), (1, 3, 2)), ((4, 5, 5), (1, 3, 1)), ((5, 1, 1), (1, 2, 2))],
    ids=["by lives", "equal lives share", "the dead come after"],
)
def test_after_the_last_round_the_living_are_placed_by_lives(
    lives: tuple[int, ...], places: tuple[int, ...]
) -> None:
    state = position(*THREE, lives=lives, parameters=Parameters(round_cap=1))
    knock_out(state)
    assert state.is_over
    outcome = state.outcome()
    assert outcome.places == places
    assert outcome.ending is (Ending.PLAYED_OUT if lives[1] == 1 else Ending.LENGTH_CAP)


@rules(12)
def test_at_the_cap_the_living_come_before_the_dead() -> None:
    parameters = Parameters(round_cap=9)
    outcome = finished((1, 0, 4, 4), (-1, 8, -1, -1), parameters).outcome()
    assert outcome == ((3, 4, 1, 1), (1, 0, 4, 4), Ending.LENGTH_CAP)
    outcome = finished((2, 0, 4), (-1, 8, -1), parameters).outcome()
    assert outcome == ((2, 3, 1), (2, 0, 4), Ending.LENGTH_CAP)


@rules(12)
@pytest.mark.parametrize("value", [0, -3, 10_001])
def test_a_cap_out_of_range_is_refused_by_name(value: int) -> None:
    with pytest.raises(BadParameter, match=f"turn_cap: {value} is not between 1 and 10000"):
        Parameters(turn_cap=value)
    with pytest.raises(BadParameter, match=f"round_cap: {value} is not between 1 and 10000"):
        Parameters(round_cap=value)


@rules(2, 12)
@pytest.mark.parametrize("seats", [2, 6])
def test_a_wrong_number_of_players_is_refused(seats: int) -> None:
    with pytest.raises(BadParameter, match="it takes 3, 4, 5 players here"):
        GAME.start(seats, seed_from(0))


@rules(13)
def test_taken_cards_are_known_until_as_many_are_laid_again() -> None:
    state = play(position(*THREE), "4 bear bear mole mole")
    assert GAME.view_of(state, 1).known[0] == animals_in(herd("sheep, 2 cat, mouse"))
    play(state, "1 goat", "1 sheep", "2 cat giraffe")
    assert GAME.view_of(state, 1).known[0] == animals_in(herd("sheep, cat, mouse, mole, goat"))


@rules(13)
def test_whoever_swaps_and_goes_on_lacks_one_of_each_set() -> None:
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


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("  3   CAT dog  Cat ", "3 dog cat cat"),
        ("2 mol go", "2 mole goat"),
        ("4 r p c b", "4 bear rabbit pig cat"),
        ("KNOCK", "knock"),
    ],
)
def test_actions_are_read_in_any_order_case_and_spacing(typed: str, meant: str) -> None:
    assert GAME.action_text(GAME.parse_action(typed)) == meant


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("", "is not an action: the row from 1 to 4"),
        ("5 cat", "is not an action: the row from 1 to 4"),
        ("knock knock", "is not an action"),
        ("2 cat", "does not lay 2 for row 2"),
        ("1 cat cat", "does not lay 1 for row 1"),
        ("1 cow", "'cow' is not an animal"),
        ("1 mo", "'mo' could be mole or mouse"),
        ("4 " + "cat " * 100_000, "does not lay 4 for row 4"),
    ],
)
def test_what_is_no_action_is_refused_with_a_reason(typed: str, complaint: str) -> None:
    with pytest.raises(BadText, match=complaint):
        GAME.parse_action(typed)


def test_events_of_every_kind_read_back() -> None:
    hands = ("4 pig, 3 giraffe, 3 bear", THREE[1], THREE[2])
    rows = ("pig", "mole, goat", "3 dog", "4 mole")
    state = knock_out(position(*THREE, lives=(5, 2, 3)))
    other = play(position(*hands, rows=rows, lives=(1, 1, 1)), "1 bear")
    events = [*(state.events or []), *(other.events or [])]
    kinds = {RoundBegan, Swapped, Knocked, SuddenDeath, Scored, WentOut}
    assert {type(event) for event in events} == kinds
    for event in events:
        assert isinstance(event, Event)
        assert GAME.event_form.read(GAME.event_form.show(event)) == event

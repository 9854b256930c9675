"""The turns of Jackal & High: clauses 4 to 7, 18, 20 and 21."""

from __future__ import annotations

from random import Random

import pytest

from arena.errors import BadText, IllegalAction
from arena.games.jackal import GAME
from arena.games.jackal.dice import Roll
from arena.games.jackal.events import DicePlaced, DiceRolled, DieLost, RoundBegan
from arena.games.randomness import seed_from
from tests.games.jackal.positions import do, events_of, legal, position

rules = pytest.mark.rules


@rules(4)
def test_seat_0_starts_the_first_round_and_then_the_left_neighbour() -> None:
    state = GAME.start(3, seed_from(2), recording=True)
    rng = Random(1)
    while state.round < 4:
        state.apply(state.random_action(rng))
    starters = [event.starter for event in events_of(state, RoundBegan)]
    assert starters == [0, 1, 2, 0, 1]


@rules(4)
def test_seats_act_clockwise_from_the_starter() -> None:
    state = position("21 21 21 21", "-", "-", "-", starter=2, to_act=2, rolled=(1, 1, 1))
    acting = []
    for _ in range(5):
        acting.append((state.turn, state.to_act))
        do(state, "place 1")
    assert acting == [(0, 2), (0, 0), (0, 1), (1, 2), (1, 0)]


@rules(4)
def test_a_seat_without_dice_is_skipped() -> None:
    state = position("21 21 21 21", "1:2", "1:1+2+3", "1:1+2", to_act=0, turn=1, rolled=(4, 5))
    assert do(state, "place 1").to_act == 2
    assert (do(state, "place 1").to_act, state.turn) == (0, 2)


@rules(4)
def test_a_round_is_over_when_no_seat_has_dice() -> None:
    state = position("21 21 21", "1:1+1", "1:1+2+3", to_act=0, turn=1, rolled=(4,), rolls_left=2)
    assert do(state, "place 1").round == 1


@rules(4)
def test_a_round_has_no_fourth_turn() -> None:
    state = position("21 21 21", "1:1+2", "2:1+2", turn=2, rolled=(4,), turns={1: (1,) * 12})
    do(state, "place 1", "place 1")
    assert (state.round, state.turn) == (1, 0)


@rules(5)
def test_all_dice_that_are_not_placed_are_rolled() -> None:
    state = position("21 21 21", "-", "-", rolled=(1, 1, 1), turns={0: (0, 0, 0, 6, 3)})
    do(state, "place 2", "place 1 1 1")
    assert state.rolled == (3, 6, 0)
    assert events_of(state, DiceRolled)[-1] == (0, (3, 6), 0)


@rules(5)
def test_one_two_or_all_three_dice_are_placed_but_not_none() -> None:
    state = position("21 1 1", "-", "-", rolled=(2, 3, 4))
    assert legal(state) == [
        "place 1",
        "place - 1",
        "place 1 1",
        "place - - 1",
        "place 1 - 1",
        "place - 1 1",
        "place 1 1 1",
    ]


@rules(5)
@pytest.mark.parametrize(
    ("laid", "allowed"),
    [("-", ["place 1", "place - 1"]), ("1:2", ["place 1"]), ("1:3", [])],
    ids=["on the bare card", "with a 2 from before", "with a 3 from before"],
)
def test_own_dice_of_all_turns_may_not_exceed_the_number(laid: str, allowed: list[str]) -> None:
    state = position("6 1 1", laid, "-", rolled=(4, 5), turn=1)
    assert legal(state) == (allowed or ["valley"])


@rules(5)
def test_two_dice_that_fit_alone_may_be_too_much_together() -> None:
    state = position("7 1 1", "-", "-", rolled=(3, 5), turn=1)
    assert legal(state) == ["place 1", "place - 1"]
    with pytest.raises(IllegalAction, match="stack 1 would sum to 8, more than 7"):
        do(state, "place 1 1")


@rules(5)
def test_the_number_itself_may_be_met() -> None:
    assert "place 1 1 1" in legal(position("21 9 9", "-", "-", rolled=(6, 7, 8)))


@rules(5)
def test_the_dice_of_others_do_not_matter() -> None:
    state = position("5 1 1", "-", "1:2+3", rolled=(5, 6, 7))
    assert legal(state) == ["place 1"]


@rules(5)
def test_a_lucky8_takes_up_to_eight() -> None:
    state = position("Lucky8 1 1", "1:3", "-", rolled=(5, 6), turn=1)
    assert legal(state) == ["place 1"]


@rules(5)
def test_placed_dice_stay_until_the_round_is_over() -> None:
    state = position("21 21 21", "-", "-", rolled=(2, 3, 4))
    do(state, "place 2 - 1", "place 1 1 1")
    view = GAME.view_of(state, 1)
    assert view.on_display[0] == ((4,), (2,), ())
    assert events_of(state, DicePlaced)[0] == (0, (2, 3, 4), (2, 0, 1))


@rules(6)
def test_if_nothing_fits_one_die_goes_to_the_valley_and_the_others_are_kept() -> None:
    state = position("1 2 3", "-", "-", rolled=(4, 5, 6))
    assert legal(state) == ["valley"]
    do(state, "valley")
    view = GAME.view_of(state, 0)
    assert (view.in_valley, view.in_hand) == ((1, 0), (2, 3))
    assert events_of(state, DieLost) == [(0,)]


@rules(6)
@pytest.mark.parametrize("rolled", [(3, 5, 6), (1, 1, 1), (1, 8, 8)])
def test_while_any_die_fits_none_may_go_to_the_valley(rolled: tuple[int, ...]) -> None:
    state = position("1 2 3", "-", "-", rolled=rolled)
    assert "valley" not in legal(state)
    with pytest.raises(IllegalAction, match="a die fits on the display"):
        do(state, "valley")


@rules(7)
def test_a_single_die_is_placed_or_rolled_again_twice() -> None:
    state = position(
        "5 2 9", "1:1+1", "-", turn=1, rolled=(2,), rolls_left=2, turns={0: (0,) * 3 + (2, 3, 1)}
    )
    assert legal(state) == ["place 1", "place 2", "place 3", "again"]
    assert legal(do(state, "again")) == ["place 1", "place 3", "again"]
    assert legal(do(state, "again")) == ["place 1", "place 2", "place 3"]
    with pytest.raises(IllegalAction, match="may not roll again: it has no roll left"):
        do(state, "again")


@rules(7)
def test_a_roll_that_fits_nowhere_is_repeated_and_only_the_third_is_lost() -> None:
    state = position(
        "5 2 6", "1:4 2:2", "-", turn=2, rolled=(8,), rolls_left=2, turns={0: (0,) * 6 + (8, 7, 7)}
    )
    assert legal(state) == ["again"]
    with pytest.raises(IllegalAction, match="may not choose valley: it has rolls left"):
        do(state, "valley")
    assert legal(do(state, "again")) == ["again"]
    assert legal(do(state, "again")) == ["valley"]


@rules(7)
def test_only_a_single_die_at_the_start_of_a_later_turn_has_three_rolls() -> None:
    state = position("21 21 21", "-", "-", rolled=(1, 1, 1), turns={0: (0, 0, 0, 6, 3)})
    assert (state.rolls_left, do(state, "place 1", "place 1 1").rolls_left) == (0, 0)
    assert (do(state, "place 1").to_act, state.rolls_left) == (1, 2)
    assert (do(state, "place 1").to_act, state.turn, state.rolls_left) == (0, 2, 2)


@rules(6, 7)
def test_the_sheets_last_die_that_fits_nowhere_ends_in_the_valley() -> None:
    state = position("5 6 3 1", "1:4 3:3", "1:1+2+2", "2:1+2+3", turn=1, rolled=(7,), valley="2")
    assert do(state, "valley").piles == [(3, 2), (5,), (6,)]


@rules(18)
def test_dice_are_sorted_and_named_by_position() -> None:
    state = position("21 21 21", "-", "-", rolled=(1, 2, 3), turns={1: (7, 2, 5)})
    assert do(state, "place 1").rolled == (2, 5, 7)
    do(state, "PLACE  3 -   1 ")
    assert GAME.view_of(state, 1).on_display[1] == ((7,), (), (2,))


@rules(18)
@pytest.mark.parametrize(
    ("text", "canonical"),
    [("place 2 - -", "place 2"), ("place - 3 -", "place - 3"), ("Place 6 6 6", "place 6 6 6")],
)
def test_dice_after_the_last_one_named_are_kept(text: str, canonical: str) -> None:
    assert GAME.action_text(GAME.parse_action(text)) == canonical


@rules(18)
def test_equal_dice_are_distinct() -> None:
    state = position("4 1 1", "-", "-", rolled=(4, 4), turn=1)
    assert legal(state) == ["place 1", "place - 1"]


@rules(18)
@pytest.mark.parametrize(
    "text",
    ["place", "place - - -", "place 7", "place 1 1 1 1", "place 1 - - -", "place 0", "", "-"],
)
def test_text_that_is_not_an_action_is_refused(text: str) -> None:
    with pytest.raises(BadText, match="is not an action"):
        GAME.parse_action(text)


@rules(18)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("place - - 1", "it has rolled only 2 dice"),
        ("place 4", "the display has 3 stacks"),
        ("order 1 2", "it has no won cards to put in order"),
    ],
)
def test_a_refusal_says_why_and_changes_nothing(text: str, reason: str) -> None:
    state = position("9 9 9", "1:1", "-", rolled=(4, 4), turn=1)
    before = state.truth()
    with pytest.raises(IllegalAction, match=reason):
        do(state, text)
    assert state.truth() == before


@rules(20)
def test_a_forced_action_is_still_a_decision() -> None:
    lost = position("1 2 3", "-", "-", rolled=(4, 5, 6))
    forced = position("1 2 3", "1:1 2:1", "-", turn=1, rolled=(8,), rolls_left=2)
    assert (lost.to_act, lost.only_action()) == (0, GAME.parse_action("valley"))
    assert (forced.to_act, forced.only_action()) == (0, GAME.parse_action("again"))


def first_rolls(seed: int, favourite: int) -> dict[tuple[int, int], Roll]:
    """Play with seat 0 always taking its first or last action; return each seat's first rolls."""
    state = GAME.start(3, seed_from(seed))
    rolls: dict[tuple[int, int], Roll] = {}
    while not state.is_over:
        if state.turn == 0 and state.rolled[0]:
            rolls[state.round, state.to_act] = state.rolled
        actions = state.legal_actions()
        state.apply(actions[favourite if state.to_act == 0 else 0])
    return rolls


@rules(21)
@pytest.mark.parametrize("seed", range(5))
def test_a_seats_decisions_change_no_roll(seed: int) -> None:
    one, other = first_rolls(seed, 0), first_rolls(seed, -1)
    both = one.keys() & other.keys()
    assert len(both) > 12
    assert all(one[key] == other[key] for key in both)


@rules(21)
def test_another_roll_of_one_seat_leaves_the_dice_of_all_others_alone() -> None:
    state = position("21 21 21", "1:1+1", "2:1+1", turn=1, rolled=(4,), rolls_left=2)
    state.dice = list(range(24))
    patient = do(state.copy(), "again", "again", "place 1")
    assert do(state, "place 1").rolled == patient.rolled == (15, 0, 0)

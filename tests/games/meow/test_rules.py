"""The rules of MEOW, clause by clause."""

from __future__ import annotations

import pytest

from arena.errors import BadParameter, IllegalAction
from arena.games.meow import GAME
from arena.games.meow.cards import DECK, FISH, VASE, Token, card, cards_in
from arena.games.meow.events import RoundBegan, TrickWon
from arena.games.meow.parameters import DEFAULT_TOKENS, Parameters, Vases
from arena.games.outcome import Ending
from arena.games.randomness import seed_from
from tests.games.meow.positions import finished_match, legal, play, play_round, position, winner_of

rules = pytest.mark.rules


@rules(1)
def test_the_default_set_has_27_tokens_of_four_kinds() -> None:
    tokens = Parameters().tokens
    bowls = [token for token in tokens if 0 < token != FISH]
    bones = [token for token in tokens if 0 > token != VASE]
    assert (len(bowls), len(bones), tokens.count(FISH), tokens.count(VASE)) == (11, 8, 4, 4)
    assert (min(bowls), max(bowls), min(bones), max(bones)) == (1, 10, -10, -1)


@rules(1)
def test_any_27_tokens_of_the_four_kinds_make_a_match() -> None:
    odd = (*map(Token, (99,) * 13 + (-99,) * 12), FISH, VASE)
    state = GAME.start(2, seed_from(1), Parameters(tokens=odd))
    assert sorted(state.row + state.later) == sorted(odd)


@rules(1)
@pytest.mark.parametrize(
    ("tokens", "complaint"),
    [
        (DEFAULT_TOKENS[:-1], "26 given, but 3 rounds of 9 tricks need exactly 27"),
        ((*DEFAULT_TOKENS, FISH), "28 given"),
        ((Token(0), *DEFAULT_TOKENS[1:]), "0 is not a token"),
        ((Token(101), *DEFAULT_TOKENS[1:]), "101 is not a token"),
    ],
    ids=["too few", "too many", "worth nothing", "worth too much"],
)
def test_a_wrong_set_of_tokens_is_refused_by_name(
    tokens: tuple[Token, ...], complaint: str
) -> None:
    with pytest.raises(BadParameter, match=complaint):
        Parameters(tokens=tokens)


@rules(2)
def test_each_of_three_rounds_lays_out_nine_tokens_and_all_27_are_used() -> None:
    state = GAME.start(3, seed_from(5), recording=True)
    while not state.is_over:
        state.apply(state.legal_actions()[-1])
    rows = [event.row for event in state.events or () if isinstance(event, RoundBegan)]
    assert [len(row) for row in rows] == [9, 9, 9]
    assert sorted(sum(rows, ())) == sorted(DEFAULT_TOKENS)


@rules(2)
def test_which_tokens_come_later_depends_on_the_seed_alone() -> None:
    ends = []
    for choice in (0, -1):
        state = GAME.start(4, seed_from(8))
        while state.round == 0:
            state.apply(state.legal_actions()[choice])
        ends.append((state.row, state.hands))
    assert ends[0] == ends[1]


@rules(3)
@pytest.mark.parametrize("seats", GAME.seat_counts)
def test_every_round_deals_nine_cards_each_from_the_whole_deck(seats: int) -> None:
    state = GAME.start(seats, seed_from(2))
    first = list(state.hands)
    play_round(state)
    assert [hand.bit_count() for hand in state.hands] == [9] * seats
    assert state.hands != first
    assert sum(state.hands).bit_count() == 9 * seats, "no card in two hands"


@rules(4)
def test_the_first_lead_moves_one_seat_each_round() -> None:
    state = GAME.start(2, seed_from(3), recording=True)
    while not state.is_over:
        state.apply(state.legal_actions()[0])
    leaders = [event.leader for event in state.events or () if isinstance(event, RoundBegan)]
    assert leaders == [0, 1, 0]


@rules(4)
def test_cards_are_played_clockwise_and_the_winner_leads_next() -> None:
    state = position("P2 G1", "P9 G2", "P5 G3", row="1 2", leader=1)
    order = []
    for name in ("P9", "P5", "P2"):
        order.append(state.to_act)
        play(state, name)
    assert order == [1, 2, 0]
    assert (state.leader, state.to_act) == (1, 1)


@rules(5)
def test_the_sheets_hand_must_follow_blue_with_5_or_13() -> None:
    state = position("B8 P1", "B5 B13 P7 G2 G18", trick="")
    play(state, "B8")
    assert legal(state) == "B5 B13"
    with pytest.raises(IllegalAction, match="may not play G18: the led colour must be followed"):
        play(state, "G18")


@rules(5)
def test_without_the_led_colour_any_card_may_be_played() -> None:
    state = play(position("B8 P1", "P7 G2 G18"), "B8")
    assert legal(state) == "P7 G2 G18"


@rules(5)
def test_green_may_be_led_at_once() -> None:
    assert legal(position("P1 B2 G3", "P2 P3 P4")) == "P1 B2 G3"


@rules(6)
@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("B8 B13 B5", 1),
        ("B8 P18 P17", 0),
        ("B8 B13 G5 P18", 2),
        ("P18 G2 G9", 2),
        ("G18 G1 G17", 1),
        ("B18 B1 B17", 1),
        ("B1 B18", 0),
        ("B18 B1 G2", 2),
        ("P4 B18 B1", 0),
        ("P18 P4 G1", 2),
        ("B1 P18 B2", 2),
    ],
    ids=[
        "highest of the led colour",
        "another colour never wins",
        "any green beats the rest",
        "highest green",
        "the green 1 beats its 18",
        "a led 1 beats its 18",
        "it may come before the 18",
        "but not a green card",
        "off-colour it wins nothing",
        "a 1 without its own 18 is just a 1",
        "the 18 of another colour does not lift it",
    ],
)
def test_the_trick_goes_to_its_highest_card(trick: str, winner: int) -> None:
    assert winner_of(trick) == winner


@rules(7)
@pytest.mark.parametrize("token", ["7", "-10", "fish", "vase"])
def test_the_winner_takes_the_leftmost_token_wanted_or_not(token: str) -> None:
    state = play(position("P2 G1", "P9 G2", row=f"{token} 3 4"), "P2 P9")
    assert [len(won) for won in state.won] == [0, 1]
    event = (state.events or [])[-1]
    assert isinstance(event, TrickWon)
    assert GAME.event_form.show(event) == f"won seat=1 token={token}"


@rules(8)
@pytest.mark.parametrize(
    ("tokens", "points"),
    [
        ("5 8 -5 fish vase", 13),
        ("-1 -10 -3 fish", -4),
        ("-1 -10 -3 fish fish fish fish", 0),
        ("10 vase", 10),
        ("10 vase vase", -10),
        ("10 vase vase vase", -10),
        ("10 vase vase vase vase", -30),
        ("", 0),
    ],
    ids=[
        "the sheet's example",
        "a fish removes the worst bone",
        "surplus fish are worth nothing",
        "one vase is free",
        "two cost 20",
        "three cost 20",
        "four cost 40",
        "nothing won",
    ],
)
def test_bowls_bones_fish_and_vases_are_counted_as_points(tokens: str, points: int) -> None:
    assert finished_match(tokens, "").outcome().scores[0] == points


@rules(8)
def test_vases_may_be_set_to_cost_20_once() -> None:
    once = Parameters(vases=Vases.ONCE)
    state = finished_match("vase", "vase vase", "vase vase vase vase", parameters=once)
    assert state.outcome().scores == (0, -20, -20)


@rules(9)
def test_more_points_are_better_and_equals_share_the_place() -> None:
    outcome = finished_match("7", "10", "7", "-3").outcome()
    assert outcome.places == (2, 1, 2, 4)
    assert outcome.ending is Ending.PLAYED_OUT


@rules(10)
@pytest.mark.parametrize(
    ("seats", "ranks"),
    [
        (2, [*range(1, 6), 18]),
        (3, [*range(1, 9), 18]),
        (4, [*range(1, 12), 18]),
        (5, [*range(1, 15), 18]),
        (6, list(range(1, 19))),
    ],
)
def test_the_expert_game_deals_every_card_that_is_left(seats: int, ranks: list[int]) -> None:
    state = GAME.start(seats, seed_from(4), Parameters(expert=True))
    dealt = [each for hand in state.hands for each in cards_in(hand)]
    assert sorted(dealt) == sorted(card(colour, rank) for colour in range(3) for rank in ranks)
    assert {each.rank for each in dealt} == set(ranks)


@rules(11)
def test_a_view_shows_the_row_the_won_tokens_and_the_played_cards_but_no_other_hand() -> None:
    state = play(position("P2 G1", "P9 G2", "P5 G3", row="4 6"), "P2 P9 P5 G2")
    view = GAME.view_of(state, 0)
    assert (view.row, view.won) == ((6,), ((), (4,), ()))
    assert [len(cards) for cards in view.played] == [1, 2, 1]
    others = state.copy()
    others.hands[1], others.hands[2] = others.hands[2], others.hands[1]
    assert GAME.view_of(others, 0) == view


@rules(11)
def test_a_seat_that_could_not_follow_is_seen_to_lack_the_colour() -> None:
    state = play(position("P2 G1", "B9 G2", "P5 G3", row="4 6"), "P2 B9 P5")
    assert GAME.view_of(state, 2).voids == (0, 1, 0)


@rules(12)
@pytest.mark.parametrize("seats", GAME.seat_counts)
def test_a_match_has_27_tricks(seats: int) -> None:
    state = GAME.start(seats, seed_from(6))
    decisions = 0
    while not state.is_over:
        state.apply(state.legal_actions()[0])
        decisions += 1
    assert decisions == 27 * seats
    assert sum(map(len, state.won)) == 27


@rules(13)
def test_a_small_match_has_fewer_ranks_cards_and_rounds() -> None:
    state = GAME.start(3, 7, "ranks=4 hand=2 rounds=2 tokens=1,2,-3,fish", recording=True)
    deck = state.inventory()[:12]
    assert [DECK[card].rank for card in deck] == [1, 2, 3, 18] * 3
    assert [hand.bit_count() for hand in state.hands] == [2, 2, 2]
    assert len(state.row) == len(state.later) == 2
    decisions = 0
    while not state.is_over:
        state.apply(state.legal_actions()[0])
        decisions += 1
    assert decisions == 2 * 2 * 3
    assert sorted(sum(state.won, ())) == sorted((1, 2, -3, FISH))


@rules(13)
def test_a_small_match_needs_a_hand_for_everyone() -> None:
    with pytest.raises(BadParameter, match="cannot seat 4: it takes 2, 3 players here"):
        GAME.start(4, 7, "ranks=2 hand=2 rounds=1 tokens=1,2")


def test_a_card_that_is_not_in_the_hand_is_refused_and_changes_nothing() -> None:
    state = position("P2 G1", "P9 G2")
    before = state.truth()
    with pytest.raises(
        IllegalAction, match=r"seat 0 may not play P9: .* not in its hand\n(.|\n)*P2 G1"
    ):
        play(state, "P9")
    assert state.truth() == before

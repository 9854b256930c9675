"""Sampled worlds of Trio fit the view, and are uniform or nearly so."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.games.randomness import seed_from
from arena.games.trio import GAME, mixing
from arena.games.trio.counting import ALL_ALLOWED, numbers_allowed
from arena.games.trio.dealing import Deal
from arena.games.trio.knowledge import NOTHING_KNOWN
from arena.games.trio.mixing import Bond, Rule, make_rule, mix
from arena.games.trio.state import TrioState
from arena.games.trio.view import View
from tests.games.trio.positions import hungry_action, misfits, play, position

VARIANTS = [(name, seats) for name, p in GAME.variants.items() for seats in GAME.seats_for(p)]
Truth = tuple[object, ...]


def surprise(found: Counter[Truth], expected: dict[Truth, float]) -> float:
    """Return chi-square in standard deviations from its mean; below 5 is no surprise."""
    total = found.total()
    assert set(found) <= set(expected), "a truth that does not fit"
    square = sum(
        (found[truth] - total * share) ** 2 / (total * share) for truth, share in expected.items()
    )
    degrees = max(len(expected) - 1, 1)
    return float((square - degrees) / (2 * degrees) ** 0.5)


def distance(found: Counter[Truth], expected: dict[Truth, float]) -> float:
    """Return the total variation distance."""
    total = found.total()
    assert set(found) <= set(expected), "a truth that does not fit"
    return sum(abs(found[truth] / total - share) for truth, share in expected.items()) / 2


def secret(state: TrioState) -> Truth:
    """Return the part of a state that differs between the worlds of one view."""
    return (*map(tuple, state.hands), tuple(state.centre))


def fitting_deals(state: TrioState, seat: int) -> dict[Truth, float]:
    """Deal the hidden cards in every order, and keep the deals that fit what is known.

    Copies of a number are different cards here, as when a deck is shuffled.
    """
    lengths = [0 if owner == seat else len(hand) for owner, hand in enumerate(state.hands)]
    slots = [slot for slot, number in enumerate(state.centre) if number]
    cards = [card for owner, hand in enumerate(state.hands) if owner != seat for card in hand]
    cards += [state.centre[slot] for slot in slots]
    ways: Counter[Truth] = Counter()
    other = state.copy()
    if other.swaps is not None:
        # This seat must not use what other partners know about each other.
        other.swaps.private = [
            private if owner == seat else NOTHING_KNOWN
            for owner, private in enumerate(other.swaps.private)
        ]
    for order in permutations(cards):
        at = 0
        for owner, length in enumerate(lengths):
            if owner != seat:
                other.hands[owner] = sorted(order[at : at + length])
                at += length
        for slot in slots:
            other.centre[slot] = order[at]
            at += 1
        if not misfits(other):
            ways[secret(other)] += 1
    return {truth: count / ways.total() for truth, count in ways.items()}


def sample_worlds(view: View, count: int) -> Counter[Truth]:
    """Sample this many worlds, and count them."""
    rng = Random(8)
    return Counter(secret(GAME.world(view, rng)) for _ in range(count))


# Only 5, 6, 9 and 10 are still in play, and the view is seat 0's.
OTHERS = ["", "", "1 2 3 4 7 8 11 12"]


@pytest.mark.parametrize(
    ("hands", "centre", "played"),
    [
        (("5 6 9 9 10", "5 6 9", "5 10"), "6 10", ""),
        (("5 9 9 10 10", "5 6 9", "5 6 6 10"), "", "low 1, high 2"),
        (("6 9 9 10 10", "5 5 6 9", "5 6 10"), "", "low 1, high 2, high 1, low 2"),
        (("5 9 9 10", "5 6 10", "5 6"), "6 10 9", "low 1, centre 0, high 2, centre 1"),
        (("5 9 9 10", "5 5 6 9", "6 10"), "6 10", "low 1, low 1, centre 0"),
        (("6 6 9 10", "5 9 10", "5 6 9"), "5 10", "low 1, low 2, centre 0, high 2, high 1"),
    ],
    ids=["nothing seen", "an end each", "three ends", "slots", "two deep", "a trio taken"],
)
def test_worlds_without_teams_are_exactly_uniform(
    hands: tuple[str, ...], centre: str, played: str
) -> None:
    state = position(*hands, centre=centre, piles=OTHERS)
    if played:
        play(state, played)
    expected = fitting_deals(state, 0)
    assert len(expected) > 1
    assert surprise(sample_worlds(GAME.view_of(state, 0), 50 * len(expected)), expected) < 5


@pytest.mark.parametrize("countable_bits", [0, 10**6], ids=["by attempts", "by counting"])
def test_both_methods_of_dealing_are_uniform(countable_bits: int) -> None:
    allowed = [
        numbers_allowed(2, 5, (2, 4)),
        numbers_allowed(3, 6, (3,)),
        numbers_allowed(1, 4, ()),
        ALL_ALLOWED,
    ]
    cards = (1, 2, 3, 4, 4, 5, 6)
    counts = tuple(cards.count(number) for number in range(1, 13))
    deal = Deal(counts, (2, 2, 2, 1), allowed, countable_bits)
    rng = Random(3)
    found: Counter[Truth] = Counter()
    for _ in range(9000):
        found[tuple(tuple(sorted(place)) for place in deal.draw(rng))] += 1
    ways: Counter[Truth] = Counter()
    for order in permutations(cards):
        places = [tuple(sorted(order[at : at + 2])) for at in (0, 2, 4, 6)]
        if all(
            allowed_here[card - 1] >= 0
            for place, allowed_here in zip(places, allowed, strict=True)
            for card in place
        ):
            # Next to a known copy, one more in the same hand counts half, and two count a third.
            first, second = places[:2]
            less = (1 + first.count(2)) * (1 + first.count(4)) * (1 + second.count(3))
            ways[tuple(places)] += 24 // less
    expected = {truth: count / ways.total() for truth, count in ways.items()}
    assert surprise(found, expected) < 5


@pytest.mark.parametrize(("name", "seats"), [("simple", 4), ("simple", 6), ("spicy-teams", 6)])
def test_a_world_depends_on_the_view_and_the_randomness_only(name: str, seats: int) -> None:
    state = GAME.start(seats, seed_from(2), GAME.variants[name])
    rng = Random(2)
    for _ in range(120):
        state.apply(state.random_action(rng))
    view = GAME.view_of(state, 0)
    first = [GAME.world(view, Random(number)).truth() for number in range(60)]
    assert [GAME.world(view, Random(number)).truth() for number in range(60)] == first
    assert len(set(first)) > 1


def swapped_team_game(played: str) -> TrioState:
    """Swap in the other team after both ends of its hands were seen, and play on."""
    state = position(
        "5 6 9 9 10 12 12 12",
        "5 6 10",
        "10",
        "5 6 9",
        teams=True,
        piles=["1", "2 3 4 7 8 11"],
    )
    play(state, "low 1, high 1, low 3, high 3, low 1, high 3, low 1, high 3")
    play(state, "high 0, high 0, high 0, give 10, give 6")
    if played:
        play(state, played)
    return state


@pytest.mark.parametrize("played", ["", "low 1, high 3", "high 1, high 3, low 1, low 2"])
def test_worlds_after_swaps_are_nearly_uniform(played: str) -> None:
    state = swapped_team_game(played)
    expected = fitting_deals(state, 0)
    assert len(expected) > 1
    found = sample_worlds(GAME.view_of(state, 0), 60 * len(expected))
    # With 60 draws for each deal, uniform draws are about 0.05 away.
    assert distance(found, expected) < 0.08


def hard_to_mix() -> tuple[list[list[int]], list[list[Rule]], list[Bond]]:
    """Return hands, rules and bonds that hardly any deal keeps."""
    rules = [
        [make_rule((7,), (3, 9)), make_rule((1, 2, 3), (1, 3), gone=2, strange=2)],
        [make_rule((1,), (1, 6)), make_rule((4, 5), (4, 6), gone=1, strange=1)],
        [make_rule((4,), (2, 12))],
    ]
    return [[1, 2, 3], [4, 5, 6], [7, 8, 9]], rules, [Bond(0, 1, (1, 3, 6, 7))]


def test_hands_that_fit_are_found_where_few_do() -> None:
    for number in range(50):
        hands, rules, bonds = hard_to_mix()
        mix(hands, rules, bonds, Random(number))
        assert sorted(hands[1]) == [1, 5, 6]
        assert {3, 7} < set(hands[0])


def test_what_no_hands_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixing, "_MOST_EXCHANGES", 10_000)
    hands, rules, _ = hard_to_mix()
    with pytest.raises(BadInput, match="not the view of any match"):
        mix(hands, rules, [Bond(0, 1, (8, 9))], Random(1))


def test_a_partner_certainly_holds_what_it_was_given() -> None:
    state = GAME.start(4, seed_from(5), GAME.variants["simple-teams"])
    gives, gets = state.hands[0][4], state.hands[2][4]
    play(state, f"give {gives}, keep, give {gets}, keep")
    rng = Random(2)
    worlds = [GAME.world(GAME.view_of(state, 0), rng) for _ in range(100)]
    assert all(gives in other.hands[2] for other in worlds)
    assert len({tuple(other.hands[2]) for other in worlds}) > 50


def test_pending_choices_of_others_are_drawn_from_their_legal_ones() -> None:
    state = GAME.start(4, seed_from(5), GAME.variants["simple-teams"])
    play(state, "keep, keep")
    rng = Random(2)
    chosen: Counter[str] = Counter()
    for _ in range(200):
        swaps = GAME.world(GAME.view_of(state, 2), rng).swaps
        assert swaps is not None
        assert swaps.chosen[2:] == [-1, -1]
        chosen[GAME.action_text(swaps.chosen[0])] += 1
    assert 5 < chosen["keep"] < 60


@given(st.sampled_from(VARIANTS), st.integers(0, 10**9))
def test_every_world_gives_the_same_view_and_fits_all_knowledge(
    setting: tuple[str, int], number: int
) -> None:
    name, seats = setting
    rng = Random(number)
    state = GAME.start(seats, seed_from(number), GAME.variants[name])
    for _ in range(int(rng.random() * 250)):
        if state.is_over:
            break
        state.apply(hungry_action(state, rng))
    for seat in range(seats):
        view = GAME.view_of(state, seat)
        other = GAME.world(view, rng)
        assert GAME.view_of(other, seat) == view
        assert other.inventory() == state.inventory()
        assert misfits(other) == []
        assert GAME.view_form.read(GAME.view_form.show(view)) == view

"""MEOW plays like a second, naive implementation of its rules.

Only the deal and the players' choices are taken from the engine; everything else is implemented
again here.
"""

from __future__ import annotations

from random import Random

import pytest

from arena.games.meow import GAME
from arena.games.meow.cards import Token, cards_in
from arena.games.meow.parameters import Parameters, Vases
from arena.games.outcome import places_by
from arena.games.randomness import seed_from

Card = tuple[str, int]
ODD_TOKENS = tuple(map(Token.form().read, ["-3"] * 6 + ["vase"] * 7 + ["fish"] * 5 + ["5"] * 9))


def card_of(action: int) -> Card:
    """Return the colour and rank in an action's text."""
    text = GAME.action_text(action)
    return text[0], int(text[1:])


def playable(hand: list[Card], trick: list[Card]) -> list[Card]:
    """List the cards that may be played."""
    following = [card for card in hand if trick and card[0] == trick[0][0]]
    return sorted(following or hand)


def winner(trick: list[Card]) -> int:
    """Return the position of the card that wins a trick."""
    colours = [colour for colour, _ in trick]
    best = "G" if "G" in colours else colours[0]
    ranks = {rank for colour, rank in trick if colour == best}
    return trick.index((best, 1 if {1, 18} <= ranks else max(ranks)))


def points(tokens: list[str], vases: Vases) -> int:
    """Count a seat's tokens."""
    worths = [int(token) for token in tokens if token not in ("fish", "vase")]
    bones = sorted(worth for worth in worths if worth < 0)[tokens.count("fish") :]
    pairs = tokens.count("vase") // 2
    costly = pairs if vases is Vases.PAIRS else min(pairs, 1)
    return sum(worth for worth in worths if worth > 0) + sum(bones) - 20 * costly


@pytest.mark.parametrize("seats", GAME.seat_counts)
@pytest.mark.parametrize(
    "parameters",
    [
        Parameters(),
        Parameters(expert=True),
        Parameters(vases=Vases.ONCE, tokens=ODD_TOKENS),
        Parameters(tokens=ODD_TOKENS),
    ],
    ids=["standard", "expert", "vases once", "odd tokens"],
)
@pytest.mark.parametrize("seed", range(3))
def test_a_naive_implementation_gives_the_same_result(
    seed: int, parameters: Parameters, seats: int
) -> None:
    state = GAME.start(seats, seed_from(seed), parameters)
    rng = Random(seed)
    won: list[list[str]] = [[] for _ in range(seats)]
    for number in range(3):
        hands = [list(map(card_of, cards_in(hand))) for hand in state.hands]
        leader = number % seats
        for token in map(str, state.row):
            trick: list[Card] = []
            for step in range(seats):
                seat = (leader + step) % seats
                assert state.to_act == seat
                legal = state.legal_actions()
                assert sorted(map(card_of, legal)) == playable(hands[seat], trick)
                action = state.random_action(rng)
                trick.append(card_of(action))
                hands[seat].remove(card_of(action))
                state.apply(action)
            leader = (leader + winner(trick)) % seats
            won[leader].append(token)
    scores = [points(tokens, parameters.vases) for tokens in won]
    assert state.is_over
    assert state.outcome()[:2] == (places_by(scores), tuple(scores))

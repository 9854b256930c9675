"""Short notation for positions of MEOW in tests."""

from __future__ import annotations

from arena.games.meow import GAME
from arena.games.meow.cards import COLOUR_MASK, HAND, Card, Token, mask_of
from arena.games.meow.parameters import Parameters
from arena.games.meow.state import MeowState
from arena.games.randomness import seed_from


def cards(text: str) -> tuple[Card, ...]:
    """Read cards: "P5 B13"."""
    return tuple(map(Card.form().read, text.split()))


def tokens(text: str) -> tuple[Token, ...]:
    """Read tokens: "3 -5 fish vase"."""
    return tuple(map(Token.form().read, text.split()))


def position(
    *hands: str, trick: str = "", row: str = "1", leader: int = 0, round: int = 0
) -> MeowState:
    """Make a state with these hands; the seats from the leader on have played `trick`."""
    state = GAME.start(len(hands), seed_from(0), recording=True)
    state.round = round
    state.row = tokens(row)
    state.hands = [mask_of(cards(hand)) for hand in hands]
    state.leader = leader
    state.trick = list(cards(trick))
    for number, card in enumerate(state.trick):
        state.played[(leader + number) % len(hands)] = 1 << card
    state.to_act = (leader + len(state.trick)) % len(hands)
    hand = state.hands[state.to_act]
    state.legal_mask = hand
    if state.trick:
        state.led = state.trick[0] // 18
        state.legal_mask = hand & COLOUR_MASK[state.led] or hand
    return state


def legal(state: MeowState) -> str:
    """Write the legal cards."""
    return " ".join(map(GAME.action_text, state.legal_actions()))


def play(state: MeowState, text: str) -> MeowState:
    """Play these cards, seat after seat."""
    for card in cards(text):
        state.apply(card)
    return state


def winner_of(trick: str) -> int:
    """Return the seat that wins this trick if seat 0 leads and every hand has only one card."""
    state = play(position(*trick.split(), row="9 8"), trick)
    return next(seat for seat, won in enumerate(state.won) if won)


def finished_match(*won: str, parameters: Parameters | None = None) -> MeowState:
    """Make a finished match where the seats have won these tokens."""
    state = GAME.start(len(won), seed_from(0), parameters)
    state.won = [tokens(text) for text in won]
    state.to_act = -1
    return state


def play_round(state: MeowState) -> None:
    """Play the first legal card until the row is empty."""
    last = state.round
    for _ in range(HAND * state.seats):
        state.apply(state.legal_actions()[0])
    assert state.round != last or state.is_over

"""Short notation for positions of Trio in tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import cast

from arena.games.randomness import seed_from
from arena.games.trio import GAME
from arena.games.trio.cards import FIRST_GIVE, FIRST_HAND, HAND_BITS, SEAT_OF, UNSEEN, Action
from arena.games.trio.events import Event
from arena.games.trio.knowledge import merge, unknown_hand
from arena.games.trio.parameters import Mode, Parameters
from arena.games.trio.state import TrioState
from arena.games.trio.swaps import Swaps


def numbers(text: str) -> list[int]:
    """Read numbers: "1 5 12"."""
    return [int(word) for word in text.split()]


def position(
    *hands: str,
    centre: str = "",
    piles: Sequence[str] = (),
    turn: int = 0,
    mode: Mode = Mode.SIMPLE,
    teams: bool = False,
    swapping: bool = False,
    turn_cap: int = 120,
) -> TrioState:
    """Make a state with these cards; no seat has seen any cards except its own.

    It need not have all 36 cards. With `swapping`, all teams are about to choose.
    """
    seats = len(hands)
    state = GAME.start(seats, seed_from(0), Parameters(mode, teams, turn_cap), recording=True)
    state.hands = [numbers(hand) for hand in hands]
    state.centre = numbers(centre)
    for team, pile in enumerate(piles):
        state.piles[team] = tuple(numbers(pile))
    state.turn = turn
    state.known = [unknown_hand(len(hand)) for hand in state.hands]
    state.seen = [UNSEEN] * len(state.centre)
    state.depths = [0] * FIRST_GIVE
    state.open_mask = (1 << len(state.centre)) - 1
    for seat, hand in enumerate(state.hands):
        state.open_mask |= HAND_BITS[seat][len(hand)]
    state.to_act = turn % seats
    state.legal_mask = state.open_mask
    if teams:
        state.swaps = Swaps(seats)
        if swapping:
            state.offer_swaps(state.swaps, except_team=-1)
    return state


def play(state: TrioState, text: str) -> TrioState:
    """Play these actions: "low 0, centre 3"."""
    for action in text.split(","):
        state.apply(GAME.parse_action(action))
    return state


def legal(state: TrioState) -> str:
    """Write the legal actions."""
    return ", ".join(map(GAME.action_text, state.legal_actions()))


def event_texts(state: TrioState) -> list[str]:
    """Write the events."""
    return [GAME.event_form.show(event) for event in events_of(state)]


def events_of(state: TrioState) -> list[Event]:
    """Return the events with their static type: the contract promises only named tuples."""
    return cast("list[Event]", state.events or [])


def hungry_action(state: TrioState, rng: Random) -> int:
    """Draw a legal action that often matches the face-up card, so that trios are not rare."""
    if state.shown and rng.random() < 0.6:
        for action in sorted(state.legal_actions(), key=lambda _: rng.random()):
            if _number_at(state, action) == state.number:
                return action
    return state.random_action(rng)


def _number_at(state: TrioState, place: int) -> int:
    if place < FIRST_HAND:
        return state.centre[place]
    depth = state.shown.count(Action(place))
    hand = state.hands[SEAT_OF[place]]
    return hand[depth] if place & 1 else hand[~depth]


def misfits(state: TrioState) -> list[str]:
    """List the stored knowledge that is not true."""
    return [*_public_misfits(state), *_team_misfits(state)]


def _public_misfits(state: TrioState) -> list[str]:
    found = []
    for seat, (hand, known) in enumerate(zip(state.hands, state.known, strict=True)):
        ends = len(known.low), len(hand) - len(known.high)
        between = hand[ends[0] : ends[1]]
        if (
            known.size != len(hand)
            or list(known.low) != hand[: ends[0]]
            or list(known.high) != hand[ends[1] :]
            or not all(known.least <= number <= known.most for number in between)
        ):
            found.append(f"{hand} of seat {seat} is not {known}")
    for number, seen in zip(state.centre, state.seen, strict=True):
        if seen != UNSEEN and max(seen, 0) != number:
            found.append(f"{number} lies where {seen} was seen")
    return found


def _team_misfits(state: TrioState) -> list[str]:
    found: list[str] = []
    swaps = state.swaps
    if swaps is None:
        return found
    teams = len(state.piles)
    for seat, hand in enumerate(state.hands):
        for layer in swaps.earlier[seat]:
            others = (Counter(hand) - Counter(layer.cards)).elements()
            strange = sum(not layer.least <= number <= layer.most for number in others)
            gone = (Counter(layer.cards) - Counter(hand)).total()
            if gone > layer.gone or strange > layer.strange:
                found.append(f"{hand} of seat {seat} does not come from {layer}")
        partner = (seat + teams) % state.seats
        knows = merge(swaps.private[seat], state.known[partner])
        others = (Counter(state.hands[partner]) - Counter(knows.cards)).elements()
        if Counter(knows.cards) - Counter(state.hands[partner]) or not all(
            knows.least <= number <= knows.most for number in others
        ):
            found.append(f"{state.hands[partner]} of seat {partner} is not {knows}")
        if Counter(swaps.shared[seat % teams]) - Counter(hand + state.hands[partner]):
            found.append(f"team {seat % teams} lacks some of {swaps.shared[seat % teams]}")
    return found

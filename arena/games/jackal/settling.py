"""Settle a round: who wins which stack, and what happens in the valley."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from arena.games.jackal.actions import Action
from arena.games.jackal.cards import LUCKY8, NO_CARD
from arena.games.jackal.dice import (
    DICE,
    DICE_OF_ROUND,
    EXACT,
    MOST_SEATS,
    NO_ROLL,
    PROBE,
    STACK_GUARDS,
    TURNS,
    VALLEY_AT,
    VALLEY_DIE,
    count_on,
)
from arena.games.jackal.events import (
    CardsOrdered,
    DiceCollected,
    DuelRolled,
    Question,
    StackWon,
    ValleyPaid,
    ValleyRolled,
    ValleyTaken,
)
from arena.games.jackal.rounds import begin_round

if TYPE_CHECKING:
    from arena.games.jackal.state import JackalState

_TURN_ORDER = tuple(
    tuple(tuple((starter + step) % seats for step in range(seats)) for starter in range(seats))
    for seats in range(MOST_SEATS + 1)
)
"""The seats in turn order, by the number of seats and the starter."""

MakeEvent = Callable[[int, tuple[int, ...]], NamedTuple]
"""Creates the event for one seat's roll."""
Pick = Callable[[list[int]], int]
"""`max` or `min`."""


def settle(state: JackalState) -> None:
    """Award the stacks, then go on to the orders of won cards, the valley and the next round."""
    claims: dict[int, list[int]] = {}
    valley = [state.parameters.dice_count] * state.seats
    exact = EXACT[len(state.cards)]
    # Dice that meet the number leave no room, so subtracting 1 more clears the guard bit.
    room = state.room - PROBE[1]
    laid = state.laid
    for seat in _TURN_ORDER[state.seats][state.starter]:
        for stack in exact[room - laid[seat] & STACK_GUARDS]:
            claims.setdefault(stack, []).append(seat)
            valley[seat] -= count_on(laid[seat], stack)
    # RULES 8: dice that did not meet a number go to the valley.
    if state.events is not None:
        state.events.append(DiceCollected(tuple(valley)))
    if not claims:
        settle_valley(state, valley)
        return
    _award(state, claims)
    state.laid = [VALLEY_DIE * count for count in valley]
    _ask_for_order(state)


def _award(state: JackalState, claims: dict[int, list[int]]) -> None:
    """Settle the duels and give every stack that is won to its winner."""
    cards = state.cards
    # RULES 9: duels in display order.
    winners = {stack: _winner(state, stack, claims[stack]) for stack in sorted(claims)}
    lucky: list[int] = []
    if LUCKY8 in cards and cards.index(LUCKY8) in winners:
        # RULES 10: the Lucky8 brings every stack that no other seat won.
        lucky = [stack for stack in range(len(cards)) if stack not in winners]
        winners |= dict.fromkeys(lucky, winners[cards.index(LUCKY8)])
    for stack, seat in sorted(winners.items()):
        card = cards[stack]
        take2s = state.under[stack]
        state.take2s[seat] += take2s
        if card == LUCKY8:
            state.gone += 1
        else:
            state.spoils[seat] += (card,)
        if state.events is not None:
            state.events.append(StackWon(seat, stack + 1, card, take2s, stack in lucky))
    left = [stack for stack in range(len(cards)) if stack not in winners]
    state.cards = tuple([cards[stack] for stack in left])
    state.under = tuple([state.under[stack] for stack in left])
    for seat, spoils in enumerate(state.spoils):
        if len(spoils) == 1:
            state.piles[seat] += spoils
            state.spoils[seat] = ()


def _winner(state: JackalState, stack: int, rivals: list[int]) -> int:
    """Return the seat that wins a stack on which these seats have met the number."""
    if len(rivals) == 1:
        return rivals[0]
    # RULES 9
    counts = [count_on(laid, stack) for laid in state.laid]
    label = f"duel {state.round} {stack}"
    make_event = partial(DuelRolled, stack + 1)
    return _contest(state, label, make_event, counts, max, rivals)


def _ask_for_order(state: JackalState) -> None:
    """Ask the next seat that won several cards for their order, or play the valley if none did."""
    # RULES 11
    for seat in _TURN_ORDER[state.seats][state.starter]:
        if state.spoils[seat]:
            state.to_act = seat
            state.rolled = NO_ROLL
            state.rolls_left = 0
            return
    settle_valley(state, [laid >> VALLEY_AT for laid in state.laid])


def put_in_order(state: JackalState, action: int) -> None:
    """Put the won cards of the seat to act on its pile, and go on."""
    seat = state.to_act
    spoils = state.spoils[seat]
    ordered = tuple([spoils[at] for at in Action(action).order])
    state.piles[seat] += ordered
    state.spoils[seat] = ()
    if state.events is not None:
        state.events.append(CardsOrdered(seat, ordered))
    _ask_for_order(state)


def settle_valley(state: JackalState, counts: list[int]) -> None:
    """Settle the valley, given each seat's number of dice there, and begin the next round."""
    rivals = [seat for seat in _TURN_ORDER[state.seats][state.starter] if counts[seat]]
    # RULES 12
    if len(rivals) > 1:
        _roll_for_valley(state, rivals, counts)
    elif rivals and state.valley:
        _take(state, rivals[0])
    elif rivals:
        _pay(state, rivals[0])
    begin_round(state, state.round + 1)


def _roll_for_valley(state: JackalState, rivals: list[int], counts: list[int]) -> None:
    """Find the highest and the lowest of several seats with dice in the valley."""
    dice = state.dice
    strengths = []
    for seat in rivals:
        at = DICE_OF_ROUND * seat + DICE * TURNS
        count = counts[seat]
        # `strength` inlined: this makes playouts a tenth faster.
        roll = dice[at : at + count]
        strengths.append(4 * sum(roll) + DICE - count)
        if state.events is not None:
            state.events.append(ValleyRolled(Question.BOTH, seat, tuple(roll)))
    highest = _decide(state, Question.HIGHEST, rivals, strengths, counts)
    # RULES 12: no seat is both; with two seats, the other is lowest without another roll.
    at = rivals.index(highest)
    del rivals[at], strengths[at]
    lowest = _decide(state, Question.LOWEST, rivals, strengths, counts)
    _take(state, highest)
    _pay(state, lowest)


def _decide(
    state: JackalState,
    question: Question,
    rivals: list[int],
    strengths: list[int],
    counts: list[int],
) -> int:
    """Return the highest or lowest rival; rivals who tie roll again."""
    pick = max if question is Question.HIGHEST else min
    wanted = pick(strengths)
    if strengths.count(wanted) == 1:
        return rivals[strengths.index(wanted)]
    label = f"valley {state.round} {question.value}"
    make_event = partial(ValleyRolled, question)
    tied = tied_rivals(rivals, strengths, pick)
    return _contest(state, label, make_event, counts, pick, tied, attempt=1)


def _take(state: JackalState, seat: int) -> None:
    card = state.valley
    if card:
        state.piles[seat] += (card,)
        state.valley = NO_CARD
    if state.events is not None:
        state.events.append(ValleyTaken(seat, card))


def _pay(state: JackalState, seat: int) -> None:
    """Move a seat's top card to the valley, which is empty."""
    pile = state.piles[seat]
    if pile:
        state.valley = pile[-1]
        state.piles[seat] = pile[:-1]
    if state.events is not None:
        state.events.append(ValleyPaid(seat, state.valley))


def strength(roll: Sequence[int]) -> int:
    """Return the number by which rolls are compared.

    A higher sum is better, and between equal sums fewer dice are stronger. That is the rule for the
    highest seat and, in reverse, for the lowest.
    """
    return 4 * sum(roll) + DICE - len(roll)


def tied_rivals(rivals: list[int], strengths: list[int], pick: Pick) -> list[int]:
    """List the rivals that share the best strength."""
    wanted = pick(strengths)
    return [seat for seat, each in zip(rivals, strengths, strict=True) if each == wanted]


def _contest(
    state: JackalState,
    label: str,
    make_event: MakeEvent,
    counts: Sequence[int],
    pick: Pick,
    rivals: list[int],
    attempt: int = 0,
) -> int:
    """Roll `counts` dice of each rival, again for those who tie, until one is left.

    The label identifies the contest within the match.
    """
    most, faces = state.parameters.contest_rolls, state.parameters.face_count
    # RULES 22: a small match may end here, in favour of the first in turn order.
    while len(rivals) > 1 and not (most and attempt >= most):
        dice = state.source.dice(f"{label} {attempt}", DICE * MOST_SEATS, faces)
        rolls = [dice[DICE * seat : DICE * seat + counts[seat]] for seat in rivals]
        if state.events is not None:
            state.events.extend(map(make_event, rivals, map(tuple, rolls)))
        rivals = tied_rivals(rivals, list(map(strength, rolls)), pick)
        attempt += 1
    return rivals[0]

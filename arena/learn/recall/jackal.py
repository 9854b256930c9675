"""Histories of Jackal & High as tensors.

The card in the valley, and then what happens, each thing beginning with its kind / 6: 1 the display
is completed (how many cards were drawn, and the cards), 2 a seat rolls its dice (the faces), 3 it
places them (the stack of each, plus 1), 4 it loses one, 5 a seat rolls in a duel or in the valley
(what for, the seat plus 1, the faces), 6 it puts cards in order (the cards). Cards and their number
are divided by 35, faces by 8, stacks by 7, seats by 5. A duel is for the stack / 10; in the valley
it is .7, .8 or .9.

Who rolls, and who wins what, follows from these numbers.
"""

from __future__ import annotations

from arena.games.jackal.cards import PACK, PACK_NUMBERS, SPECIALS
from arena.games.jackal.dice import FACES, MOST_SEATS, MOST_STACKS
from arena.games.jackal.events import (
    CardsOrdered,
    DicePlaced,
    DiceRolled,
    DieLost,
    DuelRolled,
    MatchEnded,
    Question,
    RoundBegan,
    ValleyOpened,
    ValleyRolled,
)
from arena.games.jackal.parameters import Parameters
from arena.learn.recall import Longest, Recall

_CARDS = len(PACK) + 2 * SPECIALS
_DISPLAY, _ROLLED, _PLACED, _LOST, _CONTEST, _ORDER = (kind / 6 for kind in range(1, 7))
_VALLEY = {Question.BOTH: 0.7, Question.HIGHEST: 0.8, Question.LOWEST: 0.9}

_TURNS = (0, 2 + 2 + 2 + 2, 3 + 3, 4 + 4)
"""The longest turns of a seat: with three dice, two, and then one that is rolled three times."""
_DRAWS = (0, 3, 2, 3)
"""The dice that are rolled in such turns."""
_CONTESTS = 3 + 1
"""For each die, the longest contest about it."""
_ORDERING = 1 + MOST_STACKS
_AGAIN = 2000
"""Room for rolls after ties. They may go on forever, but each is less likely than the last."""


def _size(seats: int, parameters: Parameters) -> int:
    """Return the length when every round until the cap is as long as it can be."""
    dice = parameters.dice_count
    turns = sum(_TURNS[: dice + 1]) + dice * _CONTESTS + _ORDERING
    again = _again(parameters.round_cap * seats * dice * _CONTESTS, parameters)
    return 3 + _CARDS + parameters.round_cap * (2 + seats * turns) + again


def _longest(seats: int, parameters: Parameters) -> Longest:
    """Return the length when every round until the cap is as long as it can be."""
    # Three placements, two rolls again and an order; dice for three turns and a contest.
    rounds = parameters.round_cap * seats
    dice = parameters.dice_count
    draws = rounds * (sum(_DRAWS[: dice + 1]) + dice)
    again = _again(rounds * dice, parameters)
    return Longest(6 * rounds, _CARDS + draws + again, len(PACK_NUMBERS) + 2)


def _again(once: int, parameters: Parameters) -> int:
    """Return what rolls after ties add, if rolling `once` in all contests adds this much."""
    # In the valley, a seat may tie for both questions.
    return 2 * (parameters.contest_rolls - 1) * once if parameters.contest_rolls else _AGAIN


def _contest(what_for: float, event: DuelRolled | ValleyRolled) -> tuple[float, ...]:
    return (_CONTEST, what_for, (event.seat + 1) / MOST_SEATS, *(f / FACES for f in event.dice))


def _display(event: RoundBegan | MatchEnded, _: Parameters) -> tuple[float, ...]:
    return (_DISPLAY, (len(event.drawn) + 1) / (_CARDS + 1), *(c / _CARDS for c in event.drawn))


RECALL = Recall(
    _size,
    _longest,
    {
        ValleyOpened: lambda event, _: (event.card / _CARDS,),
        RoundBegan: _display,
        MatchEnded: _display,
        DiceRolled: lambda event, _: (_ROLLED, *(face / FACES for face in event.dice)),
        DicePlaced: lambda event, _: (
            _PLACED,
            *((stack + 1) / (MOST_STACKS + 1) for stack in event.stacks),
        ),
        DieLost: lambda event, _: (_LOST,),
        DuelRolled: lambda event, _: _contest(event.stack / 10, event),
        ValleyRolled: lambda event, _: _contest(_VALLEY[event.question], event),
        CardsOrdered: lambda event, _: (_ORDER, *(card / _CARDS for card in event.cards)),
    },
)

"""Every event of Jackal & High is described in a sentence."""

from __future__ import annotations

from typing import get_args

import pytest

from arena.games.jackal import GAME
from arena.games.jackal import events as jackal_events
from arena.games.jackal.cards import LUCKY8
from arena.games.jackal.events import Event, Question
from arena.games.outcome import Ending

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve")
SENTENCES: dict[Event, str] = {
    jackal_events.ValleyOpened(7): "Card 7 is in the valley.",
    jackal_events.RoundBegan(1, 1, (22, 5), (9, 5), (0, 1)): (
        "Round 2: Bob starts. Drawn: Take2, 5. Display: 9, 5 with 1 Take2."
    ),
    jackal_events.DiceRolled(0, (1, 4, 7), 0): "Ann rolls 1 4 7.",
    jackal_events.DiceRolled(0, (4,), 2): "Ann rolls 4, with 2 more rolls.",
    jackal_events.DicePlaced(
        0, (1, 4, 7), (0, 2, 1)
    ): "Ann puts 4 on stack 2, 7 on stack 1 and keeps 1.",
    jackal_events.DieLost(1): "Bob cannot place any die: one goes to the valley.",
    jackal_events.DiceCollected((1, 3)): "In the valley: Ann 1 die, Bob 3 dice.",
    jackal_events.DiceCollected((0, 0)): "In the valley: no dice.",
    jackal_events.DuelRolled(2, 0, (3, 4)): "Ann rolls 3+4 = 7 for stack 2.",
    jackal_events.StackWon(0, 2, 9, 1, False): "Ann wins stack 2, card 9 with 1 Take2.",
    jackal_events.StackWon(0, 1, LUCKY8, 0, False): "Ann wins stack 1, the Lucky8.",
    jackal_events.StackWon(0, 3, 4, 0, True): "Ann gets stack 3, card 4, with the Lucky8.",
    jackal_events.CardsOrdered(1, (5, 9)): "Bob lays down 5, 9, the last on top.",
    jackal_events.ValleyRolled(Question.BOTH, 0, (8,)): "Ann rolls 8 in the valley.",
    jackal_events.ValleyRolled(Question.LOWEST, 1, (2, 2)): (
        "Bob rolls 2+2 = 4 again, tied for lowest."
    ),
    jackal_events.ValleyTaken(0, 9): "Ann takes 9 from the valley.",
    jackal_events.ValleyTaken(0, 0): "Ann is highest in the valley, but there is no card.",
    jackal_events.ValleyPaid(1, 9): "Bob pays 9 into the valley.",
    jackal_events.ValleyPaid(1, 0): "Bob has no card to pay into the valley.",
    jackal_events.MatchEnded(Ending.LENGTH_CAP, ()): "That was the last round. The match is over.",
    jackal_events.MatchEnded(Ending.PLAYED_OUT, (22,)): (
        "The deck cannot complete the display (drawn: Take2): the match is over."
    ),
}


@pytest.mark.parametrize(("event", "sentence"), SENTENCES.items(), ids=SENTENCES.values())
def test_an_event_is_a_sentence(event: Event, sentence: str) -> None:
    assert GAME.narrate(event, NAMES) == sentence


def test_no_kind_of_event_is_forgotten() -> None:
    assert {type(event) for event in SENTENCES} == set(get_args(Event))

"""Which cards lie where nobody, or not everybody, can see them?

Of the truth of a state, this is what its public events do not tell. Views show each hand to its
own seat; what no seat sees at all is found nowhere but here. All cards are in their game's
notation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from arena.games.jackal.state import JackalState
    from arena.games.lifeislife.state import LifeIsLifeState
    from arena.games.meow.state import MeowState
    from arena.games.trio.state import TrioState

# Each function imports its game when it is called: a replay is of one game, and does not have to
# wait for the tables of the others.


class Deal(NamedTuple):
    """The hidden cards of a state."""

    hands: tuple[tuple[str, ...], ...]
    """For each seat the cards in its hand, ascending; none where a game has no hands."""
    face_down: tuple[str, ...]
    """The cards in no hand that were dealt face down; README.md has each game's order."""


def deal_of(game_id: str, state: Any) -> Deal:
    """Return the hidden cards of a state, whose type is the game's own, hence Any."""
    return _DEALS[game_id](state)


def _texts(show: Callable[[int], str], cards: Iterable[int]) -> tuple[str, ...]:
    return tuple(map(show, cards))


def _trio(state: TrioState) -> Deal:
    hands = tuple(_texts(str, hand) for hand in state.hands)
    # A slot whose card was taken is written as views write it.
    return Deal(hands, _texts(lambda number: str(number) if number else "x", state.centre))


def _jackal(state: JackalState) -> Deal:
    from arena.games.jackal.notation import card_form

    return Deal(((),) * state.seats, _texts(card_form.show, reversed(state.deck)))


def _meow(state: MeowState) -> Deal:
    from arena.games.meow.cards import DECK_MASKS, cards_in
    from arena.games.meow.notation import card_form

    left = DECK_MASKS[state.seats, state.parameters.expert]
    for held, played in zip(state.hands, state.played, strict=True):
        left &= ~(held | played)
    hands = tuple(_texts(card_form.show, cards_in(hand)) for hand in state.hands)
    return Deal(hands, _texts(card_form.show, cards_in(left)))


def _lifeislife(state: LifeIsLifeState) -> Deal:
    from arena.games.lifeislife.cards import animals_in
    from arena.games.lifeislife.notation import animal_form

    hands = tuple(_texts(animal_form.show, animals_in(hand)) for hand in state.hands)
    return Deal(hands, _texts(animal_form.show, animals_in(state.unused)))


_DEALS: dict[str, Callable[[Any], Deal]] = {
    "trio": _trio,
    "jackal": _jackal,
    "meow": _meow,
    "lifeislife": _lifeislife,
}

"""How do MEOW's values travel?"""

from __future__ import annotations

from typing import Any

from arena.games.meow.cards import CARDS
from arena.games.meow.events import CardPlayed, RoundBegan, TrickWon
from arena.games.meow.parameters import Parameters, Vases
from arena.games.meow.view import View
from arena.wire.codec import CONTEXT, Codec
from arena.wire.composite import Alone, Message, OneOf, each
from arena.wire.fields import converted, flag, sint, sints, uint, uints, word, words

parameters = Message(
    Parameters,
    {
        "expert": flag(1),
        "tokens": sints(2),
        "vases_in_pairs": converted(
            flag(3),
            lambda vases: vases is Vases.PAIRS,
            lambda pairs: Vases.PAIRS if pairs else Vases.ONCE,
        ),
    },
)

view = Message(
    View,
    {
        "round": uint(1),
        "row": sints(2),
        "later": sints(3),
        "won": each(4, Alone("tokens", sints(1))),
        "leader": uint(5),
        "trick": uints(6),
        "hand": word(7),
        "played": words(8),
        "voids": uints(9),
    },
    context=CONTEXT,
)

event = OneOf(
    {
        "round_began": (RoundBegan, {"round": uint(1), "leader": uint(2), "row": sints(3)}),
        "card_played": (CardPlayed, {"seat": uint(1), "card": uint(2)}),
        "trick_won": (TrickWon, {"seat": uint(1), "token": sint(2)}),
    },
)

_card = uint(1)


def _read_action(message: Any) -> int | None:
    return message.card if message.card < CARDS else None


CODEC = Codec(3, 4, parameters, view, event, _card.put, _read_action)

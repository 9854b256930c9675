"""Fields of the messages in meow.proto; written by scripts/generate_protos."""

MESSAGES: dict[str, dict[str, tuple[int, str]]] = {
    "MeowParameters": {
        "expert": (1, "bool"),
        "tokens": (2, "sint32[]"),
        "vases_in_pairs": (3, "bool"),
        "ranks": (4, "uint32"),
        "hand": (5, "uint32"),
        "rounds": (6, "uint32"),
    },
    "MeowView": {
        "round": (1, "uint32"),
        "row": (2, "sint32[]"),
        "later": (3, "sint32[]"),
        "won": (4, "MeowTokens[]"),
        "leader": (5, "uint32"),
        "trick": (6, "uint32[]"),
        "hand": (7, "fixed64"),
        "played": (8, "fixed64[]"),
        "voids": (9, "uint32[]"),
    },
    "MeowTokens": {
        "tokens": (1, "sint32[]"),
    },
    "MeowAction": {
        "card": (1, "uint32"),
    },
    "MeowEvent": {
        "round_began": (1, "MeowEvent.RoundBegan"),
        "card_played": (2, "MeowEvent.CardPlayed"),
        "trick_won": (3, "MeowEvent.TrickWon"),
    },
    "MeowEvent.RoundBegan": {
        "round": (1, "uint32"),
        "leader": (2, "uint32"),
        "row": (3, "sint32[]"),
    },
    "MeowEvent.CardPlayed": {
        "seat": (1, "uint32"),
        "card": (2, "uint32"),
    },
    "MeowEvent.TrickWon": {
        "seat": (1, "uint32"),
        "token": (2, "sint32"),
    },
}
"""For each message its fields: name, number and type, in the order declared."""

ENUMS: dict[str, tuple[str, ...]] = {
}
"""For each enum the names of its values from number 1 on; 0 is never sent."""

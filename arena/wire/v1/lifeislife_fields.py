"""Fields of the messages in lifeislife.proto; written by scripts/generate_protos."""

MESSAGES: dict[str, dict[str, tuple[int, str]]] = {
    "LifeIsLifeParameters": {
        "expert": (1, "bool"),
        "turn_cap": (2, "uint32"),
        "round_cap": (3, "uint32"),
        "kinds": (4, "uint32"),
        "copies": (5, "uint32"),
        "hand": (6, "uint32"),
        "rows": (7, "uint32"),
        "lives": (8, "uint32"),
    },
    "LifeIsLifeCards": {
        "counts": (1, "uint32[]"),
    },
    "LifeIsLifeView": {
        "lives": (1, "uint32[]"),
        "out": (2, "sint32[]"),
        "round": (3, "uint32"),
        "starter": (4, "uint32"),
        "turn": (5, "uint32"),
        "last_turn": (6, "uint32"),
        "knocker": (7, "sint32"),
        "rows": (8, "LifeIsLifeCards[]"),
        "hand": (9, "LifeIsLifeCards"),
        "known": (10, "LifeIsLifeCards[]"),
        "lacking": (11, "LifeIsLifeCards[]"),
    },
    "LifeIsLifeAction": {
        "swap": (1, "LifeIsLifeCards"),
        "knock": (2, "bool"),
    },
    "LifeIsLifeEvent": {
        "round_began": (1, "LifeIsLifeEvent.RoundBegan"),
        "swapped": (2, "LifeIsLifeEvent.Swapped"),
        "knocked": (3, "LifeIsLifeEvent.Knocked"),
        "sudden_death": (4, "LifeIsLifeEvent.SuddenDeath"),
        "scored": (5, "LifeIsLifeEvent.Scored"),
        "went_out": (6, "LifeIsLifeEvent.WentOut"),
    },
    "LifeIsLifeEvent.RoundBegan": {
        "round": (1, "uint32"),
        "starter": (2, "uint32"),
        "rows": (3, "LifeIsLifeCards[]"),
    },
    "LifeIsLifeEvent.Swapped": {
        "seat": (1, "uint32"),
        "row": (2, "uint32"),
        "laid": (3, "LifeIsLifeCards"),
        "taken": (4, "LifeIsLifeCards"),
    },
    "LifeIsLifeEvent.Knocked": {
        "seat": (1, "uint32"),
    },
    "LifeIsLifeEvent.SuddenDeath": {
        "seat": (1, "uint32"),
        "hand": (2, "LifeIsLifeCards"),
        "gained": (3, "uint32"),
        "lost": (4, "uint32[]"),
    },
    "LifeIsLifeEvent.Scored": {
        "hands": (1, "LifeIsLifeCards[]"),
        "totals": (2, "uint32[]"),
        "lost": (3, "uint32[]"),
    },
    "LifeIsLifeEvent.WentOut": {
        "seat": (1, "uint32"),
    },
}
"""For each message its fields: name, number and type, in the order declared."""

ENUMS: dict[str, tuple[str, ...]] = {
}
"""For each enum the names of its values from number 1 on; 0 is never sent."""

"""Fields of the messages in trio.proto; written by scripts/generate_protos."""

MESSAGES: dict[str, dict[str, tuple[int, str]]] = {
    "TrioParameters": {
        "mode": (1, "TrioMode"),
        "teams": (2, "bool"),
        "turn_cap": (3, "uint32"),
        "numbers": (4, "uint32"),
        "hand": (5, "uint32"),
        "trios": (6, "uint32"),
    },
    "TrioView": {
        "turn": (1, "uint32"),
        "piles": (2, "TrioCards[]"),
        "hand": (3, "uint32[]"),
        "known": (4, "TrioKnown[]"),
        "centre": (5, "sint32[]"),
        "shown": (6, "uint32[]"),
        "phase": (7, "uint32[]"),
        "chosen": (8, "sint32"),
        "partner": (9, "TrioTold"),
        "told": (10, "TrioTold"),
        "log": (11, "TrioSwap[]"),
        "swaps": (12, "uint32[]"),
        "shared": (13, "TrioCards[]"),
        "earlier": (14, "TrioPast[]"),
    },
    "TrioCards": {
        "cards": (1, "uint32[]"),
    },
    "TrioKnown": {
        "size": (1, "uint32"),
        "low": (2, "uint32[]"),
        "high": (3, "uint32[]"),
        "least": (4, "uint32"),
        "most": (5, "uint32"),
    },
    "TrioTold": {
        "cards": (1, "uint32[]"),
        "least": (2, "uint32"),
        "most": (3, "uint32"),
    },
    "TrioSwap": {
        "gave": (1, "uint32"),
        "got": (2, "uint32"),
    },
    "TrioPast": {
        "layers": (1, "TrioEarlier[]"),
    },
    "TrioEarlier": {
        "cards": (1, "uint32[]"),
        "least": (2, "uint32"),
        "most": (3, "uint32"),
        "gone": (4, "uint32"),
        "strange": (5, "uint32"),
    },
    "TrioAction": {
        "centre": (1, "uint32"),
        "low": (2, "uint32"),
        "high": (3, "uint32"),
        "give": (4, "uint32"),
        "keep": (5, "bool"),
    },
    "TrioEvent": {
        "card_revealed": (1, "TrioEvent.CardRevealed"),
        "cards_returned": (2, "TrioEvent.CardsReturned"),
        "trio_taken": (3, "TrioEvent.TrioTaken"),
        "swap_settled": (4, "TrioEvent.SwapSettled"),
    },
    "TrioEvent.CardRevealed": {
        "seat": (1, "uint32"),
        "place": (2, "uint32"),
        "number": (3, "uint32"),
    },
    "TrioEvent.CardsReturned": {
        "seat": (1, "uint32"),
    },
    "TrioEvent.TrioTaken": {
        "seat": (1, "uint32"),
        "number": (2, "uint32"),
    },
    "TrioEvent.SwapSettled": {
        "seat": (1, "uint32"),
        "partner": (2, "uint32"),
        "swapped": (3, "bool"),
    },
}
"""For each message its fields: name, number and type, in the order declared."""

ENUMS: dict[str, tuple[str, ...]] = {
    "TrioMode": ("SIMPLE", "SPICY"),
}
"""For each enum the names of its values from number 1 on; 0 is never sent."""

"""Fields of the messages in jackal.proto; written by scripts/generate_protos."""

MESSAGES: dict[str, dict[str, tuple[int, str]]] = {
    "JackalParameters": {
        "paws": (1, "uint32[]"),
        "take2_paws": (2, "uint32"),
        "round_cap": (3, "uint32"),
        "numbers": (4, "uint32"),
        "specials": (5, "uint32"),
        "dice": (6, "uint32"),
        "faces": (7, "uint32"),
        "contest_rolls": (8, "uint32"),
    },
    "JackalView": {
        "round": (1, "uint32"),
        "starter": (2, "uint32"),
        "turn": (3, "uint32"),
        "cards": (4, "uint32[]"),
        "under": (5, "uint32[]"),
        "laid": (6, "JackalDice[]"),
        "rolled": (7, "uint32[]"),
        "rolls_left": (8, "uint32"),
        "spoils": (9, "JackalCards[]"),
        "valley": (10, "uint32"),
        "piles": (11, "JackalCards[]"),
        "take2s": (12, "uint32[]"),
        "gone": (13, "uint32"),
        "unseen": (14, "uint32[]"),
    },
    "JackalCards": {
        "cards": (1, "uint32[]"),
    },
    "JackalDice": {
        "stacks": (1, "uint32[]"),
        "faces": (2, "uint32[]"),
        "valley": (3, "uint32"),
    },
    "JackalAction": {
        "place": (1, "JackalAction.Placement"),
        "valley": (2, "bool"),
        "again": (3, "bool"),
        "order": (4, "JackalAction.Order"),
    },
    "JackalAction.Placement": {
        "stacks": (1, "uint32[]"),
    },
    "JackalAction.Order": {
        "positions": (1, "uint32[]"),
    },
    "JackalEvent": {
        "valley_opened": (1, "JackalEvent.ValleyOpened"),
        "round_began": (2, "JackalEvent.RoundBegan"),
        "dice_rolled": (3, "JackalEvent.DiceRolled"),
        "dice_placed": (4, "JackalEvent.DicePlaced"),
        "die_lost": (5, "JackalEvent.DieLost"),
        "dice_collected": (6, "JackalEvent.DiceCollected"),
        "duel_rolled": (7, "JackalEvent.DuelRolled"),
        "stack_won": (8, "JackalEvent.StackWon"),
        "cards_ordered": (9, "JackalEvent.CardsOrdered"),
        "valley_rolled": (10, "JackalEvent.ValleyRolled"),
        "valley_taken": (11, "JackalEvent.ValleyTaken"),
        "valley_paid": (12, "JackalEvent.ValleyPaid"),
        "match_ended": (13, "JackalEvent.MatchEnded"),
    },
    "JackalEvent.ValleyOpened": {
        "card": (1, "uint32"),
    },
    "JackalEvent.RoundBegan": {
        "round": (1, "uint32"),
        "starter": (2, "uint32"),
        "drawn": (3, "uint32[]"),
        "cards": (4, "uint32[]"),
        "under": (5, "uint32[]"),
    },
    "JackalEvent.DiceRolled": {
        "seat": (1, "uint32"),
        "dice": (2, "uint32[]"),
        "rolls_left": (3, "uint32"),
    },
    "JackalEvent.DicePlaced": {
        "seat": (1, "uint32"),
        "dice": (2, "uint32[]"),
        "stacks": (3, "uint32[]"),
    },
    "JackalEvent.DieLost": {
        "seat": (1, "uint32"),
    },
    "JackalEvent.DiceCollected": {
        "valley": (1, "uint32[]"),
    },
    "JackalEvent.DuelRolled": {
        "stack": (1, "uint32"),
        "seat": (2, "uint32"),
        "dice": (3, "uint32[]"),
    },
    "JackalEvent.StackWon": {
        "seat": (1, "uint32"),
        "stack": (2, "uint32"),
        "card": (3, "uint32"),
        "take2s": (4, "uint32"),
        "lucky": (5, "bool"),
    },
    "JackalEvent.CardsOrdered": {
        "seat": (1, "uint32"),
        "cards": (2, "uint32[]"),
    },
    "JackalEvent.ValleyRolled": {
        "question": (1, "JackalEvent.Question"),
        "seat": (2, "uint32"),
        "dice": (3, "uint32[]"),
    },
    "JackalEvent.ValleyTaken": {
        "seat": (1, "uint32"),
        "card": (2, "uint32"),
    },
    "JackalEvent.ValleyPaid": {
        "seat": (1, "uint32"),
        "card": (2, "uint32"),
    },
    "JackalEvent.MatchEnded": {
        "capped": (1, "bool"),
        "drawn": (2, "uint32[]"),
    },
}
"""For each message its fields: name, number and type, in the order declared."""

ENUMS: dict[str, tuple[str, ...]] = {
    "JackalEvent.Question": ("BOTH", "HIGHEST", "LOWEST"),
}
"""For each enum the names of its values from number 1 on; 0 is never sent."""
